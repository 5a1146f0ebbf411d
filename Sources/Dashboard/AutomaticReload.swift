/// Decides whether tappa reloads automatically.
struct AutomaticReload: Equatable {
    /// The number of minutes between automatic reloads, or 0 if they are off.
    var minutes = 60
    var isReadOnly = false
    /// Whether it is within quiet hours.
    var isQuiet = false
    /// Whether a reload is running.
    var isRunning = false
    /// Whether the user changed the interval, and so wants reloads whatever the feeds are.
    var hasOwnInterval = false
    var hasAccounts = false
    /// The addresses of all subscriptions.
    var addresses: [String] = []
    /// The addresses of the feeds in every new library.
    var bundled: Set<String> = []

    /// Whether the user has added a feed, which doesn't count bundled feeds and the guide, which is a file.
    var hasOwnFeeds: Bool { addresses.contains { !bundled.contains($0) && !$0.hasPrefix("file:") } }

    /// Whether an automatic reload may start now. No server hears of a user who has not added anything.
    var isAllowed: Bool {
        if minutes <= 0 || isReadOnly || isQuiet || isRunning { return false }
        return hasOwnInterval || hasAccounts || hasOwnFeeds
    }
}
