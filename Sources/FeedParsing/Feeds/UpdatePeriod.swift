/// How often a feed changes (RSS 1.0's syndication module, `sy:updatePeriod` and `sy:updateFrequency`).
struct UpdatePeriod: Hashable, Sendable {
    /// The name of the period, such as "hourly".
    var name: String?
    /// How often the feed changes in the period.
    var frequency: Int?

    private static let hours = ["hourly": 1, "daily": 24, "weekly": 7 * 24, "monthly": 30 * 24, "yearly": 365 * 24]

    /// The number of minutes between changes, or `nil` if the feed states no period that is known.
    var pause: Int? {
        // Without a name the module means a day.
        guard name != nil || frequency != nil, let hours = UpdatePeriod.hours[name?.lowercased() ?? "daily"] else {
            return nil
        }
        return hours * 60 / max(1, frequency ?? 1)
    }
}
