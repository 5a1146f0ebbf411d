import ModelCore

/// What screens with entries use: the library, the web, enclosures, and the user's commands and rules.
@MainActor
final class EntryServices {
    let access: LibraryAccess
    let appearance: Appearance
    let web: WebServices
    let enclosures: EnclosureServices
    let paneFocus: PaneFocus
    let links: EntryLinksReader
    /// Writes a rule to a file of the configuration and returns its path.
    let keepRule: @MainActor (Rule) throws -> String
    /// The commands for entries that the user defined.
    var userCommands: [EntryCommand]
    private(set) weak var router: (any DashboardRouter)?

    init(
        access: LibraryAccess, appearance: Appearance, web: WebServices, enclosures: EnclosureServices,
        paneFocus: PaneFocus, keepRule: @escaping @MainActor (Rule) throws -> String, userCommands: [EntryCommand],
        router: any DashboardRouter
    ) {
        self.access = access
        self.appearance = appearance
        self.web = web
        self.enclosures = enclosures
        self.paneFocus = paneFocus
        links = EntryLinksReader(access: access)
        self.keepRule = keepRule
        self.userCommands = userCommands
        self.router = router
    }
}
