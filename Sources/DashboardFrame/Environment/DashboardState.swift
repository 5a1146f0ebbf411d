/// The state of the dashboard when it quit, to be restored at the next start.
package struct DashboardState: Codable, Hashable, Sendable {
    /// The version of this format. States of other versions are ignored.
    package static let currentVersion = 3

    package var version = DashboardState.currentVersion
    /// Whether this version can restore the state.
    package var isCurrent: Bool { version == DashboardState.currentVersion }
    /// The name of the segment.
    package var segment: String
    /// The state of each segment as JSON text, by segment name.
    package var roots: [String: String] = [:]

    package init(segment: String) { self.segment = segment }
}
