import Feeds
import Foundation
import ModelCore
import Synchronization
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import TerminalUI

/// Each command is defined once: its keys, title and action are the same everywhere.
@MainActor
@Suite struct CommandsFromOneTable {
    private static let table = CommandTable.dashboard
    private nonisolated static let settings = DashboardSegment.key(of: "settings")
    private nonisolated static let stages = DashboardSegment.key(of: "stages")

    private func bindings(_ map: KeyMap) -> [CommandTable.Binding] {
        CommandsFromOneTable.table.commands.map { command in
            CommandTable.Binding(command.name, map.keys(for: command).map(\.name))
        }
    }

    @Test func appliesDefaultAndPresetKeys() {
        #expect(CommandsFromOneTable.table.keyMap(of: bindings(KeyMap())).problems.map(\.message) == [])
        for (name, preset) in KeyPresets.all {
            let own = preset.bindings.map { CommandTable.Binding($0.key, $0.value.map(\.name)) }
            #expect(CommandsFromOneTable.table.keyMap(of: own).problems.map(\.message) == [], "\(name)")
        }
    }

    /// Screens of the dashboard and the keys that lead there from the first row of the Feeds segment.
    private nonisolated static let rooms: [(name: String, keys: [String])] = [
        ("feeds", []), ("entries", ["enter"]), ("entry", ["enter", "enter"]), ("dates", ["enter", "p"]),
        ("prompt", ["a"]), ("question", ["d"]), ("health", ["i"]), ("reload", ["L"]), ("help", ["?"]),
        ("palette", [":"]), ("menu", ["."]), ("stages", [stages]), ("stage", [stages, "enter"]),
        ("profile", [stages, "enter", "]"]),
        ("standings", [stages, "enter", "]", "]"]), ("settings", [settings]), ("setting", [settings, "enter"]),
        ("finding", [stages, "/"]), ("list slid out", [stages, "enter", "\\"]),
    ]

    @Test(arguments: 0..<CommandsFromOneTable.rooms.count, [120, 60]) func everyCommandIsInTheTable(
        room: Int, width: Int
    ) async throws {
        let dashboard = try await DashboardScreen(width, 24)
        for key in CommandsFromOneTable.rooms[room].keys { dashboard.screen.press(key) }
        let offered = dashboard.screen.application.window.offeredCommands
        #expect(!offered.isEmpty)
        for command in offered {
            #expect(CommandsFromOneTable.table[command.name] == command.definition, "\(command.name)")
            // Disabled commands give the reason.
            #expect(command.isEnabled == (command.obstacle == nil))
        }
    }

    // MARK: Entries

    /// Lists with entries and the keys that lead there.
    private nonisolated static let places: [(name: String, width: Int, keys: [String])] = [
        ("list", 120, ["enter"]), ("list in a narrow pane", 39, ["enter"]), ("article", 120, ["enter", "enter"]),
        ("article in a narrow pane", 39, ["enter", "enter"]), ("peek", 39, ["enter", "space"]),
    ]

    private func entry(_ place: Int) async throws -> (DashboardScreen, EntryID) {
        let (_, width, keys) = CommandsFromOneTable.places[place]
        let dashboard = try await DashboardScreen(width, 24)
        dashboard.settings.use("off", for: "feeds.mark-read-on-open")
        for key in keys { dashboard.screen.press(key) }
        try await dashboard.settle()
        let id = try #require(try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
        return (dashboard, id)
    }

    /// By its key, and from the palette and the menu.
    @Test(
        arguments: 0..<CommandsFromOneTable.places.count,
        [EntryCommands.toggleRead, EntryCommands.toggleStar, EntryCommands.toggleLater, EntryCommands.deleteEntry])
    func marksAnEntryInEveryList(place: Int, command: CommandDefinition) async throws {
        // One path through palette and menu covers the others.
        let ways =
            [EntryCommands.toggleStar, EntryCommands.deleteEntry].contains(command)
            ? ["key", "palette", "menu"] : ["key"]
        for way in ways {
            let (dashboard, id) = try await entry(place)
            let before = try dashboard.library.entries.row(id)
            switch way {
            case "key": dashboard.screen.press(command.keys[0].name)
            case "palette":
                dashboard.screen.press(":", typing: command.name, then: "enter")
            default:
                dashboard.screen.press(".")
                let words: [String: String] = [
                    "entry.toggleRead": "Mark as read", "entry.toggleStar": "Star", "entry.toggleLater": "Read later",
                    "entry.delete": "Delete",
                ]
                dashboard.screen.click(on: try #require(words[command.name]))
            }
            try await dashboard.settle()
            let after = try dashboard.library.entries.row(id)
            #expect(after != before, "\(way)")
            switch command {
            case EntryCommands.toggleRead: #expect(after?.isRead == true, "\(way)")
            case EntryCommands.toggleStar: #expect(after?.isStarred == true, "\(way)")
            case EntryCommands.toggleLater: #expect(after?.isLater == true, "\(way)")
            default: #expect(after == nil, "\(way)")
            }
            // Everything can be undone.
            try await dashboard.press("esc", "u")
            #expect(try dashboard.library.entries.row(id) == before, "\(way)")
        }
    }

    @Test(arguments: 0..<CommandsFromOneTable.places.count) func continuesReadingFromEveryList(place: Int) async throws
    {
        let (dashboard, _) = try await entry(place)
        let rows = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9)
        let second = try #require(rows.dropFirst().first)
        try await dashboard.press("]")
        #expect(await dashboard.screen.wait(for: String(second.title.prefix(10))))
        #expect(dashboard.screen.application.window.presentedViewController == nil)
        dashboard.screen.press("o")
        #expect(await dashboard.openedLinks.count == 1)
    }

    // MARK: Everywhere

    @Test(arguments: [
        [], ["enter"], ["enter", "enter"], [CommandsFromOneTable.stages], [CommandsFromOneTable.stages, "enter"],
        [CommandsFromOneTable.settings], [CommandsFromOneTable.settings, "enter"],
    ])
    func startsASearchFromEverywhere(keys: [String]) async throws {
        let dashboard = try await DashboardScreen(120, 24)
        try await dashboard.library.indexAll()
        for key in keys { dashboard.screen.press(key) }
        dashboard.screen.press("S", typing: "bread")
        #expect(dashboard.screen.text.contains("Search"))
        try await dashboard.press("enter")
        #expect(dashboard.screen.lines[0].contains("▐Feeds"))
        #expect(dashboard.screen.text.contains("bread"))
    }

    @Test func saysThatAKeyHasNoCommand() async throws {
        let dashboard = try await DashboardScreen(120, 24)
        #expect(dashboard.screen.press("Z", shows: "Z is not used here"))
        #expect(dashboard.screen.press("X", shows: "X: this needs a running reload"))
        // A key of another list says where it works.
        #expect(dashboard.screen.press("]", shows: "]: Next entry works on an entry"))
        // A key that does something dismisses it; one that is unused here may be used there.
        dashboard.screen.press("tab")
        #expect(!dashboard.screen.text.contains(" works on "))
        #expect(dashboard.screen.lines[0].contains("▐" + DashboardSegment.titleOfNext(after: "feeds")))
    }

    /// A message that doesn't fit into the bar is shown on the last line, even in the smallest panes.
    @Test(arguments: [Size(width: 39, height: 11), Size(width: 20, height: 6)])
    func readsAWholeMessage(_ size: Size) async throws {
        let dashboard = try await DashboardScreen(size.width, size.height)
        let screen = dashboard.screen
        let before = screen.lines.last
        screen.press("X")
        let words = screen.lines.suffix(2).joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.hasSuffix("X: this needs a running reload"))
        screen.press("j")
        #expect(screen.lines.last == before)
        // A key's message stays for that key and disappears with the next one.
        #expect(await screen.press("H") { screen.lines.suffix(2).joined().contains("Spoilers are h") })
        screen.press("j", "k")
        #expect(!screen.lines.suffix(2).joined().contains("Spoilers are h"))
    }

    @Test func doesNotRepeatAMessageThatFits() async throws {
        let dashboard = try await DashboardScreen(60, 19)
        let last = dashboard.screen.lines.last
        dashboard.screen.press("Z")
        #expect(dashboard.screen.lines[0].hasSuffix("Z is not used here"))
        #expect(dashboard.screen.lines.last == last)
    }

    /// Text typed into the wrong field may be a password.
    @Test func neverLogsTypedText() async throws {
        let logged = Mutex<[String]>([])
        let dashboard = try await DashboardScreen(
            100, 24, segment: "stages",
            adjust: { environment in
                environment.log = { sentence in logged.withLock { $0.append(sentence) } }
            })
        let screen = dashboard.screen
        for (text, shown) in [("~/hunter2", "No such file: ~/hunter2"), ("hunter2", "unknown race 'hunter2'")] {
            screen.press("T", typing: text, then: "enter")
            #expect(await screen.wait(for: shown))
        }
        #expect(logged.withLock { $0 } == ["No such file", "unknown race"])
    }

    @Test func thePaletteListsEveryCommand() async throws {
        let dashboard = try await DashboardScreen(120, 40)
        let screen = dashboard.screen
        screen.press(":", typing: "photograph")
        #expect(screen.text.contains("Load photograph") && screen.text.contains("in stages"))
        // A command of another place leads there.
        screen.press("enter")
        #expect(screen.lines[0].contains("▐Stages") && screen.text.contains("P: Load photograph"))
        screen.press(":", typing: "reload status", then: "enter")
        #expect(screen.text.contains("No reload yet"))
        screen.press("esc", ":")
        // The last result comes first.
        #expect(screen.lines.contains { $0.contains("│▌Recent ") && $0.contains(" Show reload status ") })
    }

    @Test func groupsAndFindsHelp() async throws {
        let dashboard = try await DashboardScreen(120, 40)
        let screen = dashboard.screen
        screen.press("enter", "?")
        #expect(screen.text.contains("▸ Reading") && screen.text.contains("▸ Feeds"))
        #expect(screen.text.contains("n    Next unread") && !screen.text.contains("Copy link"))
        screen.type("star")
        #expect(screen.text.contains("s  ") && !screen.text.contains("Reload all feeds"))
        screen.press("ctrl-u", typing: "nothing of that kind")
        #expect(screen.text.contains("No matching key."))
        screen.press("esc")
        #expect(!screen.text.contains("Keys"))
        // Each command is there once, whatever is selected.
        screen.press("esc", "home", "?", typing: "reload all")
        let found = screen.lines.filter { $0.contains("Reload all feeds") }
        #expect(found.count == 1 && found[0].contains(" R "), "\(screen.text)")
    }

    /// The guide explains every sign of the legend.
    @Test func explainsSignsInHelpAndGuide() async throws {
        let dashboard = try await DashboardScreen(120, 40)
        dashboard.screen.press("?", "tab")
        #expect(
            dashboard.screen.text.contains("▲   Mountain") && dashboard.screen.text.contains("△   Read despite errors"))
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let guide = try String(
            contentsOf: root.appendingPathComponent("Sources/tappa/Guide.docc/Signs.md"), encoding: .utf8)
        for group in HelpLegend.dashboard(hasUnicode: true) {
            for sign in group.signs {
                #expect(guide.contains("`\(sign.sign.string)`"), "\(sign.meaning.string)")
            }
        }
    }

    /// Rebound keys appear in bars, hints, help, palette and menus, and clicks still work.
    @Test func showsReboundKeysEverywhere() async throws {
        let map = KeyMap([
            "program.help": ["ctrl-g"], "entry.nextUnread": ["N"], "feed.reload": ["ctrl-r"], "list.open": ["f5"],
            "subscriptions.manage": ["Z"], "setting.reset": ["ctrl-x"],
        ])
        let dashboard = try await DashboardScreen(120, 30, keyMap: map)
        let screen = dashboard.screen
        #expect(screen.text.contains("F5 open") && screen.text.contains("^r reload") && screen.text.contains("^g keys"))
        screen.click(on: "^g keys")
        #expect(screen.text.contains("Keys") && screen.text.contains("^r"))
        #expect(screen.press("esc", "f5", shows: "N next unread"))
        screen.press(":", typing: "next unread")
        #expect(screen.text.contains("N │"))
        #expect(screen.press("esc", CommandsFromOneTable.settings, shows: "^x back to default"))
        screen.press("G")
        #expect(screen.lines.contains { $0.contains("Manage subscriptions") && $0.contains("Z") })
        #expect(screen.press("?", shows: "? is not used here"))
    }

    /// A key that means something else where the focus is isn't shown for undo.
    @Test func hintsShowKeysThatReachTheirCommand() async throws {
        for (keys, hint) in [(["u"], ": Undo: undo"), ([], "u: undo")] as [([KeySequence], String)] {
            let bound = KeyMap(keys.isEmpty ? [:] : ["entry.toggleLater": ["u"], "entry.toggleStar": ["s"]])
            let dashboard = try await DashboardScreen(120, 30, keyMap: bound)
            try await dashboard.press("enter", "s")
            #expect(dashboard.screen.text.contains(hint), "\(dashboard.screen.text)")
        }
    }

    /// The palette says which key everybody expects no longer performs a command.
    @Test func thePaletteNamesLostKeys() async throws {
        let dashboard = try await DashboardScreen(120, 30, keyMap: KeyMap(["list.open": ["l"]]))
        dashboard.screen.press(":", typing: "list.open")
        #expect(dashboard.screen.text.contains("l, not ⏎"), "\(dashboard.screen.text)")
    }

    // MARK: Documents

    /// Generates the guide's page of keys from this table; `make screens` writes it.
    @Test func theGuideListsEveryKey() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources/tappa/Guide.docc/Keys.md")
            .standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- keys -->\n"))
        let end = try #require(text.range(of: "<!-- end of keys -->"))
        let wanted = CommandsFromOneTable.page
        if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
            let new = text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: wanted)
            try Data(new.utf8).write(to: file)
        } else {
            #expect(text[start.upperBound..<end.lowerBound] == wanted)
        }
    }

    /// A table for each screen with the keys of its commands.
    private static var page: String {
        table.places.map { place in
            let commands = table.commands.filter { $0.place == place && $0.isFirstOfItsKind }
            let rows = commands.map { command in
                // A bar would end the cell, even in code.
                let keys = command.keys.map { "`\($0.name.replacing("|", with: "\\|"))`" }.joined(separator: " ")
                return "| \(keys) | \(command.title.string) |\n"
            }
            let title = place.string.prefix(1).uppercased() + place.string.dropFirst()
            return "### \(title)\n\n| key | command |\n|---|---|\n\(rows.joined())\n"
        }.joined()
    }
}
