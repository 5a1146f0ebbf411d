/// What screens with entries use: the library, the web, enclosures, rules and the user's commands.
@MainActor
package final class EntryServices {
    package let access: LibraryAccess
    package let appearance: Appearance
    package let web: WebServices
    package let enclosures: EnclosureServices
    package let paneFocus: PaneFocus
    package let links: EntryLinksReader
    package let rules: RuleServices
    /// The commands for entries that the user defined.
    package var userCommands: [EntryCommand]
    /// Returns a command that passes an entry to a typed command line.
    package let pipe: @MainActor (_ line: String) -> EntryCommand?
    /// The command line that was typed last.
    var lastPiped = ""
    package private(set) weak var router: (any DashboardRouter)?

    package init(
        access: LibraryAccess, appearance: Appearance, web: WebServices, enclosures: EnclosureServices,
        paneFocus: PaneFocus, rules: RuleServices, userCommands: [EntryCommand],
        pipe: @escaping @MainActor (_ line: String) -> EntryCommand? = { _ in nil }, router: any DashboardRouter
    ) {
        self.access = access
        self.appearance = appearance
        self.web = web
        self.enclosures = enclosures
        self.paneFocus = paneFocus
        links = EntryLinksReader(access: access)
        self.rules = rules
        self.userCommands = userCommands
        self.pipe = pipe
        self.router = router
    }
}
