import Feeds

/// What screens with rules use: the library, dates, and the configuration that new rules are written to.
@MainActor
package final class RuleServices {
    package let access: LibraryAccess
    package let appearance: Appearance
    /// Writes a rule to a file of the configuration and returns its path.
    package let keepRule: @MainActor (Rule) throws -> String
    package private(set) weak var router: (any DashboardRouter)?

    package init(
        access: LibraryAccess, appearance: Appearance, keepRule: @escaping @MainActor (Rule) throws -> String,
        router: any DashboardRouter
    ) {
        self.access = access
        self.appearance = appearance
        self.keepRule = keepRule
        self.router = router
    }
}
