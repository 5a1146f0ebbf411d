/// What the welcome sheet offers to import.
package struct WelcomeOffers {
    /// Whether this is the first start with the library, so that the welcome sheet is shown.
    package var isFirstStart = false
    /// Finds subscriptions of other programs on this machine.
    package var find: @Sendable () async -> [DiscoveredSubscriptions] = { [] }
    /// Imports another program's file and the files beside it. It returns a line for each result, or `nil` on failure.
    package var importFile: (@Sendable (_ path: String) async -> [String]?)?
}
