import Feeds
import Foundation
import TerminalUI

/// The state of the dashboard when it quit, to be restored at the next start.
package struct DashboardState: Codable, Hashable, Sendable {
    /// The version of this format. States of other versions are ignored.
    static let currentVersion = 2

    var version = DashboardState.currentVersion
    /// Whether this version can restore the state.
    var isCurrent: Bool { version == DashboardState.currentVersion }
    /// The name of the segment.
    var segment: String
    /// The state of each segment as JSON text, by segment name.
    var roots: [String: String] = [:]

    /// The selected stage.
    struct StageState: Codable, Hashable, Sendable {
        var race: String
        var number: Int
        var isDetailFocused: Bool
        /// The day on which it was selected, in days since 1970. On another day today's stage is selected.
        var day: Int64?
    }

    /// The open list and entry, or the selected list.
    struct FeedState: Codable, Hashable, Sendable {
        /// The address of a subscription, or the name of a built-in list.
        var list: String
        var selectedEntry: EntryID?
        var openEntry: EntryID?
        /// The paragraph at the reading position.
        var paragraph: Int
        var offset: Int
        var isDetailFocused: Bool
        /// Whether the list of feeds had the focus beside the entries. States of earlier versions don't contain it.
        var isFeedListFocused: Bool?
        /// Whether the list was open, not only selected. States of earlier versions don't contain it.
        var isListOpen: Bool?
    }

    init(segment: String) { self.segment = segment }

    private enum CodingKeys: String, CodingKey { case version, segment, roots = "rooms", stages, feeds }

    /// Decodes a state. Version 1 had separate properties for two segments.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        segment = try container.decode(String.self, forKey: .segment)
        guard version == 1 else {
            roots = try container.decodeIfPresent([String: String].self, forKey: .roots) ?? [:]
            return
        }
        version = DashboardState.currentVersion
        func take(_ name: String, _ state: (some Encodable)?) throws {
            guard let state else { return }
            roots[name] = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        }
        try take("stages", container.decodeIfPresent(StageState.self, forKey: .stages))
        try take("feeds", container.decodeIfPresent(FeedState.self, forKey: .feeds))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(segment, forKey: .segment)
        try container.encode(roots, forKey: .roots)
    }
}
