import CommonTesting
import FeedParsing
import Feeds
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import RaceModel
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Accounts
@testable import Dashboard
@testable import DashboardFrame
@testable import StagesSegment

/// Background work and messages at the start, and what is stored at the end.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct StartsAndLeaves {
    private let folder = TemporaryFolder()

    private func filled(_ path: String? = nil) async throws -> Library {
        let library = try Library(path: path)
        try await library.follow("https://one.example/feed", with: DashboardScreen.feed)
        return library
    }

    /// Returns a filled library that is only read.
    private func readOnly(_ path: String) async throws -> Library {
        do {
            let library = try await filled(path)
            _ = library.changes.drain()
        }
        return try #require(Library(glancingAt: path))
    }

    private func beginAndEndWork(of dashboard: StartedDashboard) async {
        await dashboard.controller.beginWork()
        dashboard.services.feeds.syncs.end()
        dashboard.services.races.races.end()
    }

    // MARK: Work beside the interface

    /// The index, downloads, accounts and races start independently soon after the program.
    @Test func startsBackgroundTasks() async throws {
        let server = try LoopbackServer { _ in .init(200, body: Array("sound".utf8)) }
        let reader = try ReaderServer()
        reader.addEntry("From the server", feed: reader.addFeed("News", url: "https://news.example/feed"))
        let library = try await filled(folder.path("l.sqlite"))
        try await library.addAccount(on: reader)
        try await library.changes.perform(
            .queueDownload(url: server.url("/a.mp3"), title: "Episode", allowsPrivateHost: true, now: 1))
        let released = Mutex(0)
        let dashboard = try StartedDashboard(
            library, file: ["audio.folder": folder.path("sounds")],
            adjust: { environment in
                environment.time.second = .milliseconds(1)
                environment.start.release = { released.withLock { $0 += 1 } }
            })
        #expect(try library.search.unindexedCount() == 4)
        #expect(try await dashboard.waitUntil { try library.search.unindexedCount() == 0 }, "the index is filled")
        #expect(try await dashboard.waitUntil { try library.downloads.all().first?.isDone == true })
        #expect(try library.downloads.all().first?.path == folder.path("sounds") + "/Episode.mp3")
        #expect(
            try await dashboard.waitUntil {
                try library.feeds.all().contains { $0.account != nil && $0.unread == 1 }
            }, "the account is synced")
        #expect(await dashboard.screen.wait { released.withLock { $0 } == 2 }, "what only the start has needed")
        dashboard.services.feeds.syncs.end()
    }

    /// Undo steps older than a day are deleted, later ones aren't.
    @Test func emptiesOldTrashAtStart() async throws {
        let path = folder.path("l.sqlite")
        let library = try await filled(path)
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id)
        try await library.changes.perform(.delete(entries: [ids[0]], now: 1))
        try await library.changes.perform(.delete(entries: [ids[1]], now: 1))
        let other = try DatabaseQueue(path: path)
        try await other.write { db in
            try db.execute(sql: "UPDATE undo_step SET created = unixepoch() - 80000")
            try db.execute(
                sql:
                    "UPDATE undo_step SET created = unixepoch() - 90000 WHERE id = (SELECT min(step_id) FROM trash_entry)"
            )
        }
        let before = try await other.read { try Int64.fetchAll($0, sql: "SELECT step_id FROM trash_entry ORDER BY 1") }
        #expect(before.count == 2)
        let dashboard = try StartedDashboard(library)
        await beginAndEndWork(of: dashboard)
        let after = try await other.read { try Int64.fetchAll($0, sql: "SELECT step_id FROM trash_entry ORDER BY 1") }
        #expect(after == Array(before.dropFirst()))
    }

    /// A dashboard that started on a full disk starts again once there is space; other read-only ones stay.
    @Test(arguments: [(0, true), (1 << 30, false)]) func startsAgainAfterAFullDisk(start: Int64, isFull: Bool)
        async throws
    {
        let path = folder.path("l.sqlite")
        let library = try await readOnly(path)
        let space = Mutex(start)
        let dashboard = try StartedDashboard(library) { $0.freeSpace = { space.withLock { $0 } } }
        dashboard.controller.startAgainIfPossible()
        #expect(!dashboard.controller.startsAgain)
        space.withLock { $0 = 64 << 20 }
        dashboard.controller.startAgainIfPossible()
        #expect(dashboard.controller.startsAgain == isFull)
    }

    @Test func neverWritesAReadOnlyLibrary() async throws {
        let path = folder.path("l.sqlite")
        let library = try await readOnly(path)
        #expect(library.readOnlyReason != nil)
        let dashboard = try StartedDashboard(library)
        await dashboard.controller.beginWork()
        dashboard.services.index.start()
        #expect(try library.search.unindexedCount() == 4)
        #expect(dashboard.controller.automaticReload.isReadOnly && !dashboard.controller.automaticReload.isAllowed)
        dashboard.controller.reloadByItself()
        #expect(!dashboard.services.feeds.reloads.isRunning && dashboard.said == nil)
    }

    /// An unreadable page is reported at the start; an intact library isn't mentioned.
    @Test(arguments: [false, true]) func reportsDamageAtStart(isDamaged: Bool) async throws {
        let path = folder.path("l.sqlite")
        do {
            let library = try await filled(path)
            let texts = (0..<200).map { "<p>A longer text, number \($0).</p>" }.joined()
            var feed = ParsedFeed(format: .rss)
            feed.entries = (0..<40).map { number in
                var entry = ParsedEntry()
                (entry.id, entry.title, entry.contentHTML) = ("\(number)", "Long \(number)", texts + "\(number)")
                return entry
            }
            try await library.store(feed, in: 1, record: FetchRecord(date: 1))
            _ = library.changes.drain()
        }
        let library = try Library(path: path)
        if isDamaged {
            let root = try await DatabaseQueue(path: path).read { db in
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'entry_content'") ?? 2
            }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            let size = try await DatabaseQueue(path: path).read {
                try Int.fetchOne($0, sql: "PRAGMA page_size") ?? 4096
            }
            try handle.seek(toOffset: UInt64((root - 1) * size))
            try handle.write(contentsOf: [UInt8](repeating: 0xEE, count: size))
            try handle.close()
        }
        let dashboard = try StartedDashboard(library)
        await beginAndEndWork(of: dashboard)
        let told = dashboard.services.access.status.persistent[.library]?.string
        #expect(told?.contains("partly damaged (found at the start)") ?? false == isDamaged, "\(told ?? "")")
    }

    /// A library that can't be read because its file was deleted isn't damaged.
    @Test func reportsNoDamageOfADeletedLibrary() async throws {
        let path = folder.path("l.sqlite")
        let dashboard = try StartedDashboard(try await filled(path))
        dashboard.services.access.library.releaseMemory()
        try FileManager.default.removeItem(atPath: path)
        await beginAndEndWork(of: dashboard)
        let told = dashboard.services.access.status.persistent[.library]?.string ?? ""
        #expect(!told.contains("damaged"), "\(told)")
    }

    /// Lists that can't be read don't claim to be empty.
    @Test func reportsUnreadableListsAsSuch() async throws {
        let path = folder.path("l.sqlite")
        let library = try await filled(path)
        try await library.store(RaceFile.read(Data(DashboardScreen.race.utf8)))
        let dashboard = try StartedDashboard(library)
        let model = StageListModel(access: dashboard.services.access, appearance: dashboard.services.appearance)
        model.load()
        let races = model.races
        #expect(!races.isEmpty && model.wasRead)
        try FileManager.default.removeItem(atPath: path)
        // A read in the background may still have the file open.
        #expect(
            await eventually {
                library.releaseMemory()
                return (try? library.feeds.all()) == nil
            })
        model.load()
        #expect(model.races == races)
        dashboard.screen.press("R")
        let said = dashboard.said ?? ""
        #expect(dashboard.isFailure && said.contains("can't be opened"), "\(said)")
        #expect(dashboard.screen.press("1", shows: "The races can't be read."), "\(dashboard.screen.text)")
    }

    // MARK: What is said

    @Test func reportsProblemsAtStart() async throws {
        let logged = Mutex<[String]>([])
        let dashboard = try StartedDashboard(
            try await filled(),
            adjust: { environment in
                environment.start.problems = ["In races: one", "two"]
                environment.log = { sentence in logged.withLock { $0.append(sentence) } }
            })
        #expect(dashboard.said == "In races: one; two" && dashboard.isFailure)
        #expect(logged.withLock { $0 } == ["In races: one; two"])
        let other = try StartedDashboard(
            try await filled(), adjust: { $0.configuration.problems = ["config.toml, line 3: oops", "another"] })
        #expect(other.said == "config.toml, line 3: oops (and 1 more)" && other.isFailure)
        #expect(try StartedDashboard(try await filled()).said == nil)
    }

    @Test func warnsThatALibraryInMemoryIsNotKept() throws {
        let library = try Library(inMemoryBecause: .busy)
        let dashboard = try StartedDashboard(library)
        #expect(dashboard.said?.hasPrefix("Nothing will be stored after this run: ") == true)
        dashboard.services.access.status.show("Copied.")
        #expect(dashboard.said == "Copied.")
    }

    @Test func reportsAReplacedLibrary() async throws {
        let path = folder.path("l.sqlite")
        let dashboard = try StartedDashboard(try await filled(path))
        try await dashboard.settle()
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("other.sqlite"))
        #expect(
            await dashboard.screen.wait { dashboard.said?.contains("was moved or replaced while it was open") == true })
        #expect(dashboard.said?.hasSuffix("restart tappa: nothing is stored until then") == true)
    }

    /// Changes of another program appear, and their texts are indexed.
    @Test func noticesAndIndexesChangesOfOtherPrograms() async throws {
        let path = folder.path("l.sqlite")
        let library = try await filled(path)
        try await library.indexAll()
        let dashboard = try StartedDashboard(library, adjust: { $0.time.second = .milliseconds(1) })
        let other = try Library(path: path)
        let id = try await other.follow("https://two.example/feed")
        let text = DashboardScreen.feed.replacing("Use Your Loaf", with: "From the shell")
        let reading = try FeedParser.parse(Array(text.utf8), base: "https://two.example/feed")
        try await other.store(reading.feed, in: id, record: FetchRecord(date: 1))
        #expect(await dashboard.screen.wait(for: "From the shell"))
        #expect(await dashboard.screen.wait(for: "Feeds 8"))
        #expect(try await dashboard.waitUntil { try library.search.unindexedCount() == 0 })
    }

    @Test func countsUnreadInBadgeAndTitle() async throws {
        let library = try await filled()
        let dashboard = try StartedDashboard(library, segment: "stages")
        #expect(dashboard.screen.lines[0].contains("Feeds 4") && !dashboard.screen.lines[0].contains("Stages "))
        #expect(dashboard.screen.terminal.title.string == "tappa · 4 unread")
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id)
        try await library.setMark(.read, true, entries: [ids[0]], now: 1)
        #expect(await dashboard.screen.wait { dashboard.screen.lines[0].contains("Feeds 3") })
        #expect(await dashboard.screen.wait { dashboard.screen.terminal.title.string == "tappa · 3 unread" })
        try await library.setMark(.read, true, entries: ids, now: 1)
        #expect(await dashboard.screen.wait { !dashboard.screen.lines[0].contains { $0.isNumber } })
        #expect(await dashboard.screen.wait { dashboard.screen.terminal.title.string == "tappa" })
    }

    // MARK: Focus and the end

    @Test func followsTheTerminalFocus() async throws {
        let dashboard = try StartedDashboard(try await filled())
        #expect(dashboard.services.paneFocus.hasFocus == nil)
        for hasFocus in [false, true, false] {
            dashboard.screen.application.send(.focus(hasFocus))
            #expect(dashboard.services.paneFocus.hasFocus == hasFocus)
        }
    }

    /// The state is saved whatever ends or suspends the program.
    @Test func savesStateAtEveryLifeCycleEvent() async throws {
        let events: [Application.LifeCycleEvent] = [.resumed, .willTerminate(.signal(15)), .willFinish, .focus(false)]
        for event in events {
            let dashboard = try StartedDashboard(try await filled(), segment: "settings")
            #expect(dashboard.saved.isEmpty)
            dashboard.screen.application.lifeCycle(event)
            #expect(dashboard.saved.map(\.segment) == ["settings"], "\(event)")
            #expect((dashboard.controller.leaving != nil) == (event == .willFinish), "\(event)")
        }
    }

    /// Quitting stores pending changes, stops work, and sends the outbox.
    @Test func storesChangesAndStopsTasksOnExit() async throws {
        let gate = AnswerGate()
        let server = try LoopbackServer.feed(behind: gate)
        defer { gate.open() }
        let path = folder.path("l.sqlite")
        let library = try await filled(path)
        try await library.follow(server.url("/slow"))
        let dashboard = try StartedDashboard(library)
        dashboard.screen.press("R")
        #expect(dashboard.services.feeds.reloads.isRunning)
        dashboard.services.access.setMark(
            .starred, true, try library.entries.rows(in: EntryQuery(.all), limit: 2).map(\.id))
        dashboard.screen.application.lifeCycle(.willFinish)
        #expect(dashboard.controller.leaving == .stored)
        #expect(try Library(path: path).entries.count(in: EntryQuery(.starred)) == 2)
        #expect(await dashboard.screen.wait { !dashboard.services.feeds.reloads.isRunning })
    }

    @Test func confirmsQuittingOnlyDuringAReload() async throws {
        let gate = AnswerGate()
        let server = try LoopbackServer.feed(behind: gate)
        defer { gate.open() }
        for (keys, ends) in [
            (["q"], true), (["Q"], true), (["ctrl-c"], true), (["R", "q"], false), (["R", "q", "enter"], false),
            (["R", "q", "esc"], false), (["R", "q", "tab", "enter"], true), (["R", "Q"], true),
            (["R", "ctrl-c"], false),
        ] {
            let library = try Library(path: nil)
            try await library.follow(server.url("/slow"))
            let dashboard = try StartedDashboard(library)
            for key in keys { dashboard.screen.press(key) }
            #expect(dashboard.screen.application.isFinished == ends, "\(keys)")
            if keys == ["R", "q"] { #expect(dashboard.screen.text.contains("The running reload will be cancelled.")) }
            dashboard.services.feeds.reloads.stop()
        }
    }

    // MARK: Ways from one segment into another

    @Test func opensSearchesAndStagesInTheirSegments() async throws {
        let library = try await filled()
        try await library.store(RaceFile.read(Data(DashboardScreen.race.utf8)))
        try await library.indexAll()
        let dashboard = try StartedDashboard(library, segment: "settings")
        dashboard.screen.press("S", typing: "longer", then: "enter")
        #expect(await dashboard.screen.wait { dashboard.screen.lines[0].contains("▐Feeds") })
        #expect(await dashboard.screen.wait(for: "Reading dates"))
        dashboard.services.entries.router?.showStage(3, of: "volta-2026")
        dashboard.screen.application.render()
        #expect(dashboard.screen.lines[0].contains("▐Stages▌"))
        #expect(dashboard.screen.text.contains("▌◷  3 Lisbon") || dashboard.screen.text.contains("Évora"))
        #expect(dashboard.split?.focusedColumn == .secondary)
    }

    /// The state of segments that this run never opened is kept for the next start.
    @Test func keepsStateOfSegmentsNotShown() async throws {
        var state = DashboardState(segment: "settings")
        state.roots = ["stages": #"{"race":"r"}"#, "feeds": "{}", "settings": #""feeds.order""#]
        let dashboard = try StartedDashboard(try await filled(), segment: nil, adjust: { $0.start.state = state })
        #expect(
            dashboard.screen.text.contains("▐Settings▌") && dashboard.screen.text.contains("Which entries are first"))
        dashboard.controller.saveState()
        #expect(dashboard.saved.last == state)
        // The requested segment opens first, with its saved state.
        let asked = try StartedDashboard(try await filled(), segment: "settings", adjust: { $0.start.state = state })
        #expect(asked.screen.text.contains("Which entries are first"))
        state.version = 7
        let other = try StartedDashboard(try await filled(), segment: "settings", adjust: { $0.start.state = state })
        #expect(!other.screen.text.contains("Which entries are first"))
    }
}
