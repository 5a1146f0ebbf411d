import Foundation
import LibraryKernel
import Logging
import Platform

/// Writes log lines to a file in the state directory.
///
/// Lines are appended, so several programs can write. A large file is renamed, and one previous file is kept.
struct FileLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let path: String
    private let label: String
    /// The size in bytes from which a file is renamed.
    private static let largest = 1 << 20

    init?(label: String, path: String = FileLocations.log) {
        PrivateFile.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path, isOwn: true)
        PrivateFile.protect(path)
        self.path = path
        self.label = label
        guard let descriptor = FileWriting.openToAppend(path) else { return nil }
        close(descriptor)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = Array(
            "\(Date(timeIntervalSince1970: Double(Instant.now.seconds)).formatted(.iso8601)) \(event.level) \(label): \(event.message)\n"
                .utf8)
        // Opened for each of the few lines, because another program may have renamed the file.
        guard let descriptor = FileWriting.openToAppend(path) else { return }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > FileLog.largest { rename(path, path + ".1") }
        _ = write(descriptor, line, line.count)
    }
}
