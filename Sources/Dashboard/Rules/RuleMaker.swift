import ModelCore
import TerminalUI

/// Creates a rule from an entry: asks which entries match, what to do with them, and whether to apply it to existing
/// entries. The last question is also asked for other rules.
@MainActor
struct RuleMaker {
    private let services: EntryServices
    private let access: LibraryAccess
    private weak var presenter: ViewController?

    init(services: EntryServices, presenter: ViewController) {
        self.services = services
        access = services.access
        self.presenter = presenter
    }

    /// Asks which entries the rule should match.
    func begin(with entry: EntryDetail) {
        let proposals = RuleProposal.all(for: entry)
        let choices = proposals.map { proposal in
            Choice(DisplayText(proposal.title), note: note(proposal.query)) { askForAction(proposal.query) }
        }
        let own = Choice("Another query …") { askForQuery(proposals.first?.query ?? "") }
        presenter?.present(
            CommandPaletteViewController(title: "Which entries?", choices: choices + [own], hasField: false))
    }

    private func note(_ text: String) -> DisplayText {
        (try? SearchQuery(text)).map { DisplayText("\(count($0)) here") } ?? .empty
    }

    /// Returns the number of existing entries that match a query.
    private func count(_ query: SearchQuery) -> Int {
        access.read(0) { try $0.search.entries(matching: query, limit: 0).count }
    }

    private func askForQuery(_ text: String) {
        presenter?.present(access.queryPrompt(title: "Which entries?", text: text) { askForAction($0) })
    }

    private func askForAction(_ query: String) {
        var choices = RuleMaker.actions.map { title, action in Choice(title) { askForName(query, action) } }
        choices.append(
            Choice("Tag …") {
                presenter?.present(
                    TextPromptViewController(title: "Tag", message: "One word") { tag in
                        if let action = RuleMaker.tagging(tag) { askForName(query, action) }
                    })
            })
        for command in services.userCommands {
            let name = command.definition.title.string
            choices.append(Choice("Run " + command.definition.title) { askForName(query, .run(name)) })
        }
        presenter?.present(
            CommandPaletteViewController(title: "Action for new entries", choices: choices, hasField: false))
    }

    /// The actions for new entries, apart from tags and user commands.
    static let actions: [(title: DisplayText, action: Rule.Action)] = [
        ("Mark as read", .mark(.read)), ("Archive", .fold), ("Delete", .delete), ("Star", .mark(.starred)),
        ("Read later", .mark(.later)), ("Notify me", .notify), ("Load full text", .fullText),
        ("Download audio or video", .download),
    ]

    /// Returns the action that adds a tag, with typed spaces replaced, or `nil` if nothing was typed.
    static func tagging(_ text: String) -> Rule.Action? { text.isEmpty ? nil : .tag(text.replacing(" ", with: "-")) }

    /// Returns the error in the name of a new rule.
    static func problem(with name: String, known: Set<String>) -> DisplayText? {
        if name.isEmpty || name.count > 60 { return "Enter a name of 1 to 60 characters." }
        return known.contains(name) ? "A rule with this name already exists." : nil
    }

    private func askForName(_ query: String, _ action: Rule.Action) {
        let known = Set(access.library.rules.map(\.name))
        presenter?.present(
            TextPromptViewController(
                title: "New rule", message: "The rule's name", text: "\(action.text): \(query)",
                validate: { RuleMaker.problem(with: $0, known: known) }
            ) { name in keep(name, query, action) })
    }

    private func keep(_ name: String, _ text: String, _ action: Rule.Action) {
        guard let query = try? SearchQuery(text) else { return }
        let rule = Rule(name: name, when: query, then: [action])
        do {
            let path = try services.keepRule(rule)
            access.library.rules.append(rule)
            access.status.show(DisplayText("Active from now on. Stored in \(path)."))
        } catch {
            return access.status.show(failure: error)
        }
        askForPast(rule)
    }

    /// Asks whether to apply the rule to existing entries, and stores it.
    private func askForPast(_ rule: Rule) {
        guard rule.then.contains(where: \.isOfLibrary), count(rule.when) > 0 else { return }
        presenter?.present(alert(title: "Apply to existing entries?", no: "No", yes: "Yes", for: rule))
    }

    /// Asks whether to apply a rule to existing entries.
    func offer(_ rule: Rule, stored: @escaping @MainActor () -> Void) {
        presenter?.present(
            alert(
                title: "Apply to existing entries?", no: "Cancel", yes: "Apply", for: rule, stored: stored))
    }

    private func alert(
        title: DisplayText, no: DisplayText, yes: DisplayText, for rule: Rule,
        stored: @escaping @MainActor () -> Void = {}
    ) -> AlertController {
        let actions = rule.then.map(\.text).joined(separator: ", ")
        let alert = AlertController(
            title: title,
            message: DisplayText(
                "\(count(rule.when).counted("entry matches", "entries match")): \(actions). \(access.status.key(.undo)) undoes this."
            ))
        alert.actions = [
            AlertAction(no, role: .cancel),
            AlertAction(yes) { [access] in
                let last = access.read(0) { try $0.entries.lastID() }
                access.changes.submit(.applyRule(rule, upTo: last, now: access.clock())) { _ in stored() }
            },
        ]
        return alert
    }
}
