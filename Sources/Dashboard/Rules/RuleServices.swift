import Feeds

/// What screens with rules use: the library, dates, and the configuration that new rules are written to.
@MainActor
final class RuleServices {
    let access: LibraryAccess
    let appearance: Appearance
    /// Writes a rule to a file of the configuration and returns its path.
    let keepRule: @MainActor (Rule) throws -> String
    private(set) weak var router: (any DashboardRouter)?

    init(
        access: LibraryAccess, appearance: Appearance, keepRule: @escaping @MainActor (Rule) throws -> String,
        router: any DashboardRouter
    ) {
        self.access = access
        self.appearance = appearance
        self.keepRule = keepRule
        self.router = router
    }
}
