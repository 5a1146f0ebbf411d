import ModelCore

/// Decides which segment a start shows.
enum StartSegment {
    /// Returns the segment's name: that of the command line, otherwise of the last run in this pane, otherwise the
    /// setting's. By default users with feeds start in Feeds, except on the day of a stage.
    static func name(
        asked: String?, restored: String?, setting: String, hasStageToday: @autoclosure () -> Bool,
        hasFeeds: @autoclosure () -> Bool
    ) -> String {
        if let name = asked ?? restored { return name }
        guard setting == SettingKey<String>.automaticStart else { return setting }
        return (!hasStageToday() && hasFeeds() ? SegmentName.feeds : .stages).rawValue
    }

    /// Whether a user has feeds to read: feeds of their own, or any if there is no race.
    static func hasFeeds(_ addresses: [String], bundled: Set<String>, hasRaces: @autoclosure () -> Bool) -> Bool {
        addresses.contains { !bundled.contains($0) } || !addresses.isEmpty && !hasRaces()
    }
}
