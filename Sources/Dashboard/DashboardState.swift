import Foundation
import TerminalUI

/// The state of the dashboard when it quit, to be restored at the next start.
package struct DashboardState: Codable, Hashable, Sendable {
    /// The version of this format. States of other versions are ignored.
    package static let currentVersion = 2

    package var version = DashboardState.currentVersion
    /// Whether this version can restore the state.
    var isCurrent: Bool { version == DashboardState.currentVersion }
    /// The name of the segment.
    package var segment: String
    /// The state of each segment as JSON text, by segment name.
    package var roots: [String: String] = [:]

    /// The selected stage.
    package struct StageState: Codable, Hashable, Sendable {
        package var race: String
        package var number: Int
        package var isDetailFocused: Bool
        /// The day on which it was selected, in days since 1970. On another day today's stage is selected.
        package var day: Int64?
    }

    /// The open list and entry.
    package struct FeedState: Codable, Hashable, Sendable {
        /// The address of a subscription, or the name of a built-in list.
        package var list: String
        package var selectedEntry: Int64?
        package var openEntry: Int64?
        /// The paragraph at the reading position.
        package var paragraph: Int
        package var offset: Int
        package var isDetailFocused: Bool
        /// Whether the list of feeds had the focus beside the entries. States of earlier versions don't contain it.
        package var isFeedListFocused: Bool?
    }

    package init(segment: String) { self.segment = segment }

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
