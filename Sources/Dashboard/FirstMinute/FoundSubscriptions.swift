import ModelCore

/// Subscriptions of another program that were found on this machine.
package struct FoundSubscriptions: Sendable {
    /// The program, or the file.
    package var name: String
    package var list: [NewSubscription]

    package init(name: String, list: [NewSubscription]) {
        self.name = name
        self.list = list
    }
}
