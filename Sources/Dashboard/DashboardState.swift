import Foundation
import TerminalUI

/// What the dashboard showed when it ended, so that it can show it again.
package struct DashboardState: Codable, Hashable, Sendable {
    /// The version of this form; a state of another is passed over.
    package static let currentVersion = 2

    package var version = DashboardState.currentVersion
    /// Whether a start can show it.
    var isCurrent: Bool { version == DashboardState.currentVersion }
    /// The name of the segment.
    package var segment: String
    /// What each segment's room has told, as JSON text, by the segments' names.
    package var roots: [String: String] = [:]

    /// The chosen stage.
    package struct StageState: Codable, Hashable, Sendable {
        package var race: String
        package var number: Int
        package var isDetailFocused: Bool
        /// The day on which it was chosen, in days since 1970: on another one today's stage comes first.
        package var day: Int64?
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
        /// Whether keys went to the list of feeds, with the entries beside it; states of previous versions do not say so.
        package var isFeedListFocused: Bool?
    }

    package init(segment: String) { self.segment = segment }

    private enum CodingKeys: String, CodingKey { case version, segment, roots = "rooms", stages, feeds }

    /// Reads a state; the first version had a place of its own for each of two segments.
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
