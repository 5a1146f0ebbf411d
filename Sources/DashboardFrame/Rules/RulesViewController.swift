import Feeds
import LibraryKernel
import TerminalUI

/// The rules in the configuration, with their number of matches. A rule can be tried, applied and undone.
@MainActor
package final class RulesViewController: SheetListViewController<Rule> {
    private let services: RuleServices
    private var access: LibraryAccess { services.access }
    /// The number of changes before the sheet, which it doesn't undo.
    private let changesBefore: Int
    private var tallies: [String: RuleTally] = [:]
    /// The number of last month's entries that each rule would have matched.
    private var lastMonth: [String: Int] = [:]
    private var counting: BackgroundRead?

    package init(services: RuleServices) {
        self.services = services
        changesBefore = services.access.changes.stepCount
        let emptyText = DisplayText(
            "No rules. \(services.access.status.key(RuleCommands.makeRule)) on an entry creates one. Rules are in the configuration file, as [[rules]]."
        )
        super.init(title: "Rules", emptyText: emptyText, width: 76)
        toolbarItems = [
            BarButtonItem(ListCommands.open, title: "show", priority: 2),
            BarButtonItem(RuleCommands.applyRule, title: "apply", priority: 1),
            BarButtonItem(RuleCommands.undoRule, title: "undo", priority: 1),
        ]
    }

    package override func viewWillAppear() { countLastMonth() }

    package override func viewDidDisappear() {
        super.viewDidDisappear()
        counting = nil
    }

    package override func readItems() -> [Rule] {
        tallies = access.read([:]) { try $0.ruleTallies() }
        return access.library.rules
    }

    private func countLastMonth() {
        let (rules, since) = (items, access.clock() - 30 * 86_400)
        counting = access.read({ library in
            try rules.reduce(into: [String: Int]()) { counts, rule in
                counts[rule.name] = try library.search.entries(matching: rule.when, since: since, limit: 0).count
            }
        }) { [weak self] counts in
            self?.lastMonth = counts
            self?.table.reloadData()
        }
    }

    package override func identifier(of rule: Rule) -> AnyHashable? { rule.name }

    package override func height(of rule: Rule, isSelected: Bool) -> Int { 2 }

    package override func cell(for rule: Rule) -> TableViewCell {
        let tally = tallies[rule.name] ?? RuleTally()
        let cell = table.dequeueCell(style: .subtitle)
        cell.title = DisplayText(rule.name)
        let month = lastMonth[rule.name].map { " · \($0) in 30 days" } ?? ""
        let last = tally.last.map { ", " + services.appearance.dates.short($0).string } ?? ""
        cell.value = DisplayText("\(tally.matches) matches\(last)\(month)").truncated(to: 44)
        if let error = tally.error {
            cell.detail = RowSign.failure.before(DisplayText(error), isLinear: table.symbols.isLinear)
            cell.detailRole = .failure
        } else {
            let then = table.symbols.isLinear ? "then" : "→"
            cell.detail = DisplayText("\(rule.when.text) \(then) \(rule.then.map(\.text).joined(separator: ", "))")
        }
        return cell
    }

    package override func activate(_ rule: Rule) {
        dismiss()
        services.router?.showSearch(rule.when, named: rule.name)
    }

    private func apply(_ rule: Rule) {
        RuleMaker(services: services, presenter: self).offer(rule) { [weak self] in self?.load() }
    }

    package override var commands: [Command] {
        let rule = selected
        return [
            Command(RuleCommands.applyRule, isEnabled: rule.map { $0.then.contains(where: \.isOfLibrary) } ?? false) {
                [weak self] in
                if let rule { self?.apply(rule) }
            },
            Command(RuleCommands.undoRule, isEnabled: rule.map { (tallies[$0.name]?.undoable ?? 0) > 0 } ?? false) {
                [weak self] in
                guard let self, let rule else { return }
                self.access.changes.submit(.undoRule(rule.name)) { [weak self] _ in self?.load() }
            },
            access.changes.undoCommand(since: changesBefore),
            Command(RuleCommands.closeRules) { [weak self] in self?.dismiss() },
        ]
    }
}
