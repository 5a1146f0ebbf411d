/// Decides whether tappa fetches feeds without being asked to, and how often.
struct AutomaticReload: Equatable {
    /// Whether nothing could be stored.
    var isReadOnly = false
    /// Whether the present is in the quiet hours.
    var isQuiet = false
    /// Whether a reload runs already.
    var isRunning = false
    /// Whether the interval is other than the default: then the user wants reloads, whatever the feeds are.
    var hasOwnInterval = false
    /// Whether the user has an account on a server.
    var hasAccounts = false
    /// The addresses of all subscriptions.
    var addresses: [String] = []
    /// The addresses of the feeds that every new library begins with.
    var bundled: Set<String> = []

    /// Whether the user has added a feed: neither a bundled one nor the guide, which is a file.
    var hasOwnFeeds: Bool { addresses.contains { !bundled.contains($0) && !$0.hasPrefix("file:") } }

    /// Whether a reload may begin now. No server hears of a user who has not asked for anything yet.
    var isAllowed: Bool {
        if isReadOnly || isQuiet || isRunning { return false }
        return hasOwnInterval || hasAccounts || hasOwnFeeds
    }

    /// The pause between two reloads; `nil`: tappa never reloads by itself.
    ///
    /// - Parameter minute: The length of a minute, shorter in tests.
    static func pause(minutes: Int, minute: Duration = .seconds(60)) -> Duration? {
        minutes > 0 ? minute * minutes : nil
    }
}
