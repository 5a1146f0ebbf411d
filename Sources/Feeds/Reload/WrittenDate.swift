import FeedParsing

/// A date as its author wrote it, and its instant if it can be parsed.
package struct WrittenDate: Hashable, Sendable {
    package let text: String
    /// The instant in seconds since 1970, or `nil` if the text can't be parsed reliably.
    package let instant: Int64?

    package init(_ text: String) {
        self.text = text
        instant = DateParser.parse(text)
    }
}
