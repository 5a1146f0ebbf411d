import Feeds
import TerminalUI

/// Creates a rule from an entry: asks which entries match, what to do with them, and whether to apply it to existing
/// entries. The last question is also asked for other rules.
@MainActor
struct RuleMaker {
    let services: RuleServices
    weak var presenter: ViewController?
    /// The titles of the commands that the user defined, which a rule can run.
    var userCommands: [DisplayText] = []

    private var access: LibraryAccess { services.access }

    func begin(with entry: EntryDetail) {
        let proposals = RuleProposal.all(for: entry)
        let queries = proposals.map { try? SearchQuery($0.query) }
        access.ask({ library in
            try queries.map { query in try query.map { try library.search.entries(matching: $0, limit: 0).count } }
        }) { counts in
            let choices = zip(proposals, counts).map { proposal, count in
                Choice(DisplayText(proposal.title), note: count.map { DisplayText("\($0) here") } ?? .empty) {
                    askForAction(proposal.query)
                }
            }
            let own = Choice("Another query …") { askForQuery(proposals.first?.query ?? "") }
            presenter?.present(
                CommandPaletteViewController(title: "Which entries?", choices: choices + [own], hasField: false))
        }
    }

    private func askForQuery(_ text: String) {
        presenter?.present(access.queryPrompt(title: "Which entries?", text: text) { askForAction($0) })
    }

    private func askForAction(_ query: String) {
        var choices = Rule.Action.plain.map { action in
            Choice(DisplayText(action.title)) { askForName(query, action) }
        }
        choices.append(
            Choice("Tag …") {
                presenter?.present(
                    TextPromptViewController(title: "Tag", message: "One word") { tag in
                        if let action = RuleMaker.tagging(tag) { askForName(query, action) }
                    })
            })
        for title in userCommands {
            choices.append(Choice("Run " + title) { askForName(query, .run(title.string)) })
        }
        presenter?.present(
            CommandPaletteViewController(title: "Action for new entries", choices: choices, hasField: false))
    }

    /// Returns the action that adds a tag, with typed spaces replaced, or `nil` if nothing was typed.
    static func tagging(_ text: String) -> Rule.Action? { text.isEmpty ? nil : .tag(text.replacing(" ", with: "-")) }

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
        guard rule.then.contains(where: \.isOfLibrary) else { return }
        access.ask({ try $0.search.entries(matching: rule.when, limit: 0).count }) { count in
            guard count > 0 else { return }
            presenter?.present(alert(no: "No", yes: "Yes", for: rule, count: count))
        }
    }

    /// Asks whether to apply a rule to existing entries.
    func offer(_ rule: Rule, stored: @escaping @MainActor () -> Void) {
        access.ask({ try $0.search.entries(matching: rule.when, limit: 0).count }) { count in
            presenter?.present(alert(no: "Cancel", yes: "Apply", for: rule, count: count, stored: stored))
        }
    }

    /// - Parameter count: The number of existing entries that match.
    private func alert(
        no: DisplayText, yes: DisplayText, for rule: Rule, count: Int, stored: @escaping @MainActor () -> Void = {}
    ) -> AlertController {
        let actions = rule.then.map(\.text).joined(separator: ", ")
        let alert = AlertController(
            title: "Apply to existing entries?",
            message: DisplayText(
                "\(count.counted("entry matches", "entries match")): \(actions). \(access.status.key(ProgramCommands.undo)) undoes this."
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
