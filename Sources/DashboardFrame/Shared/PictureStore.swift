import Pictures
import Platform
import TerminalUI

/// The picture cache in memory.
///
/// It keeps recent pictures, loads their neighbours in advance, and stores a size and a few colours of all others (row
/// STA-03).
@MainActor
package final class PictureStore {
    private let loadAction: @Sendable (PictureRequest) async -> Result<Picture, PictureProblem>
    /// Returns the stored hint for a picture.
    package let hint: @MainActor (PictureRequest) -> PictureHint?
    private let remember: @MainActor (PictureRequest, PictureHint) -> Void
    /// The pictures, most recently used last.
    private var kept: [(request: PictureRequest, picture: PixelBuffer)] = []
    private var running: [PictureRequest: Task<Result<PixelBuffer, PictureProblem>, Never>] = [:]
    private var ahead: Task<Void, Never>?

    /// The maximum size of the pictures in bytes.
    package static let maximumBytes = 12 << 20
    /// The delay before neighbours are loaded, so that pictures passed quickly don't load theirs.
    private static let rest = Duration.milliseconds(300)

    package init(
        load: @escaping @Sendable (PictureRequest) async -> Result<Picture, PictureProblem>,
        remembered: @escaping @MainActor (PictureRequest) -> PictureHint?,
        remember: @escaping @MainActor (PictureRequest, PictureHint) -> Void
    ) {
        loadAction = load
        hint = remembered
        self.remember = remember
    }

    /// Returns a cached picture.
    package func picture(_ request: PictureRequest) -> PixelBuffer? {
        guard let index = kept.firstIndex(where: { $0.request == request }) else { return nil }
        let entry = kept.remove(at: index)
        kept.append(entry)
        return entry.picture
    }

    /// Returns a picture from the cache or loads it. Concurrent requests share one load.
    package func load(_ request: PictureRequest) async -> Result<PixelBuffer, PictureProblem> {
        if let picture = picture(request) { return .success(picture) }
        if let task = running[request] { return await task.value }
        let task = Task { [loadAction] in await loadAction(request).map { PixelBuffer($0) } }
        running[request] = task
        let result = await task.value
        running[request] = nil
        if case .success(let picture) = result { keep(picture, of: request) }
        return result
    }

    /// Loads pictures that may be requested next, one after the other, unless a server would have to be contacted.
    package func loadAhead(_ requests: [PictureRequest]) {
        ahead?.cancel()
        ahead = Task { [weak self] in
            try? await Clock.sleep(for: PictureStore.rest)
            for request in requests {
                guard !Task.isCancelled, let self else { return }
                if case .bundled = request {} else if self.hint(request) == nil { continue }
                _ = await self.load(request)
            }
        }
    }

    /// Releases all pictures.
    package func forget() {
        ahead?.cancel()
        kept = []
    }

    private func keep(_ picture: PixelBuffer, of request: PictureRequest) {
        kept.removeAll { $0.request == request }
        kept.append((request, picture))
        var bytes = kept.reduce(0) { $0 + $1.picture.rgba.count }
        while bytes > PictureStore.maximumBytes, kept.count > 1 { bytes -= kept.removeFirst().picture.rgba.count }
        if let new = PictureHint(picture), new != hint(request) { remember(request, new) }
    }
}
