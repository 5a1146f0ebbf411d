import Dispatch
import Foundation

/// Watches directories and reports which of their files have changed.
///
/// Uses kernel notifications (inotify(7)) and does not poll.
package final class DirectoryWatch: Sendable {
    /// Safe without isolation: after initialization it is only cancelled, which any thread may do.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private static let events = UInt32(
        IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_CREATE)

    /// Starts watching, or returns `nil` if no directory exists or inotify is not available.
    ///
    /// - Parameters:
    ///   - directories: The directories to watch. Missing directories are skipped.
    ///   - queue: The queue on which `changed` is called.
    ///   - changed: Called with the names of files that were written, moved, created or deleted.
    package init?(_ directories: [String], on queue: DispatchQueue, changed: @escaping @Sendable (Set<String>) -> Void)
    {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard directories.count(where: { inotify_add_watch(descriptor, $0, DirectoryWatch.events) >= 0 }) > 0 else {
            close(descriptor)
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { changed(DirectoryWatch.names(descriptor)) }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Reads all pending events and returns the file names in them.
    private static func names(_ descriptor: Int32) -> Set<String> {
        var names: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let header = MemoryLayout<inotify_event>.size
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            var offset = 0
            while offset + header <= count {
                let length = buffer.withUnsafeBytes {
                    Int($0.loadUnaligned(fromByteOffset: offset + header - 4, as: UInt32.self))
                }
                let end = min(offset + header + length, count)
                names.insert(String(decoding: buffer[(offset + header)..<end].prefix { $0 != 0 }, as: UTF8.self))
                offset = end
            }
        }
    }
}
