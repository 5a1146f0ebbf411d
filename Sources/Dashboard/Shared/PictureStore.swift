import Pictures
import TerminalUI

/// The pictures of the program: those that were seen last are in memory, their neighbours are loaded ahead while nothing else is,
/// and of all others their size and a few colours are remembered (row STA-03).
@MainActor
final class PictureStore {
    private let loadAction: @Sendable (PictureRequest) async -> Result<Picture, PictureProblem>
    private let remembered: @MainActor (PictureRequest) -> PictureHint?
    private let remember: @MainActor (PictureRequest, PictureHint) -> Void
    /// The one that was asked for last stands at the end.
    private var kept: [(request: PictureRequest, picture: PixelBuffer)] = []
    private var running: [PictureRequest: Task<Result<PixelBuffer, PictureProblem>, Never>] = [:]
    private var ahead: Task<Void, Never>?

    /// Bytes of pictures that are kept.
    static let mostBytes = 12 << 20
    /// What is only passed by has its neighbours not loaded.
    private static let rest = Duration.milliseconds(300)

    init(
        load: @escaping @Sendable (PictureRequest) async -> Result<Picture, PictureProblem>,
        remembered: @escaping @MainActor (PictureRequest) -> PictureHint?,
        remember: @escaping @MainActor (PictureRequest, PictureHint) -> Void
    ) {
        loadAction = load
        self.remembered = remembered
        self.remember = remember
    }

    /// A picture that is in memory.
    func picture(_ request: PictureRequest) -> PixelBuffer? {
        guard let index = kept.firstIndex(where: { $0.request == request }) else { return nil }
        let entry = kept.remove(at: index)
        kept.append(entry)
        return entry.picture
    }

    /// What is remembered of a picture.
    func hint(_ request: PictureRequest) -> PictureHint? { remembered(request) }

    /// A picture from memory or from where it lies; asked for twice it is loaded once.
    func load(_ request: PictureRequest) async -> Result<PixelBuffer, PictureProblem> {
        if let picture = picture(request) { return .success(picture) }
        if let task = running[request] { return await task.value }
        let task = Task { [loadAction] in await loadAction(request).map { PixelBuffer($0) } }
        running[request] = task
        let result = await task.value
        running[request] = nil
        if case .success(let picture) = result { keep(picture, of: request) }
        return result
    }

    /// Loads pictures that may be asked for next, one after the other: those that are at hand, since for others a server would
    /// have to be asked.
    func loadAhead(_ requests: [PictureRequest]) {
        ahead?.cancel()
        ahead = Task { [weak self] in
            try? await Task.sleep(for: PictureStore.rest)
            for request in requests {
                guard !Task.isCancelled, let self else { return }
                if case .bundled = request {} else if self.hint(request) == nil { continue }
                _ = await self.load(request)
            }
        }
    }

    /// Lets all go.
    func forget() {
        ahead?.cancel()
        kept = []
    }

    private func keep(_ picture: PixelBuffer, of request: PictureRequest) {
        kept.removeAll { $0.request == request }
        kept.append((request, picture))
        var bytes = kept.reduce(0) { $0 + $1.picture.rgba.count }
        while bytes > PictureStore.mostBytes, kept.count > 1 { bytes -= kept.removeFirst().picture.rgba.count }
        if let hint = PictureHint(picture), hint != remembered(request) { remember(request, hint) }
    }
}
