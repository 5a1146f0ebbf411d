import DashboardFrame
import Feeds

extension DashboardState {
    /// The open list and entry, or the selected list.
    package struct FeedState: Codable, Hashable, Sendable {
        /// The text of the list's place, or the name of a list of feeds.
        package var list: String
        var selectedEntry: EntryID?
        var openEntry: EntryID?
        /// The paragraph at the reading position.
        package var paragraph: Int
        package var offset: Int
        var isDetailFocused: Bool
        /// Whether the list of feeds had the focus beside the entries.
        var isFeedListFocused: Bool?
        /// Whether the list was open, not only selected.
        var isListOpen: Bool?
    }
}
