/// A sheet that asks for one line of text.
@MainActor
public final class TextPromptViewController: ViewController {
    private let field = TextField()
    private let message = Label()
    private let results = Label()
    private let onSubmit: (String) -> Void
    private let check: ((String) async -> DisplayText?)?
    private var checking: Task<Void, Never>?
    private let complete: ((String) -> [(text: String, word: DisplayText)])?
    /// The completions that Tab cycles through, and the current one.
    private var candidates: [(text: String, word: DisplayText)] = []
    private var taken: Int?
    private let explanation: DisplayText
    /// The initial text.
    private let original: String

    /// What was entered before, for the keys that go back to it; `nil` for passwords.
    private var history: PromptHistory? {
        field.isSecure ? nil : viewIfLoaded?.window?.presented.history(of: title)
    }
    private lazy var walk = history.map { PromptHistoryWalk($0) }
    /// What the user looks for in the history.
    private var wanted = ""

    /// The number of lines reserved for ``preview`` below the field.
    public var previewLines = 0
    /// What the text leads to, such as the first hits of a search.
    public var preview: [TextParagraph] {
        get { results.paragraphs }
        set {
            results.paragraphs = newValue
            viewIfLoaded?.setNeedsLayout()
        }
    }
    /// Called with the text after each change.
    public var onChange: (String) -> Void = { _ in }
    /// Called when the prompt was submitted or cancelled.
    public var onClose: () -> Void = {}

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - title: The question in the border.
    ///   - message: An explanation.
    ///   - text: The initial text. It is selected, so that typing replaces it; a key that moves the cursor keeps it.
    ///   - placeholder: The text shown while the field is empty.
    ///   - isSecure: Whether dots replace the typed text.
    ///   - validate: Returns the error in a text, which is shown while the prompt stays.
    ///   - check: Like `validate`, for checks that take time, such as a request. The prompt stays open meanwhile;
    ///     typing and Esc still work.
    ///   - complete: Returns completions as whole texts with their new words. These replace the message, and Tab cycles
    ///     through them.
    ///   - onSubmit: Called with the text on Enter. Esc closes the prompt without a call.
    public init(
        title: DisplayText, message: DisplayText, text: String = "",
        placeholder: DisplayText = .empty, isSecure: Bool = false,
        validate: @escaping (String) -> DisplayText? = { _ in nil },
        check: ((String) async -> DisplayText?)? = nil,
        complete: ((String) -> [(text: String, word: DisplayText)])? = nil, onSubmit: @escaping (String) -> Void
    ) {
        self.onSubmit = onSubmit
        self.check = check
        self.complete = complete
        explanation = message
        original = text
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
        popoverPresentationController.delegate = self
        self.message.paragraphs = [TextParagraph(message, .secondary)]
        field.text = text
        field.selectAll()
        field.placeholder = placeholder
        field.isSecure = isSecure
        field.validate = validate
    }

    /// The prompt has its own items to close it.
    public override var hasDoneItem: Bool { false }

    /// Creates the view.
    public override func makeView() -> View {
        FittingView { [weak self] limit in
            guard let self else { return limit }
            let width = min(self.previewLines > 0 ? 80 : 60, limit.width)
            let fieldHeight = self.field.sizeThatFits(Size(width: width - 2, height: .max)).height
            return Size(width: width, height: 3 + fieldHeight + self.previewLines)
        }
    }

    /// Places message, field and preview.
    public override func viewWillLayoutSubviews() {
        let bounds = view.bounds
        let width = bounds.width - 2
        let lines = min(message.sizeThatFits(bounds.inset(left: 1, right: 1).size).height, max(0, bounds.height - 1))
        message.frame = Rect(x: 1, y: 0, width: width, height: lines)
        let height = field.sizeThatFits(Size(width: width, height: bounds.height)).height
        let top = max(0, min(bounds.height - height, lines + 1))
        field.frame = Rect(x: 1, y: top, width: width, height: height)
        let below = top + height + 1
        results.frame = Rect(x: 1, y: below, width: width, height: bounds.height - below)
    }

    /// Adds message and field.
    public override func viewDidLoad() {
        for subview in [message, field, results] { view.addSubview(subview) }
        toolbarItems = [
            BarButtonItem("accept", key: "enter", priority: 1) { [weak self] in self?.field.submit() },
            BarButtonItem(PromptCommands.close, title: "cancel"),
        ]
        field.onOverflow = { [weak self] count in
            let text = DisplayText("The last \(count) characters did not fit and were removed.")
            self?.tell(TextParagraph(text, .failure))
        }
        field.onSubmit = { [weak self] in self?.submit($0) }
        field.onChange = { [weak self] text in
            guard let self else { return }
            self.wanted = text
            self.walk = self.history.map { PromptHistoryWalk($0) }
            self.onChange(text)
            if self.complete != nil { self.updateCandidates() }
        }
        guard complete != nil else { return }
        field.onTab = { [weak self] in self?.takeCandidate() }
    }

    private func updateCandidates() {
        candidates = complete?(field.text) ?? []
        taken = nil
        showCandidates()
    }

    private func showCandidates() {
        guard !candidates.isEmpty else { return tell(TextParagraph(explanation, .secondary)) }
        var words = DisplayText.empty
        for (index, candidate) in candidates.enumerated() {
            let word = index == taken ? "▸" + candidate.word : candidate.word
            if index > 0, words.columns + word.columns > TextPromptViewController.maximumColumns {
                words = words + " …"
                break
            }
            words = words + (index > 0 ? "  " : "") + word
        }
        tell(TextParagraph("⇥ " + words, .secondary))
    }

    /// The maximum width of the shown completions.
    private static let maximumColumns = 50

    private func takeCandidate() {
        if candidates.isEmpty { candidates = complete?(field.text) ?? [] }
        guard !candidates.isEmpty else { return }
        let next = taken.map { ($0 + 1) % candidates.count } ?? 0
        taken = next
        field.text = candidates[next].text
        showCandidates()
        // A single completion was accepted, so the next Tab completes what follows.
        if candidates.count == 1 { candidates = [] }
    }

    private func submit(_ text: String) {
        guard let check else { return finish(text) }
        checking?.cancel()
        tell(TextParagraph("Checking …", .secondary))
        checking = Task { [weak self] in
            let problem = await check(text)
            guard let self, !Task.isCancelled else { return }
            let isUnchanged = self.field.text == text
            if isUnchanged, problem == nil { return self.finish(text) }
            self.tell(TextParagraph(self.explanation, .secondary))
            guard isUnchanged, let problem else { return }
            self.field.show(problem: problem)
            self.view.setNeedsLayout()
        }
    }

    private func tell(_ paragraph: TextParagraph) {
        message.paragraphs = [paragraph]
        view.setNeedsLayout()
    }

    private func recall(_ step: Int, containing word: String = "") {
        guard let text = walk?.step(step, from: field.text, containing: word) else {
            return tell(TextParagraph(step < 0 ? "No earlier text." : "No later text.", .secondary))
        }
        field.text = text
        onChange(text)
        tell(TextParagraph(explanation, .secondary))
    }

    private func finish(_ text: String) {
        history?.add(text)
        dismiss()
        onSubmit(text)
    }

    /// Cancels a running check.
    public override func viewDidDisappear() {
        checking?.cancel()
        onClose()
    }

    /// The keys that cancel, and that go back to earlier texts.
    public override var commands: [Command] {
        let close = Command(PromptCommands.close) { [weak self] in self?.dismiss() }
        let hasHistory = history?.texts.isEmpty == false
        return [
            close,
            Command(PromptCommands.earlier, isEnabled: hasHistory) { [weak self] in self?.recall(-1) },
            Command(PromptCommands.later, isEnabled: hasHistory) { [weak self] in self?.recall(1) },
            Command(PromptCommands.search, isEnabled: hasHistory) { [weak self] in
                if let self { self.recall(-1, containing: self.wanted) }
            },
        ]
    }
}

extension TextPromptViewController: PopoverPresentationControllerDelegate {
    /// A click outside never discards typed text.
    public func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool {
        if field.text == original { return true }
        let keyMap = window?.keyMap ?? KeyMap()
        let take = keyMap.label(of: "enter").string
        let key = keyMap.label(for: PromptCommands.close)?.string ?? "esc"
        tell(TextParagraph(DisplayText("\(take) accepts what you typed, \(key) discards it."), .secondary))
        return false
    }
}
