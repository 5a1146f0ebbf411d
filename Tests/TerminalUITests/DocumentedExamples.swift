import Foundation
import TerminalUI
import TerminalUIExtras
import TerminalUITesting
import Testing

// The code of the article "Views, work and looks of your own", unchanged.

/// A bar for each number, with its value at the right.
final class BarChart: View {
    var values: [Int] = [] { didSet { setNeedsDisplay() } }

    override func sizeThatFits(_ limit: Size) -> Size { Size(width: limit.width, height: values.count) }

    override func draw(in surface: Surface) {
        let maximum = max(1, values.max() ?? 1)
        for (row, value) in values.enumerated() {
            let label = DisplayText("\(value)")
            let width = max(0, bounds.width - label.columns - 1) * value / maximum
            surface.fill(
                Rect(x: 0, y: row, width: width, height: 1), with: symbols.progressDone, style: theme[.accent])
            surface.draw(label, at: Point(x: bounds.width - label.columns, y: row), style: theme[.secondary])
        }
    }
}

/// Counts the words of a file, and says so meanwhile.
final class WordCount: ViewController {
    private let path: String
    private let label = Label()
    private let indicator = ActivityIndicator("Counting")
    private var work: Task<Void, Never>?

    init(path: String) {
        self.path = path
        super.init()
        title = "Words"
    }

    override func viewDidLoad() {
        for child in [label, indicator] as [View] {
            child.frame = Rect(x: 1, y: 0, width: 40, height: 1)
            view.addSubview(child)
        }
        indicator.start()
        work = Task { [weak self, path] in
            let count = await Task.detached { WordCount.words(in: path) }.value
            guard !Task.isCancelled, let self else { return }
            indicator.stop()
            label.paragraphs = [TextParagraph(count.map { $0 + " words" } ?? "It cannot be read.")]
        }
    }

    override func viewDidDisappear() { work?.cancel() }

    private nonisolated static func words(in path: String) -> DisplayText? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return DisplayText(String(text.split(whereSeparator: \.isWhitespace).count))
    }
}

/// Asks for a name and a password.
final class SignIn: ViewController {
    private let name = TextField()
    private let password = TextField()
    var onSubmit: (String, String) -> Void = { _, _ in }

    private lazy var form: FormView = FormView([
        FormView.Row("Name", name), FormView.Row("Password", password),
        FormView.Row(view: Button("Sign in") { [weak self] in self?.submit() }),
    ])

    override func makeView() -> View { form }

    override func viewDidLoad() {
        name.validate = { $0.isEmpty ? "Who are you?" : nil }
        password.isSecure = true
        password.onSubmit = { [weak self] _ in self?.submit() }
    }

    private func submit() {
        if form.check() { onSubmit(name.text, password.text) }
    }
}

@MainActor
func addCommands(of application: Application, save: @escaping @MainActor () -> Void) {
    application.window.globalCommands = { [weak application] in
        [Command("program.quit", "Quit", keys: ["q", "ctrl-c"]) { application?.finish() }]
    }
    application.lifeCycle = { event in
        if case .willFinish = event { save() }
    }
}

@MainActor
func useNightColours(in window: Window) {
    window.theme = Theme(
        name: "night",
        [
            .secondary: Style(attributes: .dim), .accent: Style(foreground: .yellow, attributes: .bold),
            .selection: Style(attributes: .reverse), .failure: Style(foreground: .red, attributes: .bold),
        ])
}

/// Checks the documentation's examples.
@MainActor
@Suite struct DocumentedExamples {
    private static func text(of name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    }

    @Test(arguments: [
        ("OwnViews", "Tests/TerminalUITests/DocumentedExamples.swift"),
        ("GettingStarted", "Sources/Example/main.swift"),
    ])
    func articlesQuoteThisCode(article: String, file: String) throws {
        let code = try DocumentedExamples.text(of: file)
        let words = try DocumentedExamples.text(of: "Sources/TerminalUI/TerminalUI.docc/\(article).md")
        let examples = words.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(!examples.isEmpty)
        for example in examples.prefix(article == "GettingStarted" ? 1 : .max) {
            #expect(code.contains(example.trimmingCharacters(in: .newlines)))
        }
    }

    @Test func drawsBarsByTheirShare() {
        let chart = BarChart()
        chart.values = [1, 2, 4]
        let screen = TestScreen(root: HostController(chart), size: Size(width: 10, height: 3))
        #expect(screen.lines == ["━━       1", "━━━━     2", "━━━━━━━━ 4"])
    }

    @Test func countsWordsOffTheMainThread() async {
        let screen = TestScreen(root: WordCount(path: #filePath), size: Size(width: 40, height: 3))
        #expect(await screen.wait(for: " words"))
    }

    @Test func submitsAValidForm() {
        let page = SignIn()
        var sent: [String] = []
        page.onSubmit = { sent = [$0, $1] }
        let screen = TestScreen(root: page, size: Size(width: 40, height: 6))
        screen.press("tab")
        screen.type("secret", then: "enter")
        #expect(screen.text.contains("Who are you?") && screen.text.contains("••••••") && sent.isEmpty)
        screen.type("me", then: "tab", "tab", "enter")
        #expect(sent == ["me", "secret"])
    }

    @Test func savesAtExit() async {
        let terminal = MemoryTerminal(size: Size(width: 20, height: 3))
        let application = Application(terminal: terminal, root: ViewController())
        var saved = false
        addCommands(of: application) { saved = true }
        useNightColours(in: application.window)
        #expect(application.window.theme.name == "night")
        terminal.events = [.key(KeyPress(.character("q")))]
        #expect(await application.run() == 0 && saved)
    }
}
