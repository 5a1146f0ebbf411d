/// A view with searchable text: a list, a data table or a text.
@MainActor
protocol FindableView: View {
    var canFind: Bool { get }
    /// Returns an action that returns to the current position.
    func rememberPlace() -> () -> Void
    /// Moves to the next occurrence of a text: from the current position for a step of 0, otherwise after or before it.
    ///
    /// - Parameter end: Receives whether there is one, now or later.
    func find(_ text: String, step: Int, end: @escaping (_ isFound: Bool) -> Void)
}

/// Searches a view while the user types (row TAB-05).
@MainActor
final class Finder {
    private(set) var text = ""
    private(set) var isTyping = false
    /// Whether there is no match.
    private var isMissing = false
    private unowned let view: any FindableView
    /// Returns to the position where the search started.
    private var returnToStart: () -> Void = {}

    private lazy var field: TextField = {
        let field = TextField()
        field.placeholder = "Find"
        // Tab must not move from the field to the list.
        field.onTab = {}
        field.onChange = { [weak self] text in
            guard let self else { return }
            self.text = text
            self.returnToStart()
            self.find(step: 0)
        }
        field.onSubmit = { [weak self] _ in self?.endTyping() }
        return field
    }()

    /// Says that there is no match, beside the field or in its place.
    private lazy var notice = Notice()

    init(_ view: any FindableView) { self.view = view }

    /// Whether the last line of the view belongs to the search.
    var occupiesLine: Bool { isTyping || isMissing }

    /// Removes the notice, when the user moves on.
    func dismissNotice() {
        guard isMissing, !isTyping else { return }
        isMissing = false
        view.setNeedsLayout()
    }

    /// Places the field and the notice at the end of the view.
    func place() {
        let (line, width) = (view.bounds.height - 1, max(1, view.bounds.width - 2))
        // Beside the field, as many words as leave room for it.
        let short = Finder.notices.first { $0.columns + Finder.minimumField < width }
        notice.text = isTyping ? short ?? .empty : DisplayText("No match for '\(text)'")
        // In place of the field, it covers the whole line.
        let noticed = isTyping ? min(width, notice.text.columns) : width
        let isBeside = isMissing && isTyping && noticed > 0
        show(notice, isMissing && noticed > 0)
        show(field, isTyping)
        notice.frame = Rect(x: isTyping ? 1 + width - noticed : 1, y: line, width: noticed, height: 1)
        field.frame = Rect(x: 1, y: line, width: isBeside ? width - noticed - 1 : width, height: 1)
    }

    /// The minimum width of a field with a notice beside it, and the notices.
    private static let minimumField = 4
    private static let notices: [DisplayText] = ["No match", "none", "0"]

    private func show(_ part: View, _ isShown: Bool) {
        guard isShown != (part.superview != nil) else { return }
        if isShown { view.addSubview(part) } else { part.removeFromSuperview() }
    }

    /// One line that covers what the view draws there.
    private final class Notice: View {
        var text: DisplayText = .empty

        override func draw(in surface: Surface) {
            surface.clear(style: theme[.text])
            surface.draw(text.truncated(to: bounds.width), at: .zero, style: theme[.failure])
        }
    }

    private func begin() {
        returnToStart = view.rememberPlace()
        field.text = ""
        text = ""
        isMissing = false
        isTyping = true
        view.addSubview(field)
        view.window?.focus(field)
    }

    private func endTyping() {
        isTyping = false
        if text.isEmpty { isMissing = false }
        field.removeFromSuperview()
        view.window?.focus(view)
        view.setNeedsLayout()
    }

    /// Cancels the search and returns to the start.
    private func cancel() {
        if isTyping { returnToStart() }
        text = ""
        endTyping()
    }

    private func find(step: Int) {
        let wanted = text
        isMissing = isMissing && !wanted.isEmpty
        if !wanted.isEmpty {
            view.find(wanted, step: step) { [weak self] isFound in
                guard let self, text == wanted else { return }
                isMissing = !isFound
                view.setNeedsLayout()
            }
        }
        view.setNeedsLayout()
    }

    var commands: [Command] {
        let isFinding = isTyping || !text.isEmpty
        return [
            Command(FindCommands.find, isEnabled: !isTyping && view.canFind) { [weak self] in self?.begin() },
            Command(FindCommands.next, isEnabled: isFinding) { [weak self] in self?.find(step: 1) },
            Command(FindCommands.previous, isEnabled: isFinding) { [weak self] in self?.find(step: -1) },
            Command(FindCommands.end, isEnabled: isFinding) { [weak self] in self?.cancel() },
        ]
    }
}
