import CommonTesting
import Feeds
import Foundation
import ModelCore
import Races
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import LibraryKernel

/// Keys that arrive together, on pages that fail and lists that are still being read; sheets and lists that outlive
/// resizes; and nothing that acts beneath a sheet.
@MainActor
@Suite struct AnswersBursts {
    private static let race = DashboardScreen.race.replacing("https://race.example/1", with: "http://127.0.0.1:9/1")
    private static let feed = DashboardScreen.feed.replacing("https://loaf.example", with: "http://127.0.0.1:9")

    private func dashboard(
        _ width: Int, _ height: Int, segment: String = "feeds", adjust: ((inout DashboardEnvironment) -> Void)? = nil
    ) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(
            width, height, segment: segment, feeds: [("http://127.0.0.1:9/feed", AnswersBursts.feed)],
            race: AnswersBursts.race, adjust: adjust)
        dashboard.screen.application.window.motion = .full
        return dashboard
    }

    /// Retrying a page and going back in one read leads back, at every size.
    @Test(arguments: ["a stage's article", "a full text"], [(120, 39), (79, 23), (60, 19), (39, 11), (12, 4)])
    func NAV_07_retriesAndGoesBackAtOnce(page: String, size: (width: Int, height: Int)) async throws {
        let isStage = page == "a stage's article"
        let dashboard = try await dashboard(size.width, size.height, segment: isStage ? "stages" : "feeds")
        let screen = dashboard.screen
        try await dashboard.press("enter")
        if !isStage { screen.press("enter") }
        try await dashboard.settle()
        screen.press(isStage ? "a" : "F")
        for back in ["h", "esc", "q", "backspace"] {
            let window = screen.application.window
            #expect(await screen.wait { (window.focusedController as? ArticleViewController)?.awaitsContent == false })
            screen.press(together: "r", back)
            #expect(!(window.focusedController is ArticleViewController), "\(back)\n\(screen.text)")
            screen.press(together: isStage ? "a" : "F", "j")
        }
    }

    /// Sheets over search results close by Esc, however wide the pane has become meanwhile, and the results stay.
    @Test(arguments: [":", "?", "|", "t", "!", "M", "."]) func POP_05_closesSheetsOverSearchResults(key: String)
        async throws
    {
        let dashboard = try await dashboard(120, 39)
        try await dashboard.library.indexAll()
        let screen = dashboard.screen
        screen.press("S", typing: "the", then: "enter")
        try await dashboard.settle()
        let results = try #require(dashboard.entryList)
        screen.press(key)
        let window = screen.application.window
        #expect(await screen.wait { window.presentedViewController != nil })
        screen.resize(150, 45)
        for _ in 0..<2 where window.presentedViewController != nil { screen.press("esc") }
        #expect(window.presentedViewController == nil, "\(screen.text)")
        #expect(dashboard.entryList === results)
        screen.press("q", "q", "q")
        #expect(screen.application.isFinished, "\(screen.text)")
    }

    /// What is open survives every sequence of sizes: search results, recently read entries, a feed.
    @Test(arguments: ["a search", "recently read", "a feed"]) func SPL_12_keepsTheOpenList(what: String) async throws {
        let dashboard = try await dashboard(120, 39)
        try await dashboard.library.indexAll()
        let screen = dashboard.screen
        switch what {
        case "a search": screen.press(together: "S", "t", "h", "e", "enter")
        case "recently read": screen.press("ctrl-x h")
        default: screen.press("g", "j", "enter")
        }
        try await dashboard.settle()
        let list = try #require(dashboard.entryList)
        for width in [150, 120, 149, 148, 147, 200, 79, 150, 60, 150, 40, 200, 15, 150, 3, 160, 120] {
            screen.resize(width, 39)
            await Task.yield()
            #expect(dashboard.entryList === list, "\(width)")
        }
        #expect(screen.text.contains(list.title.string))
        // From three columns to fewer, with the focus in another column.
        screen.resize(200, 39)
        screen.press("h")
        for width in [120, 200, 60, 160, 10, 200] {
            screen.resize(width, 39)
            await Task.yield()
            #expect(dashboard.entryList === list, "\(width)")
        }
        // Coming back to the segment shows it, too.
        try await dashboard.press("tab", "backtab")
        #expect(dashboard.entryList === list)
        // A newly selected row takes its place, in a wide pane at once.
        screen.press("h", "G", "g g")
        #expect(dashboard.entryList !== list)
    }

    /// Nothing that a sheet, alert or popover offers belongs to what lies beneath, and undo leaves that alone.
    @Test func POP_02_nothingActsBeneath() async throws {
        let dashboard = try await dashboard(120, 39)
        let screen = dashboard.screen
        try await dashboard.press("enter")
        try await dashboard.press("s")
        let allowed: Set<String> = [
            "program.help", "program.palette", "program.menu", "program.quitNow", "program.interrupt",
            "program.releaseMemory", "program.redraw", "program.suspend",
        ]
        let window = screen.application.window
        func starred() throws -> Int { try dashboard.library.entries.list(EntryQuery(.starred)).count }
        #expect(try starred() == 1)
        let beneath = Set(window.offeredCommands.map(\.name)).subtracting(allowed)
        let own: Set<String> = ["program.undo"]
        for key in ["p", "t", "|", ":", "?", ".", "M", "ctrl-x d", "ctrl-x r"] {
            try await dashboard.press(key)
            #expect(window.presentedViewController != nil, "\(key)")
            let toolkit = Set(ToolkitCommands.all.map(\.name))
            let offered = Set(window.offeredCommands.map(\.name)).subtracting(toolkit)
            #expect(offered.intersection(beneath).subtracting(own).isEmpty, "\(key): \(offered)")
            #expect(!window.offeredCommands.contains { own.contains($0.name) && $0.isEnabled }, "\(key)")
            try await dashboard.press("u")
            #expect(try starred() == 1, "\(key)")
            while window.presentedViewController != nil { screen.press("esc") }
        }
        #expect(screen.press("h", "d", shows: "Unsubscribe?"), "\(screen.text)")
        try await dashboard.press("u")
        #expect(try starred() == 1 && screen.text.contains("Unsubscribe?"))
        try await dashboard.press("esc", "u")
        #expect(try starred() == 0)
    }

    /// Keys behind the one that first shows a segment are typed into its search field, not run as commands.
    @Test(arguments: [Duration.zero, .seconds(30)]) func NAV_06_typesIntoTheSearchOfANewSegment(patience: Duration)
        async throws
    {
        let dashboard = try await dashboard(120, 39, segment: "stages") { $0.time.readingPatience = patience }
        let screen = dashboard.screen
        let segment = "\(SegmentName.allCases.firstIndex(of: .feeds).map { $0 + 1 } ?? 0)"
        screen.press(together: segment, "/", "A", "R", "x", "d")
        #expect(await screen.wait { screen.text.contains("ARxd") }, "\(screen.text)")
        let services = dashboard.services
        #expect(try dashboard.library.feeds.unreadCount() == 4 && !services.feeds.reloads.isRunning)
        #expect(screen.application.window.presentedViewController == nil)
    }

    /// A library that isn't read delays keys by a second, but not those that lead away.
    @Test func NAV_06_boundsTheWaitForAList() async throws {
        let dashboard = try await dashboard(120, 39, segment: "stages") { $0.time.readingPatience = .zero }
        let screen = dashboard.screen
        let window = screen.application.window
        var now = ContinuousClock.now
        window.now = { now }
        BackgroundRead.queue.suspend()
        defer { BackgroundRead.queue.resume() }
        screen.press(together: "tab", ".")
        #expect(window.presentedViewController == nil)
        now += .milliseconds(1001)
        screen.application.send([])
        #expect(window.presentedViewController != nil)
        screen.press("esc", "tab", "backtab")
        screen.press(together: "backtab", "?")
        #expect(window.presentedViewController is HelpViewController)
        screen.press("esc", "tab", "Q")
        #expect(screen.application.isFinished)
    }

    /// The keys behind `n` and `!` act on the entry and the question that these keys show.
    @Test func NAV_06_keysWaitForWhatAKeyShows() async throws {
        let dashboard = try await dashboard(120, 39) { $0.time.readingPatience = .zero }
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Mail app style"))
        screen.press(together: "n", "s")
        #expect(await screen.wait { (try? dashboard.library.entries.list(EntryQuery(.starred)).count) == 1 })
        let starred = try #require(try dashboard.library.entries.list(EntryQuery(.starred)).first)
        #expect((dashboard.split?.detailViewController as? EntryViewController)?.entryID == starred)
        screen.press(together: "!", "esc", "m")
        #expect(await screen.wait { screen.application.window.presentedViewController == nil })
    }

    /// The second Enter behind a search opens its first result, even if the entries are only then indexed. A search
    /// without a result delays Enter no longer once they are.
    @Test func NAV_06_opensTheFirstResultOfAnEarlySearch() async throws {
        let dashboard = try await dashboard(120, 39) { $0.time.second = .seconds(3_600) }
        let screen = dashboard.screen
        // However slow the machine is, no patience ends.
        let now = ContinuousClock.now
        screen.application.window.now = { now }
        #expect(try dashboard.library.search.unindexedCount() > 0)
        screen.press(together: "S", "t", "h", "e", "enter", "enter")
        #expect(await screen.wait { dashboard.split?.detailViewController?.toolbarItems.isEmpty == false })
        try await dashboard.settle()
        #expect(
            await screen.wait { screen.application.window.focusedController is EntryViewController }, "\(screen.text)")
        screen.press(together: "h", "S", "z", "z", "z", "enter", "enter")
        #expect(await screen.wait(for: "this needs a selected row"))
    }

    /// Each move of a row continues from the move before, in the list of feeds and among the segments.
    @Test func NAV_06_movesARowTwice() async throws {
        let hosts = ["one", "two", "three", "four"]
        let dashboard = try await DashboardScreen(
            120, 39, feeds: hosts.map { ("https://\($0).example/feed", AnswersBursts.feed) })
        let screen = dashboard.screen
        func showsFeeds(_ order: Int...) async -> Bool {
            let wanted = order.map { "https://\(hosts[$0]).example/feed" }
            return await screen.wait { (try? dashboard.library.feeds.all().map(\.url)) == wanted }
        }
        screen.press(together: "h", "G", "K", "K")
        #expect(await showsFeeds(0, 3, 1, 2), "\(screen.text)")
        screen.press(together: "K", "J", "J")
        #expect(await showsFeeds(0, 1, 3, 2))
        dashboard.controller.open(.setting("segments"))
        screen.application.send([])
        screen.press(together: "J", "J", "K")
        var names = SegmentName.allCases.map(\.rawValue)
        names.swapAt(0, 1)
        #expect(await screen.wait { dashboard.settings[.segments] == names.joined(separator: " ") })
    }

    /// The keys behind `d` act on the list without the deleted entry.
    @Test func NAV_06_deletesOneAfterTheOther() async throws {
        let dashboard = try await dashboard(120, 39)
        let screen = dashboard.screen
        let all = try dashboard.library.entries.list(EntryQuery(.all))
        screen.press("enter")
        try await dashboard.settle()
        screen.press(together: "d", "j", "d")
        #expect(await screen.wait { (try? dashboard.library.entries.list(EntryQuery(.all))) == [all[1], all[3]] })
    }

    /// A switch that is pressed twice at once is where it was, and pressed three times it isn't.
    @Test func NAV_06_switchesBack() async throws {
        let dashboard = try await dashboard(120, 39, segment: "stages")
        let (screen, races) = (dashboard.screen, dashboard.library.races)
        func switches(_ count: Int) async throws -> [Bool] {
            for key in ["H", "*"] {
                if count == 2 { screen.press(together: key, key) } else { screen.press(together: key, key, key) }
                try await dashboard.settle()
            }
            return try [races.hidingSpoilers() == nil, races.favourites() != Favourites()]
        }
        #expect(try await switches(2) == [false, false])
        #expect(try await switches(3) == [true, true])
    }
}
