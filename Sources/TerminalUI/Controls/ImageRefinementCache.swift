/// The most recent refined drawings, so that a picture that returns, perhaps in another view, appears at once.
@MainActor
final class ImageRefinementCache: WindowCache {
    struct Key {
        var image: PixelBuffer
        var scaling: PixelScaling
        var detail: ImageDetail
        var capabilities: TerminalCapabilities

        /// Whether the pixels are in the same memory. Comparing all pixels would take longer than drawing them.
        func isSame(as other: Key) -> Bool {
            guard scaling == other.scaling, detail == other.detail, capabilities == other.capabilities else {
                return false
            }
            return image.rgba.withUnsafeBufferPointer { mine in
                other.image.rgba.withUnsafeBufferPointer {
                    $0.baseAddress == mine.baseAddress && $0.count == mine.count
                }
            }
        }
    }

    private static let capacity = 4
    private var entries: [(key: Key, drawing: ImageRefinement)] = []

    /// Returns a cached drawing, unless the terminal has deleted it.
    func drawing(_ key: Key, on terminal: (any Terminal)?) -> ImageRefinement? {
        entries.first { $0.key.isSame(as: key) && $0.drawing.isKept(by: terminal) }?.drawing
    }

    func keep(_ drawing: ImageRefinement, for key: Key) {
        entries.removeAll { $0.key.isSame(as: key) }
        entries.append((key, drawing), keepingLast: ImageRefinementCache.capacity)
    }

    func forget() { entries = [] }
}
