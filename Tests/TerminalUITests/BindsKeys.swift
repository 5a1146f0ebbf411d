import TerminalUITesting
import Testing

@testable import TerminalUI
@testable import TerminalUIExtras

/// Keys, the commands bound to them, and messages about both.
@MainActor @Suite struct BindsKeys {
    // MARK: Sequences

    /// Written, as a hint, and as a hint in words.
    @Test(arguments: [
        ("j", "j", "j"), ("J", "J", "J"), ("ctrl-d", "^d", "ctrl-d"), ("enter", "⏎", "enter"), ("esc", "esc", "esc"),
        ("g g", "g g", "g g"), ("backtab", "shift-tab", "shift-tab"), ("space", "space", "space"), ("f5", "F5", "F5"),
        ("f24", "F24", "F24"), ("alt-1", "alt-1", "alt-1"), ("shift-right", "shift-right", "shift-right"),
        ("ctrl-alt-x", "^alt-x", "ctrl-alt-x"), ("pagedown", "pagedown", "pagedown"), ("tab", "tab", "tab"),
        ("ctrl-x ctrl-s", "^x ^s", "ctrl-x ctrl-s"), ("-", "-", "-"), ("ctrl--", "^-", "ctrl--"),
        ("delete", "delete", "delete"), ("home", "home", "home"), ("insert", "insert", "insert"),
        ("backspace", "backspace", "backspace"), ("ü", "ü", "ü"),
    ])
    func writesAndReadsKeysAlike(name: String, sign: String, words: String) throws {
        let sequence = try #require(KeySequence(name))
        #expect(sequence.name == name && KeySequence(sequence.name) == sequence)
        #expect(KeyMap().label(of: sequence).string == sign)
        var map = KeyMap()
        map.namesKeys = true
        #expect(map.label(of: sequence).string == words)
        if !name.contains("ctrl--") { #expect((try? KeySequence.read(name)) == sequence) }
    }

    @Test(arguments: [
        ("", "'' is not a key"), ("  ", "'  ' is not a key"), ("f25", "'f25' is not a key"),
        ("f0", "'f0' is not a key"), ("nope", "'nope' is not a key"), ("j nope", "'j nope' is not a key"),
        ("ctrl-", "'ctrl-' is not a key"), ("ctrl-i", "'ctrl-i': terminals send ctrl-i as tab"),
        ("ctrl-m", "'ctrl-m': terminals send ctrl-m as enter"), ("ctrl-j", "'ctrl-j': terminals send ctrl-j as enter"),
        ("ctrl-h", "'ctrl-h': terminals send ctrl-h as backspace"),
        ("ctrl-[", "'ctrl-[': terminals send ctrl-[ as esc"), ("ctrl-A", "'ctrl-A': terminals send no ctrl-A"),
        ("ctrl-1", "'ctrl-1': terminals send no ctrl-1"), ("shift-a", "'shift-a': with shift a letter is 'A'"),
        ("g ctrl-i", "'g ctrl-i': terminals send ctrl-i as tab"), ("ctrl-Ä", "'ctrl-Ä': terminals send no ctrl-Ä"),
    ])
    func rejectsKeysThatNoTerminalSends(text: String, message: String) {
        let problem = #expect(throws: KeySequence.Problem.self) { try KeySequence.read(text) }
        #expect(problem?.description == message)
    }

    @Test(arguments: [
        "ctrl-@", "ctrl-\\", "ctrl-]", "ctrl-^", "ctrl-_", "ctrl-space", "ctrl-z", "ctrl-a", "shift-tab", "shift-space",
    ])
    func acceptsKeysThatTerminalsSend(text: String) { #expect((try? KeySequence.read(text)) != nil) }

    // MARK: Tables

    private let table = CommandTable(
        [
            CommandDefinition("entry.star", "Star", keys: ["s"], place: "entries"),
            CommandDefinition("entry.next", "Next", keys: ["n", "g n"], place: "entries", .givesWay),
            CommandDefinition("list.find", "Find", keys: ["/"], place: "lists"),
            CommandDefinition("list.mark", "Mark", keys: ["v"], place: "lists", .givesWay),
            CommandDefinition("program.quit", "Quit", keys: ["q"], place: "everywhere"),
            CommandDefinition("menu.close", "Close", keys: ["q"], place: "menus"),
            CommandDefinition("other.do", "Do", keys: ["s"], place: "trees"),
        ], inner: ["entries": ["lists"], "everywhere": ["lists", "entries"]])

    private func bind(_ bindings: [(String, [String])], over preset: KeyMap = KeyMap()) -> (
        map: KeyMap, problems: [String]
    ) {
        let found = table.keyMap(of: bindings.map { CommandTable.Binding($0.0, $0.1) }, over: preset)
        return (found.map, found.problems.map { "\($0.index): \($0.message)" })
    }

    @Test func bindsValidKeysAndExplainsTheRest() {
        for (bindings, bound, problems) in [
            ([("entry.star", ["x"])], ["entry.star": ["x"]], []),
            ([("entry.star", [])], ["entry.star": []], []),
            ([("entry.gone", ["x"])], [:], ["0: no such command: 'entry.gone'"]),
            ([("entry.star", ["f2", "ctrl-x"])], ["entry.star": ["f2", "ctrl-x"]], []),
            ([("entry.stra", ["x"])], [:], ["0: no such command: 'entry.stra'; did you mean 'entry.star'?"]),
            ([("wholly.other", ["x"])], [:], ["0: no such command: 'wholly.other'"]),
            ([("entry.star", ["nope"])], [:], ["0: 'nope' is not a key (for entry.star)"]),
            ([("entry.star", ["q"])], [:], ["0: 'q' for entry.star is program.quit in everywhere"]),
            ([("program.quit", ["s"])], [:], ["0: 's' for program.quit is entry.star in entries"]),
            ([("program.quit", ["/"])], [:], ["0: '/' for program.quit is list.find in lists"]),
            ([("list.find", ["q"])], [:], ["0: 'q' for list.find is program.quit in everywhere"]),
            // A key that starts another sequence, and one that continues it.
            ([("entry.star", ["g"])], ["entry.star": ["g"]], []),
            ([("program.quit", ["g"])], ["program.quit": ["g"]], []),
            (
                [("entry.star", ["/ x"])], [:],
                ["0: '/ x' for entry.star is a prefix or an extension of the key of list.find in lists"]
            ),
            // A rejected binding takes no key from the same context or an outer one.
            ([("entry.star", ["n"])], ["entry.star": ["n"]], []),
            ([("entry.star", ["v"])], ["entry.star": ["v"]], []),
            ([("list.mark", ["q"])], ["list.mark": ["q"]], []),
            ([("entry.next", ["s"])], ["entry.next": ["s"]], []),
            // Contexts that are never active together.
            ([("other.do", ["q"])], ["other.do": ["q"]], []),
            ([("menu.close", ["s"])], ["menu.close": ["s"]], []),
            // Two commands that swap their keys, which the second alone couldn't.
            ([("entry.star", ["q"]), ("program.quit", ["s"])], ["entry.star": ["q"], "program.quit": ["s"]], []),
            (
                [("entry.star", ["x"]), ("nope", []), ("program.quit", ["x"])], ["entry.star": nil],
                ["0: 'x' for entry.star is program.quit in everywhere", "1: no such command: 'nope'"]
            ),
        ] as [([(String, [String])], [String: [KeySequence]?], [String])] {
            let found = bind(bindings)
            for (name, keys) in bound { #expect(found.map.bindings[name] == keys, "\(bindings)") }
            #expect(found.problems.prefix(problems.count) == problems[...], "\(bindings)")
            if problems.isEmpty {
                #expect(found.problems.isEmpty && found.map.bindings.count == bound.count, "\(bindings)")
            }
        }
        // An invalid binding keeps the previous keys.
        let preset = KeyMap(["entry.star": ["S"]])
        #expect(bind([("entry.star", ["q"])], over: preset).map == preset)
        #expect(bind([("list.find", ["f"])], over: preset).map.bindings == ["entry.star": ["S"], "list.find": ["f"]])
    }

    /// A list that begins with `+` adds keys to those that a command has, and keys of a preset give way.
    @Test func addsKeysAfterAPlus() {
        #expect(bind([("entry.star", ["+", "x", "s"])]).map.bindings["entry.star"] == ["s", "x"])
        #expect(bind([("entry.star", ["+"])]).map.bindings["entry.star"] == ["+"])
        #expect(bind([("entry.star", ["x", "+"])]).map.bindings["entry.star"] == ["x", "+"])
        // An added key that is taken leaves the others.
        let taken = bind([("entry.star", ["+", "q"])])
        #expect(taken.map.bindings["entry.star"] == ["s"] && taken.problems.count == 1)
        let preset = KeyMap(["entry.star": ["x"], "program.quit": ["y"]])
        #expect(bind([("entry.star", ["+", "z"])], over: preset).map.bindings["entry.star"] == ["x", "z"])
        let both = bind([("entry.star", ["y"])], over: preset)
        #expect(both.problems.isEmpty && both.map.bindings == ["entry.star": ["y"], "program.quit": ["q"]])
    }

    /// Enter, Esc, Tab, the arrows and Ctrl-L are lost unless another command of the same title has them.
    @Test func knowsLostKeys() {
        let table = CommandTable(
            [
                CommandDefinition("list.open", "Open", keys: ["enter", "o"], place: "lists"),
                CommandDefinition("feed.open", "Open", keys: ["right"], place: "feeds"),
                CommandDefinition("program.redraw", "Redraw", keys: ["ctrl-l"], place: "everywhere"),
            ], inner: ["feeds": ["lists"]])
        func lost(_ name: String, _ bindings: [String: [KeySequence]]) -> [KeySequence] {
            table[name].map { table.lostKeys(of: $0, in: KeyMap(bindings)) } ?? []
        }
        #expect(lost("list.open", ["list.open": ["l"]]) == ["enter"])
        #expect(lost("list.open", ["list.open": ["l", "enter"]]).isEmpty && lost("list.open", [:]).isEmpty)
        #expect(lost("feed.open", ["feed.open": []]) == ["right"])
        #expect(lost("feed.open", ["feed.open": [], "list.open": ["enter", "right"]]).isEmpty)
        #expect(lost("program.redraw", ["program.redraw": ["f5"]]) == ["ctrl-l"])
        // Both open the row, so a key of one is none of the other's loss.
        #expect(table.keyMap(of: [.init("list.open", ["right"])]).problems.isEmpty)
    }

    @Test func listsCommandsAndContexts() {
        #expect(table["entry.star"]?.title == "Star" && table["entry"] == nil)
        #expect(table.places == ["entries", "lists", "everywhere", "trees"])
        let more = table.adding([CommandDefinition("user.x", "x", keys: [], place: "users")])
        #expect(more["user.x"] != nil && more["entry.star"] != nil && more.places.last == "users")
        #expect(more.keyMap(of: [.init("program.quit", ["/"])]).problems.count == 1)
        for (name, isFirst) in [("sort1", true), ("sort2", false), ("sort9", false), ("sort", true)] {
            #expect(CommandDefinition(name, "Sort", keys: []).isFirstOfItsKind == isFirst, "\(name)")
            #expect(!CommandDefinition(name, "Sort", keys: [], .unlisted).isFirstOfItsKind)
        }
        let map = KeyMap(["entry.star": ["x", "y"], "entry.next": []])
        let (star, next) = (table.commands[0], table.commands[1])
        #expect(
            map.keys(for: star) == ["x", "y"] && map.label(for: star) == "x"
                && map.label(of: map.keys(for: star)) == "x  y")
        #expect(map.keys(for: next).isEmpty && map.label(for: next) == nil && KeyMap().label(for: next) == "n")
    }

    /// The toolkit's own commands: each name once, and no key twice in one context.
    @Test func hasTheseToolkitKeys() {
        let commands = ToolkitCommands.extras + ToolkitCommands.all
        #expect(Set(commands.map(\.name)).count == commands.count)
        let keys = commands.map { definition -> String in
            let keys = definition.keys.map(\.name).joined(separator: ", ")
            let traits = definition.traits
            let marks = [
                traits.contains(.unlisted) ? "-" : "", traits.contains(.givesWay) ? "~" : "",
                traits.contains(.worksFromList) ? "<" : "",
            ].joined()
            return "\(definition.name): \(keys) \(marks)"
        }
        for expected in BindsKeys.toolkit { #expect(keys.contains(expected), "\(expected)") }
        #expect(keys.count == BindsKeys.toolkit.count + 16)
        for number in 1...9 {
            #expect(keys.contains("segments.select\(number): \(number) "))
            #expect(keys.contains("table.sort\(number): alt-\(number) "))
        }
    }

    private static let toolkit = [
        "sideways.right: shift-right -~", "sideways.left: shift-left -~", "list.find: / ~", "list.findNext: n ~",
        "list.findPrevious: N ~", "list.endFind: esc ~", "list.mark: v ", "list.markRange: V ",
        "list.clearMarks: esc ~", "list.down: j, down ", "list.up: k, up ", "list.pageDown: pagedown, ctrl-f, ctrl-d -",
        "list.pageUp: pageup, ctrl-b, ctrl-u -", "list.first: g g, home -", "list.last: G, end -", "list.open: enter ",
        "list.preview: space ", "table.down: j, down -", "table.up: k, up -",
        "table.pageDown: pagedown, ctrl-f, ctrl-d -", "table.pageUp: pageup, ctrl-b, ctrl-u -",
        "table.first: g g, home -", "table.last: G, end -", "table.open: enter ", "table.sort1: alt-1 ",
        "outline.expand: l, right ~", "outline.collapse: h, left ~", "text.down: j, down -", "text.up: k, up -",
        "text.pageDown: space, pagedown, ctrl-f ", "text.pageUp: b, pageup, ctrl-b ", "text.halfDown: ctrl-d -",
        "text.halfUp: ctrl-u -", "text.top: g g, home -", "text.bottom: G, end -", "text.back: ctrl-o ",
        "text.clearSelection: esc -~", "scroll.down: j, down -", "scroll.up: k, up -", "scroll.right: L, shift-right -",
        "scroll.left: H, shift-left -", "scroll.pageDown: space, pagedown -", "scroll.pageUp: b, pageup -",
        "image.zoomIn: +, = ~<", "image.zoomOut: - ~<", "image.fit: 0 <", "image.left: left, h -~",
        "image.right: right, l -~", "image.up: up, k -~", "image.down: down, j -~", "control.press: enter, space ~",
        "picker.next: right, l ~", "picker.previous: left, h ~", "radio.next: down, j ~", "radio.previous: up, k ~",
        "slider.more: right, l, + ~", "slider.less: left, h, - ~", "preview.next: J, ctrl-n ",
        "preview.previous: K, ctrl-p ", "preview.open: enter ", "preview.close: space, esc, q, h, backspace ",
        "split.focusLeft: h, left, esc, backspace, q ~", "split.focusRight: l, right ~",
        "split.hideList: esc, q, h, backspace ~", "split.toggleList: \\ ~", "split.narrower: < ~", "split.wider: > ~",
        "navigation.back: h, backspace, left, esc, q ~", "navigation.toggleBars: z ~", "segments.next: tab ",
        "segments.previous: backtab ", "segments.select1: 1 ", "prompt.close: esc ", "prompt.earlier: up, ctrl-p ",
        "prompt.later: down, ctrl-n ", "prompt.search: ctrl-r ", "alert.next: right, tab, l, j, down ",
        "alert.previous: left, backtab, h, k, up ", "alert.choose: enter, space ", "alert.confirm: y ",
        "alert.cancel: esc, n, q, backspace ", "palette.down: down, ctrl-n ", "palette.up: up, ctrl-p ",
        "palette.close: esc ", "menu.close: esc, q, h, backspace, . ", "help.close: esc, ?, f1 ",
        "help.down: down, ctrl-n ", "help.up: up, ctrl-p ", "help.pageDown: pagedown, ctrl-f ",
        "help.pageUp: pageup, ctrl-b ", "help.page: tab, backtab ",
    ]

    // MARK: Offers

    /// A controller that offers commands.
    private final class Host: ViewController {
        var done: [String] = []
        var offers: [Command] = []
        var raw: Character?
        override func makeView() -> View { Label("host") }
        override var commands: [Command] { offers }
        override func handle(_ press: KeyPress) -> Bool {
            guard let raw, press == KeyPress(.character(raw)) else { return false }
            done.append("raw")
            return true
        }
        func offer(
            _ name: String, _ keys: [KeySequence], isEnabled: Bool = true, _ traits: CommandDefinition.Traits = []
        ) {
            offers.append(
                Command(name, DisplayText(name), keys: keys, isEnabled: isEnabled, traits) { [weak self] in
                    self?.done.append(name)
                })
        }
    }

    private func stage() -> (outer: NavigationController, inner: Host, screen: TestScreen) {
        let inner = Host()
        let outer = NavigationController(rootViewController: inner)
        return (outer, inner, TestScreen(root: outer, size: Size(width: 50, height: 12)))
    }

    @Test func offersAKeyToTheInnermostFirst() {
        let (outer, inner, screen) = stage()
        var outerDone: [String] = []
        outer.additionalCommands = {
            ["x", "y", "w a"].map { key in
                Command("outer.\(key)", DisplayText(key), keys: [KeySequence(stringLiteral: key)]) {
                    outerDone.append(key)
                }
            }
        }
        inner.offer("inner", ["x"])
        inner.offer("disabled", ["y"], isEnabled: false)
        inner.offer("other", ["w b"])
        inner.raw = "r"
        inner.offer("never", ["r"])
        screen.press("x", "y", "r")
        #expect(inner.done == ["inner", "raw"] && outerDone == ["y"])
        // Shows the continuations of the commands that start this way.
        inner.offer("elsewhere", ["v c"])
        inner.offer("impossible", ["w d"], isEnabled: false)
        screen.press("w")
        #expect(
            screen.lines.suffix(2).map { $0.split(separator: " ").map(String.init) } == [
                ["b", "other"], ["a", "w", "a"],
            ])
        screen.press("esc")
        // A sequence that starts in an inner context may end in an outer one.
        screen.press("w", "a", "w", "b")
        #expect(outerDone == ["y", "w a"] && inner.done.last == "other")
        let window = screen.application.window
        let available = window.availableCommands
        #expect(available.first { $0.command.name == "inner" }?.keys == ["x"])
        #expect(!available.contains { $0.command.name == "outer.x" || $0.command.name == "disabled" })
        #expect(available.contains { $0.command.name == "outer.y" })
        inner.offer("hidden", ["u"], .unlisted)
        inner.offer("inner", ["i"])
        #expect(!window.availableCommands.contains { $0.command.name == "hidden" })
        #expect(window.reachableCommands.first { $0.command.name == "hidden" }?.keys == ["u"])
        #expect(window.offeredCommands.filter { $0.name == "inner" }.count == 1)
        #expect(
            window.offeredCommands.contains { $0.name == "disabled" } && window.offeredCommands.first?.name == "inner")
    }

    @Test func explainsWhyAKeyDoesNothing() {
        let (_, inner, screen) = stage()
        let window = screen.application.window
        var told: [(KeySequence, DisplayText?)] = []
        var used = 0
        window.unusedKey = { told.append(($0, $1)) }
        window.usedKey = { used += 1 }
        let needy = CommandDefinition("needy", "Needy", keys: ["n", "N"], needs: "a row")
        inner.offers = [
            Command(needy, isEnabled: false) {}, Command("plain", "Plain", keys: ["p"], isEnabled: false) {},
        ]
        inner.offer("fine", ["f"])
        inner.offer("prefixed", ["w b"])
        screen.press("n", "p", "u", "f", "esc", "w", "f", "w", "esc")
        #expect(told.map(\.0) == ["n", "p", "u", "w f"])
        #expect(told.map(\.1) == ["this needs a row", "nothing to do now", nil, nil] && inner.done == ["fine"])
        #expect(used == 4)
        // By name the result is the same.
        told = []
        #expect(!window.perform(needy, from: inner) && told.map(\.1) == ["this needs a row"])
        #expect(window.perform(inner.offers[2].definition, from: inner) && inner.done == ["fine", "fine"])
        #expect(!window.perform(CommandDefinition("none", "None", keys: ["x"]), from: inner))
        #expect(told.last?.0 == "x" && told.last?.1 == nil)
        #expect(Command(needy, isEnabled: false) {}.obstacle == "this needs a row" && Command(needy) {}.isEnabled)
        #expect(Command(needy, title: "More exact") {}.title == "More exact" && Command(needy) {}.title == "Needy")
    }

    @Test func choicesShowTheirKeyOrReason() {
        let definition = CommandDefinition("a.b", "Title", keys: ["x", "y"], needs: "a row")
        var done = 0
        let choice = Choice(Command(definition) { done += 1 })
        choice.action()
        #expect(choice.note == "x" && choice.title == "Title" && choice.words == "a.b" && choice.isEnabled && done == 1)
        #expect(Choice(Command(definition) {}, keyMap: KeyMap(["a.b": ["z"]])).note == "z")
        #expect(Choice(Command(definition) {}, keyMap: KeyMap(["a.b": []])).note == "")
        let disabled = Choice(Command(definition, title: "Here", isEnabled: false) {})
        #expect(disabled.note == "this needs a row" && !disabled.isEnabled && disabled.words == "Title a.b")
        Choice(Command(definition) { done += 1 }, action: { done += 10 }).action()
        #expect(done == 11)
    }

    // MARK: Palette and help

    @Test func thePaletteFiltersMovesAndChooses() {
        let (_, host, screen) = stage()
        var chosen: [String] = []
        func choice(_ name: String, words: String = "", isEnabled: Bool = true) -> Choice {
            Choice(DisplayText(name), note: "note", words: words, isEnabled: isEnabled) { chosen.append(name) }
        }
        func show(hasField: Bool = true, selected: Int = 0) -> CommandPaletteViewController {
            let palette = CommandPaletteViewController(
                title: "Palette",
                choices: [
                    choice("Open entry"), choice("Open feed", words: "subscription"), choice("Close", isEnabled: false),
                    choice("Star entry"),
                ], hasField: hasField)
            palette.selectedIndex = selected
            screen.present(palette, over: host)
            return palette
        }
        _ = show()
        #expect(screen.text.contains("Type to find a command") && screen.text.contains("▌Open entry"))
        screen.press("down", "down", "up", "ctrl-n", "ctrl-p", "enter")
        #expect(chosen == ["Open feed"] && screen.application.window.presentedViewController == nil)
        _ = show()
        screen.type("ENTRY op")
        #expect(screen.text.contains("▌Open entry") && !screen.text.contains("feed") && !screen.text.contains("Star"))
        screen.press("enter")
        _ = show()
        screen.type("subs", then: "enter")
        #expect(chosen == ["Open feed", "Open entry", "Open feed"])
        _ = show()
        screen.type("clo", then: "enter")
        #expect(chosen.count == 3 && screen.application.window.presentedViewController != nil)
        screen.type("zz")
        #expect(screen.text.contains("No match."))
        screen.press("enter", "down", "up")
        #expect(chosen.count == 3)
        for _ in 0..<5 { screen.press("backspace") }
        #expect(screen.text.contains("▌Open entry"))
        screen.press("esc")
        #expect(screen.application.window.presentedViewController == nil)
        _ = show(hasField: false, selected: 3)
        #expect(screen.text.contains("▌Star entry") && !screen.text.contains("Type to"))
        screen.press("enter")
        #expect(chosen.last == "Star entry")
        for key in ["esc", "q", "h", "backspace", "."] {
            _ = show(hasField: false, selected: 99)
            screen.press(key)
            #expect(screen.application.window.presentedViewController == nil, "\(key)")
        }
        #expect(chosen.count == 4)
    }

    @Test func theHelpGroupsKeysAndFindsThem() {
        let (_, host, screen) = stage()
        func command(_ name: String, _ title: DisplayText, _ group: DisplayText, _ keys: [KeySequence])
            -> (command: Command, keys: [KeySequence])
        {
            (Command(CommandDefinition(name, title, keys: keys, group: group)) {}, keys)
        }
        let commands = [
            command("a", "Go down", "Move", ["j"]), command("b", "Star", "Entries", ["s"]),
            command("c", "Star", "Entries", ["S"]), command("d", "Open", "Entries", ["enter"]),
        ]
        func show() {
            screen.present(HelpViewController(commands: commands), over: host)
        }
        func isShown() -> Bool { screen.application.window.presentedViewController != nil }
        show()
        let lines = screen.lines.map { $0.trimmingCharacters(in: ["│", " "]) }
        let place = { (text: String) in lines.firstIndex { $0.hasPrefix(text) } ?? 99 }
        // Global commands come last; equal titles appear once.
        #expect(place("Entries") < place("s  S  Star") && place("s  S  Star") < place("⏎"))
        #expect(place("⏎") < place("Move") && place("Move") < place("j ") && place("j ") < 99)
        screen.type("STAR")
        #expect(screen.text.contains("s  S") && !screen.text.contains("Open") && !screen.text.contains("Move"))
        screen.type("?")
        #expect(isShown() && screen.text.contains("No matching"))
        screen.press("esc")
        #expect(!isShown())
        for key in ["?", "f1", "enter", "esc"] {
            show()
            screen.press(key)
            #expect(!isShown(), "\(key)")
        }
        screen.resize(50, 7)
        show()
        #expect(screen.text.contains("Entries") && !screen.text.contains("Go down"))
        #expect(screen.press("pagedown", shows: "Go down"))
        #expect(screen.press("ctrl-b", "up", shows: "Entries"))
    }

    /// Eight keys come first in two columns; the others wait in groups that open.
    @Test func theHelpBeginsWithTheEssentialKeys() {
        let (_, host, screen) = stage()
        screen.resize(60, 20)
        var done: [String] = []
        let definitions = (1...9).map { number in
            CommandDefinition(
                "n\(number)", DisplayText("Command \(number)"), keys: [KeySequence(stringLiteral: "\(number)")],
                group: number < 4 ? "First" : "Second", number == 9 ? .unlisted : [])
        }
        let commands = definitions.map { definition in
            (command: Command(definition) { done.append(definition.name) }, keys: definition.keys)
        }
        let absent = CommandDefinition("absent", "Absent", keys: ["x"])
        let essentials =
            [HelpEssential(titled: "Both", definitions[8], definitions[0]), HelpEssential(absent)]
            + [HelpEssential(titled: "Half", definitions[1], absent)] + definitions.map { HelpEssential($0) }
        func show() {
            screen.present(HelpViewController(commands: commands, essentials: essentials), over: host)
        }
        func lines() -> [String] { screen.lines.map { $0.trimmingCharacters(in: ["│", " "]) } }
        show()
        #expect(
            lines().filter { $0.contains("Command") || $0.contains("Both") } == [
                "9 1  Both        4    Command 4", "1    Command 1   5    Command 5",
                "2    Command 2   6    Command 6", "3    Command 3   7    Command 7",
            ])
        let groups = { lines().filter { $0.contains("First") || $0.contains("Second") } }
        #expect(
            groups().map { $0.split(separator: " ").map(String.init) } == [["▸", "First", "3"], ["▸", "Second", "5"]])
        // Enter opens and closes the selected group, and performs a command.
        screen.press("down", "enter")
        #expect(screen.text.contains("▌▾ First") && screen.text.contains("   1  Command 1"))
        screen.press("enter")
        #expect(screen.text.contains("▌▸ First") && !screen.text.contains("   1  Command 1"))
        screen.press("enter", "down", "down", "enter")
        #expect(done == ["n2"] && screen.application.window.presentedViewController == nil)
        // Typing finds keys in all groups; deleting shows the groups again.
        show()
        screen.type("second 5")
        #expect(lines().contains("5  Command 5") && !screen.text.contains("Command 4") && !screen.text.contains("Both"))
        screen.press("ctrl-u")
        #expect(screen.text.contains("▸ First") && screen.text.contains("Both"))
        // Essential keys can't be selected; above the groups nothing is.
        screen.click(on: "Both")
        screen.press("down", "up", "up")
        #expect(!screen.text.contains("▌") && screen.text.contains("Both"))
        screen.press("enter")
        #expect(screen.application.window.presentedViewController == nil && done == ["n2"])
        screen.resize(30, 20)
        show()
        #expect(lines().contains("9 1  Both") && lines().contains("7    Command 7"))
    }

    /// The legend is the second page. The help of a program without signs has no such page.
    @Test func theHelpExplainsSigns() {
        let (_, host, screen) = stage()
        screen.resize(60, 16)
        let commands = [(command: Command("a", "Alpha", keys: ["a"]) {}, keys: ["a" as KeySequence])]
        let legend = [
            HelpLegend("Rows", [HelpSign("●", role: .accent, "Unread"), HelpSign("✓", "Marked")]),
            HelpLegend("Bars", [HelpSign("⋯", "More")]),
        ]
        screen.present(HelpViewController(commands: commands, legend: legend), over: host)
        #expect(screen.text.contains("Alpha") && !screen.text.contains("Unread") && screen.text.contains("tab signs"))
        screen.press("tab")
        #expect(screen.text.contains("╭─ Signs") && screen.text.contains("tab keys") && !screen.text.contains("Alpha"))
        #expect(
            screen.text.contains("●  Unread") && screen.text.contains("✓  Marked") && screen.text.contains("⋯  More"))
        screen.type("bars")
        #expect(screen.text.contains("More") && !screen.text.contains("Unread"))
        screen.type("x")
        #expect(screen.text.contains("No matching sign."))
        screen.press("backtab")
        #expect(screen.text.contains("╭─ Keys") && screen.text.contains("Alpha"))
        screen.click(on: "tab signs")
        #expect(screen.text.contains("Unread"))
        screen.press("enter")
        #expect(screen.application.window.presentedViewController == nil)
        screen.present(HelpViewController(commands: commands), over: host)
        screen.press("tab")
        #expect(screen.text.contains("Alpha") && !screen.text.contains("signs"))
    }

    /// Keys that arrive together mean the same as one after the other.
    @Test func aQuestionMarkClosesTheHelpBeforeOtherKeys() {
        let (_, host, screen) = stage()
        screen.present(HelpViewController(commands: []), over: host)
        let keys: [Character] = ["?", "j"]
        screen.terminal.events = keys.map { .key(KeyPress(.character($0))) } + [.terminate(.hangup)]
        _ = screen.application.run()
        #expect(screen.application.window.presentedViewController == nil)
    }

    /// A palette shows each group once, and the matched letters in the accent colour. A menu separates its groups.
    @Test func thePaletteShowsGroupsAndMatches() {
        let (_, host, screen) = stage()
        screen.resize(64, 14)
        let choices = [
            Choice("Star entry", group: "Recent") {}, Choice("Open entry", note: "o", group: "Entries") {},
            Choice("Enter entry", group: "Entries") {}, Choice("Restart", group: "Program", isEnabled: false) {},
        ]
        func show(hasField: Bool) {
            screen.present(
                CommandPaletteViewController(title: "Palette", choices: choices, hasField: hasField), over: host)
        }
        func lines() -> [String] { screen.lines.map { $0.trimmingCharacters(in: ["│", " "]) } }
        show(hasField: true)
        #expect(lines().contains("▌Recent   Star entry") && lines().contains("Program  Restart"))
        #expect(lines().contains { $0.hasPrefix("Entries  Open entry") } && lines().contains("Enter entry"))
        screen.type("n en")
        let row = screen.lines.firstIndex { $0.contains("Enter entry") } ?? 0
        let accented = screen.lines[row].enumerated().filter { column, character in
            character.isLetter && screen.terminal.cells[column, row].style.attributes.contains(.bold)
        }
        #expect(String(accented.map(\.element)) == "Enen")
        screen.press("esc")
        screen.resize(26, 14)
        show(hasField: true)
        #expect(lines().contains("▌Star entry") && !screen.text.contains("Recent"))
        screen.press("esc")
        show(hasField: false)
        let rows = lines().drop { !$0.contains("Star") }.prefix(6)
        #expect(
            rows.map { $0.prefix(9) } == ["▌Star ent", "─────────", "Open entr", "Enter ent", "─────────", "Restart"])
        #expect(screen.press("down", "down", "down", shows: "▌Restart"))
        #expect(screen.press("down", "up", "up", "up", shows: "▌Star entry"))
    }
}
