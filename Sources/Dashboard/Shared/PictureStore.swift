import Pictures
import TerminalUI

/// What is remembered of a picture when it is gone: its size, and a few of its colours to stand in its place.
package struct PictureHint: Hashable, Sendable {
    /// Pixels across and down.
    package var width: Int, height: Int
    /// Red, green and blue of ``columns`` x ``rows`` places, from left to right and from top to bottom.
    package var colors: [UInt8]

    package static let columns = 8, rows = 6
    package static let bytes = columns * rows * 3

    /// Makes a hint; `nil` for what cannot be one.
    package init?(width: Int, height: Int, colors: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, colors.count == PictureHint.bytes else {
            return nil
        }
        (self.width, self.height, self.colors) = (width, height, colors)
    }

    /// The means of a picture's places.
    init?(_ picture: PixelBuffer) {
        guard picture.width > 0, picture.height > 0 else { return nil }
        var colors: [UInt8] = []
        for row in 0..<PictureHint.rows {
            for column in 0..<PictureHint.columns {
                colors += PictureHint.mean(picture, column, row)
            }
        }
        self.init(width: picture.width, height: picture.height, colors: colors)
    }

    private static func mean(_ picture: PixelBuffer, _ column: Int, _ row: Int) -> [UInt8] {
        func span(_ place: Int, _ count: Int, _ size: Int) -> Range<Int> {
            let first = place * size / count
            return first..<max(first + 1, (place + 1) * size / count)
        }
        var sums = [0, 0, 0]
        var count = 0
        // A few hundred of them are enough for a mean.
        let (down, across) = (span(row, rows, picture.height), span(column, columns, picture.width))
        for y in stride(from: down.lowerBound, to: down.upperBound, by: max(1, down.count / 16)) {
            for x in stride(from: across.lowerBound, to: across.upperBound, by: max(1, across.count / 16)) {
                let index = (min(y, picture.height - 1) * picture.width + min(x, picture.width - 1)) * 4
                for part in 0..<3 { sums[part] += Int(picture.rgba[index + part]) * Int(picture.rgba[index + 3]) / 255 }
                count += 1
            }
        }
        return sums.map { UInt8($0 / max(1, count)) }
    }

    /// The colours flowing into each other, in the picture's proportions.
    var blurred: PixelBuffer {
        let most = max(width, height)
        let size = (max(1, width * 48 / most), max(1, height * 48 / most))
        var rgba: [UInt8] = []
        rgba.reserveCapacity(size.0 * size.1 * 4)
        for y in 0..<size.1 {
            for x in 0..<size.0 {
                let column = (Double(x) + 0.5) / Double(size.0) * Double(PictureHint.columns) - 0.5
                let row = (Double(y) + 0.5) / Double(size.1) * Double(PictureHint.rows) - 0.5
                for part in 0..<3 { rgba.append(between(column, row, part)) }
                rgba.append(255)
            }
        }
        return PixelBuffer(width: size.0, height: size.1, rgba: rgba)
    }

    private func between(_ column: Double, _ row: Double, _ part: Int) -> UInt8 {
        func color(_ column: Int, _ row: Int) -> Double {
            let place = min(max(0, row), PictureHint.rows - 1) * PictureHint.columns
            return Double(colors[(place + min(max(0, column), PictureHint.columns - 1)) * 3 + part])
        }
        let (left, top) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
        let (x, y) = (column - Double(left), row - Double(top))
        let upper = color(left, top) * (1 - x) + color(left + 1, top) * x
        let lower = color(left, top + 1) * (1 - x) + color(left + 1, top + 1) * x
        return UInt8(max(0, min(255, upper * (1 - y) + lower * y)))
    }
}

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
