import Foundation

/// Lines that are recorded beside the tests.
enum RecordedLines {
    /// Returns how lines differ from those that are recorded in a file. `make screens` records the present ones.
    ///
    /// - Parameter name: The name of the file.
    static func difference(
        _ lines: [String], from name: String
    ) throws -> [CollectionDifference<String>.Change] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        return Array(lines.difference(from: recorded))
    }
}
