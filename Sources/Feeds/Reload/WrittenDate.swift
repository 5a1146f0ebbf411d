import FeedParsing

/// A date as its author wrote it, and its instant if it can be parsed.
package struct WrittenDate: Hashable, Sendable {
    package let text: String
    /// The instant, or `nil` if the text can't be parsed reliably.
    package let instant: Instant?

    package init(_ text: String) {
        self.text = text
        instant = DateParser.parse(text)
    }
}
