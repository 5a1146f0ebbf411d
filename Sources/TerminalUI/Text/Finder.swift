/// A view with searchable text: a list, a data table or a text.
@MainActor
protocol FindableView: View {
    /// Whether there is something to search.
    var canFind: Bool { get }
    /// Returns an action that returns to the current position.
    func rememberPlace() -> () -> Void
    /// Moves to the next occurrence of a text: from the current position for a step of 0, otherwise after or before it.
    func find(_ text: String, step: Int)
}

/// Searches a view while the user types (row TAB-05).
@MainActor
final class Finder {
    /// The searched text.
    private(set) var text = ""
    /// Whether the user is typing. Then the search field occupies the last line of the view.
    private(set) var isTyping = false
    private unowned let view: any FindableView
    /// Returns to the position where the search started.
    private var returnToStart: () -> Void = {}

    /// The search field.
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

    init(_ view: any FindableView) { self.view = view }

    /// Places the field at the end of the view, if it is shown.
    func place() {
        guard isTyping else { return }
        field.frame = Rect(
            x: 1, y: view.bounds.height - 1, width: max(1, view.bounds.width - 2), height: 1)
    }

    private func begin() {
        returnToStart = view.rememberPlace()
        field.text = ""
        text = ""
        isTyping = true
        view.addSubview(field)
        view.window?.focus(field)
    }

    private func endTyping() {
        isTyping = false
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
        if !text.isEmpty { view.find(text, step: step) }
        view.setNeedsLayout()
    }

    /// The keys for searching.
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
