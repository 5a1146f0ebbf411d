import Feeds

/// Subscriptions of another program on this machine.
package struct DiscoveredSubscriptions: Sendable {
    /// The name of the program or file.
    package var name: String
    var list: [NewSubscription]
    /// The file to import, if it contains more than feeds.
    var path: String?

    package init(name: String, list: [NewSubscription], path: String? = nil) {
        self.name = name
        self.list = list
        self.path = path
    }
}
