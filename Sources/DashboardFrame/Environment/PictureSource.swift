import Pictures
import TerminalUI

/// Where pictures and the map's outlines come from.
package struct PictureSource {
    /// Loads and decodes a picture.
    package var load: @Sendable (PictureRequest) async -> Result<Picture, PictureProblem> = { _ in
        .failure(PictureProblem("pictures can't be loaded here"))
    }
    /// Returns the stored hint for a picture.
    package var hint: @MainActor (PictureRequest) -> PictureHint? = { _ in nil }
    /// Stores the size and a few colours of a picture.
    package var keepHint: @MainActor (PictureRequest, PictureHint) -> Void = { _, _ in }
    /// Whether a stage has a bundled picture.
    package var hasBundled: @MainActor (_ race: String, _ stage: Int) -> Bool = { _, _ in false }
    /// Returns the file with the map's coasts and borders.
    package var outlines: @MainActor () -> [UInt8] = { [] }
    /// The picture cache.
    package var cache = KeptPictures()

    package init() {}
}

/// The cache of fetched pictures on disk.
package struct KeptPictures: Sendable {
    /// Returns the size of the cache in bytes.
    package var size: @Sendable () -> Int64
    /// Clears the cache and returns the number of deleted bytes.
    package var clear: @Sendable () -> Int64

    package init(size: @escaping @Sendable () -> Int64 = { 0 }, clear: @escaping @Sendable () -> Int64 = { 0 }) {
        self.size = size
        self.clear = clear
    }
}
