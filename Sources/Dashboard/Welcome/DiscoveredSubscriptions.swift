import ModelCore

/// Subscriptions of another program that were found on this machine.
package struct DiscoveredSubscriptions: Sendable {
    /// The program, or the file.
    package var name: String
    package var list: [NewSubscription]
    /// The file that they are from, where more than the feeds can come from there.
    package var path: String?

    package init(name: String, list: [NewSubscription], path: String? = nil) {
        self.name = name
        self.list = list
        self.path = path
    }
}
