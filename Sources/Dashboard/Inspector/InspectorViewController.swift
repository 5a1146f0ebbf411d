import DashboardFrame
import LibraryKernel
import ModelCore
import TerminalUI

/// The facts about what is open or selected: in a column at the right of wide panes, and otherwise in a popover (row
/// SPL-16a).
@MainActor
final class InspectorViewController: ViewController {
    private let textView = TextView()
    private let access: LibraryAccess
    private let find: @MainActor () -> ShownPlace?
    private var subject: AnyHashable?
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    var sizeDidChange: () -> Void = {}

    /// - Parameter find: Returns what has the focus.
    init(access: LibraryAccess, find: @escaping @MainActor () -> ShownPlace?) {
        self.access = access
        self.find = find
        super.init()
        title = "Inspector"
        modalPresentationStyle = .popover
        toolbarItems = [BarButtonItem(ProgramCommands.closePopover, title: "close")]
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        textView.maximumColumns = SideColumn.columns
        observations = [.entries, .races, .subscriptions, .spoilers].map { part in
            access.library.observe(part) { [weak self] in self?.refresh.schedule { [weak self] in self?.renew() } }
        }
        show()
    }

    override func willTransition(to size: Size) {
        super.willTransition(to: size)
        window?.transitionCoordinator?.onCompletion { [weak self] _ in self?.sizeDidChange() }
    }

    /// Follows the selection.
    override func viewWillLayoutSubviews() { show() }

    /// Shows what has the focus if it is another. While a prompt has the focus, the facts stay.
    private func show() {
        guard let found = find(), found.subject != subject else { return }
        renew()
    }

    private func renew() {
        guard let found = find() else { return }
        subject = found.subject
        let facts = found.facts()
        textView.setParagraphs(
            facts.isEmpty ? [TextParagraph("There is nothing to say about this.", .secondary)] : facts,
            keepsPlace: true)
    }

    override var commands: [Command] {
        [Command(ProgramCommands.closePopover) { [weak self] in self?.dismiss() }]
    }
}
