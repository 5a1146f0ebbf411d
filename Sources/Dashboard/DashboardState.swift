import TerminalUI

/// What the dashboard showed when it ended, so that it can show it again.
package struct DashboardState: Codable, Hashable, Sendable {
    /// The version of this form; a state of another is passed over.
    package static let currentVersion = 1

    package var version = DashboardState.currentVersion
    /// The segment: stages, feeds or settings.
    package var segment: String
    package var stages: StageState?
    package var feeds: FeedState?

    /// The chosen stage.
    package struct StageState: Codable, Hashable, Sendable {
        package var race: String
        package var number: Int
        package var isDetailFocused: Bool
    }

    /// The open list and entry.
    package struct FeedState: Codable, Hashable, Sendable {
        /// The address of a subscription, or the name of a built-in list.
        package var list: String
        package var selectedEntry: Int64?
        package var openEntry: Int64?
        /// The line being read.
        package var paragraph: Int
        package var offset: Int
        package var isDetailFocused: Bool
        /// Whether keys went to the list of feeds, with the entries beside it; states of former versions do not say so.
        package var isFeedListFocused: Bool?
    }

    package init(segment: String) { self.segment = segment }
}
