/// A choice in an alert.
@MainActor
public struct AlertAction {
    /// The role of a choice, which determines its style and position.
    public enum Role: Hashable, Sendable {
        /// An ordinary choice.
        case normal
        /// A choice that deletes something.
        case destructive
        /// A choice without effect, which Esc selects.
        case cancel
    }

    /// The title.
    public let title: DisplayText
    /// The role.
    public let role: Role
    let action: () -> Void

    /// Creates a choice.
    public init(_ title: DisplayText, role: Role = .normal, action: @escaping () -> Void = {}) {
        self.title = title
        self.role = role
        self.action = action
    }
}

/// A question or notice in a sheet, with choices in a row below.
///
/// ```swift
/// present(
///     AlertController(title: "Remove the feed?", message: "Its 40 entries are deleted.", confirm: "Remove") { remove() })
/// ```
@MainActor
public final class AlertController: ViewController {
    /// The choices from left to right.
    public var actions: [AlertAction] = []
    /// Additional lines below the question.
    public var details: [DisplayText] = [] { didSet { showMessage() } }
    private let question: DisplayText
    private let message = Label()
    private let row = ChoiceRow()

    /// Creates an alert without choices.
    public init(title: DisplayText, message: DisplayText) {
        question = message
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
        showMessage()
    }

    /// Creates an alert that asks before something is done that the user may not want.
    ///
    /// - Parameters:
    ///   - cancel: The choice that does nothing, which Esc chooses as well.
    ///   - confirm: The choice that performs the action.
    public convenience init(
        title: DisplayText, message: DisplayText, cancel: DisplayText = "Cancel", confirm: DisplayText,
        action: @escaping () -> Void
    ) {
        self.init(title: title, message: message)
        actions = [AlertAction(cancel, role: .cancel), AlertAction(confirm, role: .destructive, action: action)]
    }

    private func showMessage() {
        message.paragraphs =
            [TextParagraph(question)] + (details.isEmpty ? [] : [.blank])
            + details.enumerated().map { TextParagraph($1, $0 == 0 ? .strong : .secondary) }
    }

    /// The choices side by side, or below each other where that is too wide. The selected one is between half blocks.
    private final class ChoiceRow: View {
        var actions: [AlertAction] = []
        var selected = 0 { didSet { setNeedsDisplay() } }
        var choose: (Int) -> Void = { _ in }
        private var placed: [Rect] = []

        override var canBecomeFocused: Bool { true }

        private var columns: Int { actions.reduce(0) { $0 + $1.title.columns + 4 } }

        override func sizeThatFits(_ limit: Size) -> Size {
            Size(width: columns, height: columns > limit.width ? actions.count : 1)
        }

        override func draw(in surface: Surface) {
            placed.removeAll()
            let isStacked = columns > bounds.width && bounds.height >= actions.count
            var column = isStacked ? 0 : max(0, bounds.width - columns)
            for (index, action) in actions.enumerated() {
                let line = isStacked ? index : 0
                if isStacked { column = 0 }
                let label = " " + action.title + " "
                let isSelected = index == selected
                let role: ThemeRole = action.role == .destructive ? .failure : .popover
                let style = isSelected ? theme[.segment] : theme[role]
                let end = column + 1 + label.columns
                surface.draw(label, at: Point(x: column + 1, y: line), style: style)
                if isSelected {
                    surface.draw(symbols.segmentLeft, at: Point(x: column, y: line), style: theme[.accent])
                    surface.draw(symbols.segmentRight, at: Point(x: end, y: line), style: theme[.accent])
                }
                placed.append(Rect(x: column, y: line, width: end + 1 - column, height: 1))
                column = end + 1
            }
        }

        override func handle(_ event: MouseEvent) -> Bool {
            guard case .press(.left) = event.action else { return false }
            if let index = placed.firstIndex(where: { $0.contains(event.location) }) { choose(index) }
            return true
        }
    }

    /// The choices are the only way to close it.
    public override var hasDoneItem: Bool { false }

    /// Creates the view.
    public override func makeView() -> View { FittingView { [weak self] in self?.size($0) ?? $0 } }

    /// Adds message and choices, and selects the first choice that deletes nothing.
    public override func viewDidLoad() {
        view.addSubview(message)
        view.addSubview(row)
        row.actions = actions
        row.selected = actions.firstIndex { $0.role != .destructive } ?? 0
        row.choose = { [weak self] in self?.choose($0) }
    }

    private func size(_ limit: Size) -> Size {
        let width = min(
            limit.width,
            max(
                row.sizeThatFits(limit).width + 2,
                min(52, message.paragraphs.map { $0.spans.reduce(2) { $0 + $1.text.columns } }.max() ?? 0)))
        let inner = Size(width: width - 2, height: limit.height)
        return Size(
            width: width, height: message.sizeThatFits(inner).height + 1 + row.sizeThatFits(inner).height)
    }

    /// Places message and choices.
    public override func viewWillLayoutSubviews() {
        let bounds = view.bounds
        let width = bounds.width - 2
        let height = max(1, min(row.sizeThatFits(Size(width: width, height: bounds.height)).height, bounds.height))
        message.frame = Rect(x: 1, y: 0, width: width, height: bounds.height - height)
        row.frame = Rect(x: 1, y: bounds.height - height, width: width, height: height)
    }

    private func choose(_ index: Int) {
        dismiss()
        if actions.indices.contains(index) { actions[index].action() }
    }

    private func cancel() {
        choose(actions.firstIndex { $0.role == .cancel } ?? -1)
    }

    /// The choice beside the one without effect, or `nil` if there are several.
    private var confirmation: Int? {
        let effective = actions.indices.filter { actions[$0].role != .cancel }
        return effective.count == 1 ? effective[0] : nil
    }

    /// The keys for moving between the choices, choosing one, and answering yes or no.
    public override var commands: [Command] {
        func move(_ step: Int) { row.selected = max(0, min(actions.count - 1, row.selected + step)) }
        return [
            Command(AlertCommands.next) { move(1) },
            Command(AlertCommands.previous) { move(-1) },
            Command(AlertCommands.choose) { [weak self] in
                if let self { self.choose(self.row.selected) }
            },
            Command(AlertCommands.confirm, isEnabled: confirmation != nil) { [weak self] in
                if let self, let index = self.confirmation { self.choose(index) }
            },
            Command(AlertCommands.cancel) { [weak self] in self?.cancel() },
        ]
    }
}
