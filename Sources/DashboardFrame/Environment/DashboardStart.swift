import ModelCore

/// How the dashboard starts.
package struct DashboardStart {
    /// The name of the first segment, or `nil` for the setting's.
    package var segment: String?
    /// The place to show first, or `nil` for that of the last run.
    package var place: Place?
    /// The state when the program last quit in this pane, if known.
    package var state: DashboardState?
    /// Errors from before the dashboard appears, to show in it.
    package var problems: [String] = []
    /// The addresses of the feeds in a new library.
    package var bundledFeeds: Set<String> = []
    /// Releases memory that only the start needed.
    package var release: @MainActor () -> Void = {}

    package init() {}
}
