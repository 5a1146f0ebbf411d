/// An error in a feed that could be read nevertheless.
package struct FeedProblem: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// A sentence without a full stop.
    var message: String
    /// The line in the document, from 1, if known.
    var line: Int?

    package init(_ message: String, line: Int? = nil) {
        self.message = message
        self.line = line
    }

    package var description: String { line.map { "line \($0): \(message)" } ?? message }
}
