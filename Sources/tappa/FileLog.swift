import Foundation
import Logging

/// Writes log lines to a file in the state directory, for what has no place on the screen.
struct FileLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let handle: FileHandle
    private let label: String

    init?(label: String) {
        let path = FileLocations.log
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let handle = FileHandle(forWritingAtPath: path) else { return nil }
        _ = try? handle.seekToEnd()
        self.handle = handle
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = "\(Date().formatted(.iso8601)) \(event.level) \(label): \(event.message)\n"
        try? handle.write(contentsOf: Data(line.utf8))
    }
}
