import CommonTesting
import TerminalUI
import TerminalUIExtras
import TerminalUITesting
import Testing

@testable import Gallery

/// Each view and controller, in each presentation, is laid out and drawn at every size from 0x0 (row POP-03).
@MainActor
@Suite(.serialized) struct EverySize {
    enum Style: CaseIterable, Sendable { case alone, inSplitView, popover, sheet, fullScreen }

    private static let log = LifeCycleLog()

    private struct Candidate {
        let name: String
        let make: @MainActor () -> ViewController
    }

    /// The presented candidates.
    private static let candidates: [Candidate] = {
        let pages = (Pages.controls + Pages.containers).map { Candidate(name: $0.title.string, make: $0.make) }
        let help = ToolkitCommands.all.prefix(12).map { definition in (Command(definition) {}, definition.keys) }
        return pages + [
            Candidate(name: "Alert alone") { alert },
            Candidate(name: "Prompt alone") {
                TextPromptViewController(title: "Name", message: "Words that explain it.", text: "東京 text") { _ in }
            },
            Candidate(name: "Palette") {
                CommandPaletteViewController(title: "Palette", choices: choices, hasField: true)
            },
            Candidate(name: "Menu alone") {
                CommandPaletteViewController(title: "Menu", choices: choices, hasField: false)
            },
            Candidate(name: "Help") { HelpViewController(commands: help) },
            Candidate(name: "Rows") { LoggedController("Rows", log: log, rows: 30) },
            Candidate(name: "Status") { HostController(statusLine) },
            Candidate(name: "Text") { HostController(textView) },
            Candidate(name: "Gallery") { GalleryNavigation().navigation },
        ]
    }()
    /// The number of candidates, for the arguments of tests.
    nonisolated private static let count = 25

    private static var alert: AlertController {
        let alert = AlertController(title: "Remove the town?", message: "It can be put back.")
        alert.details = ["A detail", "Another"]
        alert.actions = [AlertAction("Cancel", role: .cancel), AlertAction("Remove", role: .destructive)]
        return alert
    }

    private static let choices = [Choice("One") {}, Choice("Two", note: "x") {}, Choice("A longer choice") {}]

    private static var statusLine: StatusLine {
        let line = StatusLine()
        line.show("A message")
        return line
    }

    private static var textView: TextView {
        let view = TextView()
        view.setParagraphs((1...30).map { TextParagraph(DisplayText("Paragraph \($0) with 東京 in it.")) })
        return view
    }

    private final class Presenter: ViewController {
        lazy var item = BarButtonItem("Item") {}
        override func viewDidLoad() { toolbarItems = [.flexibleSpace(), item] }
    }

    /// All colours, because dithering to few of them takes most of the time.
    private static let capabilities = TerminalCapabilities(colors: .direct)

    /// Shows a controller in a style.
    private func screen(_ make: () -> ViewController, _ style: Style, _ size: Size) -> TestScreen {
        let controller = make()
        controller.toolbarItems += [BarButtonItem("first", action: {}), BarButtonItem("second", action: {})]
        switch style {
        case .alone: return TestScreen(root: controller, size: size, capabilities: EverySize.capabilities)
        case .inSplitView:
            if controller is NavigationController {
                return TestScreen(root: controller, size: size, capabilities: EverySize.capabilities)
            }
            let split = SplitViewController(primary: controller, placeholder: ContentController(Label("Nothing")))
            split.show(LoggedController("Detail", log: EverySize.log, rows: 3), in: .secondary, takesFocus: false)
            let navigation = NavigationController(rootViewController: split)
            navigation.hasRule = true
            return TestScreen(root: navigation, size: size, capabilities: EverySize.capabilities)
        case .popover, .sheet, .fullScreen:
            let presenter = Presenter()
            let screen = TestScreen(
                root: NavigationController(rootViewController: presenter), size: size,
                capabilities: EverySize.capabilities)
            controller.modalPresentationStyle =
                style == .popover ? .popover : style == .sheet ? .sheet : .fullScreen
            controller.popoverPresentationController.barButtonItem = presenter.item
            controller.popoverPresentationController.sourceView = presenter.view
            screen.present(controller, over: presenter)
            return screen
        }
    }

    @Test(arguments: 0..<count, Style.allCases)
    func POP_03_resizesToEverySize(index: Int, style: Style) {
        var generator = SeededGenerator(seed: UInt64(index))
        let screen = screen(EverySize.candidates[index].make, style, Size(width: 70, height: 20))
        // The content has the same sizes in a box as in a pane.
        let fault = screen.fault(
            atEverySizeAnd: style == .alone ? 200 : 20, share: style == .alone ? 1 : 4, using: &generator)
        #expect(fault == nil, "\(EverySize.candidates[index].name), \(style): \(fault ?? "")")
        if style != .alone, style != .inSplitView { #expect(screen.application.window.presentedViewController != nil) }
    }

    @Test(arguments: 0..<count) func POP_03_opensAtEverySize(index: Int) {
        for (width, height) in [(0, 0), (0, 12), (12, 0), (1, 1), (1, 12), (12, 1), (2, 3), (3, 2), (12, 12)] {
            for style in Style.allCases {
                let screen = screen(EverySize.candidates[index].make, style, Size(width: width, height: height))
                screen.resize(70, 20)
                #expect(!screen.text.isEmpty)
            }
        }
    }

    /// A new view must be among the candidates.
    @Test func triesEveryViewClass() throws {
        #expect(EverySize.candidates.count == EverySize.count)
        var seen: Set<String> = []
        for controller in EverySize.candidates {
            for style in [Style.inSplitView, .sheet] {
                let screen = screen(controller.make, style, Size(width: 70, height: 20))
                seen.formUnion(screen.classesOfViews)
                screen.press("space")
                seen.formUnion(screen.classesOfViews)
            }
        }
        // Two are base classes; SaysWhatItCannotFind tests the notice, ShowsCurrentEvents the line above segments.
        let others: Set<String> = ["Control", "ScrollView", "Notice", "AccessoryLine"]
        for (module, bases, count) in [
            ("TerminalUI", ["View"], 20), ("TerminalUIExtras", ["View", "TableView"], 10), ("Gallery", ["View"], 1),
        ] {
            let declared = try bases.map { try SourceClasses.names(of: module, descendingFrom: $0) }
                .reduce(into: Set()) { $0.formUnion($1) }
            #expect(declared.subtracting(seen).subtracting(others).isEmpty)
            #expect(declared.count >= count)
        }
    }
}
