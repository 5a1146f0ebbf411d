/// A view in which text can be found: a list, a data table, a text.
@MainActor
protocol FindableView: View {
    /// Whether there is something to look through.
    var canFind: Bool { get }
    /// Notes the place from which one looks.
    func notePlace()
    /// Goes back there.
    func returnToPlace()
    /// Goes to where a text stands next, from the present place for a step of 0, else beyond it or before it.
    func find(_ text: String, step: Int)
}

/// Finds what is typed in a view, while it is typed (row TAB-05).
@MainActor
final class Finder {
    /// The text that is looked for.
    private(set) var text = ""
    /// Whether it is being typed: then the field takes the last line of the view.
    private(set) var isTyping = false
    private unowned let view: any FindableView

    /// The field that the text is typed into.
    private lazy var field: TextField = {
        let field = TextField()
        field.placeholder = "Find"
        // Tab does not leave it for the list.
        field.onTab = {}
        field.onChange = { [weak self] text in
            guard let self else { return }
            self.text = text
            self.view.returnToPlace()
            self.find(step: 0)
        }
        field.onSubmit = { [weak self] _ in self?.endTyping() }
        return field
    }()

    init(_ view: any FindableView) { self.view = view }

    /// Puts the field at the end of the view, if it is there.
    func place() {
        guard isTyping else { return }
        field.frame = Rect(
            x: 1, y: view.bounds.height - 1, width: max(1, view.bounds.width - 2), height: 1)
    }

    private func begin() {
        view.notePlace()
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

    /// Leaves the place as it was before.
    private func cancel() {
        if isTyping { view.returnToPlace() }
        text = ""
        endTyping()
    }

    private func find(step: Int) {
        if !text.isEmpty { view.find(text, step: step) }
        view.setNeedsLayout()
    }

    /// Keys to find something.
    var commands: [Command] {
        let isFinding = isTyping || !text.isEmpty
        return [
            Command(ToolkitCommands.find, isEnabled: !isTyping && view.canFind) { [weak self] in self?.begin() },
            Command(ToolkitCommands.findNext, isEnabled: isFinding) { [weak self] in self?.find(step: 1) },
            Command(ToolkitCommands.findPrevious, isEnabled: isFinding) { [weak self] in self?.find(step: -1) },
            Command(ToolkitCommands.endFind, isEnabled: isFinding) { [weak self] in self?.cancel() },
        ]
    }
}
