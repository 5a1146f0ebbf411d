import FeedParsing

/// A date as somebody wrote it, and the instant that it means where it can be read.
package struct WrittenDate: Hashable, Sendable {
    package let text: String
    /// Seconds since 1970; `nil` when the text cannot be read soundly.
    package let instant: Int64?

    package init(_ text: String) {
        self.text = text
        instant = DateParser.parse(text)
    }
}
