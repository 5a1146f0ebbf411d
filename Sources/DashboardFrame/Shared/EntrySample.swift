import Feeds
import TerminalUI

/// An invented entry that shows what a setting does to lists.
package struct EntrySample {
    package var title: DisplayText
    package var excerpt: DisplayText
    /// The age in seconds.
    package var age: Int64
    package var isRead = false
    /// The number of feeds with an entry about the same page.
    package var sources = 1

    /// Returns the entries of the sample, arranged as those of one feed.
    package static func entries(in order: EntryOrder) -> [EntrySample] {
        switch order {
        case .newest, .feed, .rhythm: newestFirst
        case .oldest: newestFirst.reversed()
        }
    }

    private static let newestFirst = [
        EntrySample(
            title: "A split view that stays visible in portrait mode and can be as narrow as you like",
            excerpt: "A change lets the list stay beside it.",
            age: 7_200, sources: 3),
        EntrySample(title: "Keyboard avoidance", excerpt: "Fields move up when it appears.", age: 3 * 86_400),
        EntrySample(
            title: "The responder chain", excerpt: "An event goes from view to view.", age: 400 * 86_400, isRead: true),
    ]
}
