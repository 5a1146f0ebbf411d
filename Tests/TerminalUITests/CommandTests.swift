import TerminalUI
import TerminalUITesting
import Testing

@MainActor
@Suite struct CommandTests {
    private final class Host: ViewController {
        var done: [String] = []
        override func makeView() -> View { Label("host") }
        override var commands: [Command] {
            ["alpha", "beta"].enumerated().map { index, name in
                Command("host.\(name)", DisplayText(name), keys: [index == 0 ? "z a" : "z b"]) { [weak self] in
                    self?.done.append(name)
                }
            }
        }
    }

    private let host = Host()
    private let screen: TestScreen

    init() { screen = TestScreen(root: host, size: Size(width: 50, height: 12)) }

    @Test func showsContinuationsOfAKeySequence() {
        screen.press("z")
        #expect(screen.lines.suffix(2).map { $0.trimmingCharacters(in: .whitespaces) } == ["a alpha", "b beta"])
        screen.press("b")
        #expect(host.done == ["beta"])
        #expect(!screen.text.contains("alpha"))
        screen.press("z", "x")
        #expect(host.done == ["beta"])
        #expect(!screen.text.contains("alpha"))
    }

    @Test func swallowsUnknownSequencesWhole() {
        screen.application.window.keyMap = KeyMap(["host.alpha": ["z a"], "host.beta": ["x"]])
        screen.press("z", "x", "z", "z", "z", "esc")
        #expect(host.done == [])
        screen.press("x", "z", "a")
        #expect(host.done == ["beta", "alpha"])
    }

    @Test func rebindsKeys() {
        screen.application.window.keyMap = KeyMap(["host.alpha": ["f2"]])
        screen.press("z a", "f2")
        #expect(host.done == ["alpha"])
    }

    /// Conditions may need a query, so that only those of the pressed key are asked.
    @Test func asksOnlyThePressedCommandWhetherItIsEnabled() {
        final class Asking: ViewController {
            var log: [String] = []
            override func makeView() -> View { Label("host") }
            override var commands: [Command] {
                ["a", "b", "c"].map { name in
                    let definition = CommandDefinition(
                        "host.\(name)", DisplayText(name), keys: [KeySequence([press(name)])])
                    return Command(
                        definition,
                        isEnabledIf: { [weak self] in
                            self?.log.append(name + "?")
                            return name != "c"
                        },
                        action: { [weak self] in self?.log.append(name) })
                }
            }
            private func press(_ name: String) -> KeyPress { KeyPress(.character(Character(name))) }
        }
        let host = Asking()
        let screen = TestScreen(root: host, size: Size(width: 20, height: 5))
        var obstacle: DisplayText?
        screen.application.window.unusedKey = { obstacle = $1 }
        host.log = []
        screen.press("b")
        #expect(host.log == ["b?", "b"])
        screen.press("c")
        #expect(!host.log.contains("c") && obstacle == "nothing to do now")
    }

    private func showPalette(_ choices: [Choice], on screen: TestScreen) {
        let palette = CommandPaletteViewController(title: "Commands", choices: choices, hasField: true)
        screen.present(palette, over: host)
    }

    @Test func thePaletteFindsAndRunsACommand() {
        let window = screen.application.window
        showPalette(window.availableCommands.map { Choice($0.command) }, on: screen)
        #expect(screen.text.contains("beta"))
        screen.type("alp")
        #expect(!screen.text.contains("beta"))
        screen.press("enter")
        #expect(host.done == ["alpha"])
        #expect(window.presentedViewController == nil)
    }

    /// A title that depends on the state doesn't hide the one in the manual.
    @Test func thePaletteFindsACommandByItsManualTitle() {
        let definition = CommandDefinition("host.star", "Star or unstar", keys: ["s"])
        let choice = Choice(Command(definition, title: "Remove it") { [host] in host.done.append("star") })
        showPalette([choice], on: screen)
        screen.type("unstar", then: "enter")
        #expect(host.done == ["star"])
    }

    /// "move" finds commands that begin so before those that contain it, and enabled ones before disabled ones.
    @Test func thePaletteRanksWordsThatBeginSo() {
        let choices = [
            Choice("Add or remove segment") { [host] in host.done.append("remove") },
            Choice("Move up", note: "this needs a row", isEnabled: false) {},
            Choice("Move to folder", note: "on a feed") { [host] in host.done.append("folder") },
        ]
        showPalette(choices, on: screen)
        screen.type("move")
        let titles = ["Move to folder", "Move up", "Add or remove segment"]
        let lines = screen.lines.filter { line in titles.contains { line.contains($0) } }
        #expect(zip(lines, titles).allSatisfy { $0.contains($1) } && lines.count == 3, "\(screen.text)")
        screen.press("enter")
        #expect(host.done == ["folder"])
        // The whole title counts more than its words.
        let keys = [
            Choice("Hide or show all spoilers") { [host] in host.done.append("spoilers") },
            Choice("Show all keys") { [host] in host.done.append("keys") },
        ]
        showPalette(keys, on: screen)
        screen.type("show all", then: "enter")
        #expect(host.done == ["folder", "keys"])
    }

    /// In a narrow pane the title is whole, and the reason is shown on Enter.
    @Test func thePaletteShowsWholeTitles() {
        let narrow = TestScreen(root: host, size: Size(width: 42, height: 12))
        let definition = CommandDefinition(
            "host.move", "Move segment to the left", keys: ["K"], needs: "a segment in the list of segments")
        var reason: DisplayText?
        let choice = Choice(Command(definition, isEnabled: false) {}, explain: { reason = $0 })
        showPalette([choice], on: narrow)
        #expect(narrow.text.contains("Move segment to the left"), "\(narrow.text)")
        narrow.press("enter")
        #expect(reason == "this needs a segment in the list of segments")
        #expect(host.presentedViewController == nil)
    }

    /// Choices that don't fit side by side are below each other.
    @Test func anAlertStacksWideChoices() {
        let narrow = TestScreen(root: host, size: Size(width: 42, height: 14))
        var chosen = ""
        func ask() {
            let alert = AlertController(title: "Remove?", message: "The feeds can stay.")
            alert.actions =
                [AlertAction("Cancel", role: .cancel) { chosen = "cancel" }]
                + ["Keep feeds", "Remove feeds too"].map { title in AlertAction(title) { chosen = title.string } }
            narrow.present(alert, over: host)
        }
        ask()
        let lines = ["Cancel", "Keep feeds", "Remove feeds too"].map { title in
            narrow.lines.firstIndex { $0.contains(title) }
        }
        #expect(lines.compactMap(\.self).count == 3 && Set(lines).count == 3, "\(narrow.text)")
        narrow.press("j", "j", "enter")
        #expect(chosen == "Remove feeds too")
        ask()
        narrow.click(on: "Keep feeds")
        #expect(chosen == "Keep feeds")
    }

    @Test func anAlertOffersItsChoices() {
        var chosen = ""
        func ask() {
            let alert = AlertController(title: "Remove?", message: "All is lost.")
            alert.actions = [
                AlertAction("Remove", role: .destructive) { chosen = "remove" },
                AlertAction("Cancel", role: .cancel) { chosen = "cancel" },
            ]
            screen.present(alert, over: host)
        }
        ask()
        #expect(screen.text.contains("All is lost."))
        screen.press("enter")
        #expect(chosen == "cancel")
        ask()
        screen.press("left", "enter")
        #expect(chosen == "remove")
        ask()
        screen.press("esc")
        #expect(chosen == "cancel")
        ask()
        screen.press("y")
        #expect(chosen == "remove")
        ask()
        screen.press("n")
        #expect(chosen == "cancel")
        ask()
        screen.click(on: "Remove ")
        #expect(chosen == "remove" || chosen == "cancel")
        // "y" doesn't choose between two effects.
        let alert = AlertController(title: "Remove?", message: "All is lost.")
        alert.actions = ["Keep", "Drop"].map { title in AlertAction(title) { chosen = title.string } }
        host.present(alert)
        screen.press("y")
        #expect(host.presentedViewController === alert)
    }

    @Test func TER_05_splitsUnboundAltKeys() {
        let navigation = NavigationController(rootViewController: host)
        let screen = TestScreen(root: navigation, size: Size(width: 50, height: 12))
        navigation.push(LoggedController("Top", log: LifeCycleLog()))
        screen.application.send(.key(KeyPress(.character("z"), .alt)))
        screen.press("a")
        #expect(navigation.topViewController === host)
        #expect(host.done == ["alpha"])
    }

    @Test(arguments: ["j", "ctrl-d", "g g", "backtab", "space", "f12", "alt-shift-left", "ctrl-x ctrl-s"])
    func readsKeySequencesAsWritten(text: String) throws {
        let sequence = try #require(KeySequence(text))
        #expect(sequence.presses.count == text.split(separator: " ").count)
        #expect(KeySequence(text + "nonsense") == nil)
    }
}
