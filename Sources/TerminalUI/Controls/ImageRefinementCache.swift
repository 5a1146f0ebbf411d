/// The finer drawings that were worked out last: a picture that comes back, perhaps in another view, comes back as it was.
@MainActor
final class ImageRefinementCache {
    /// What a drawing was made of.
    struct Key {
        var image: PixelBuffer
        var scaling: PixelScaling
        var detail: ImageDetail
        var capabilities: TerminalCapabilities

        /// The same pixels in the same memory: comparing them one by one would cost more than drawing them.
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

    /// A drawing that is kept; what the terminal has let go is none.
    func drawing(_ key: Key, on terminal: (any Terminal)?) -> ImageRefinement? {
        entries.first { $0.key.isSame(as: key) && $0.drawing.isKept(by: terminal) }?.drawing
    }

    /// Keeps a drawing.
    func keep(_ drawing: ImageRefinement, for key: Key) {
        entries.removeAll { $0.key.isSame(as: key) }
        entries.append((key, drawing))
        if entries.count > ImageRefinementCache.capacity { entries.removeFirst() }
    }

    /// Lets all go.
    func forget() { entries = [] }
}
