import CommonTesting
import LibraryTesting
import LoopbackServer
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Accounts
@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// When accounts are synced, what is reported, the outbox, and adding and removing accounts.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct SyncsByItself {
    @Test func reportsOnlyRequestedSyncs() {
        let outcomes: [(SyncOutcome, String, Bool)] = [
            (.done(added: 2, sent: 1), "home: 2 new, 1 sent", false), (.heldBack("stopped"), "home: stopped", false),
            (.failed("server away"), "home: server away", true),
        ]
        for (outcome, text, isFailure) in outcomes {
            for extent in [SyncService.Extent.send, .timer] {
                #expect(SyncController.sentence("home", outcome, extent) == nil)
            }
            let said = SyncController.sentence("home", outcome, .whole)
            #expect(said?.text == text && said?.isFailure == isFailure)
        }
    }

    @Test func showsEntriesAsTheyArrive() {
        for (fetched, total, isShown) in [
            (0, 0, false), (0, 249, false), (0, 250, true), (249, 250, true), (250, 250, false), (100, 1000, true),
            (1000, 1000, false),
        ] {
            let shown = SyncController.shown(SyncProgress(fetched: fetched, total: total))
            #expect((shown != nil) == isShown, "\(fetched) of \(total)")
            if let shown { #expect(shown.done == fetched && shown.total == total) }
        }
    }

    @Test func namesAnAccountAfterItsHost() {
        let names: [(String, String)] = [
            ("https://rss.example.org/api", "rss.example.org"), ("http://127.0.0.1:8080", "127.0.0.1"),
            ("https://a-b_c.example", "a-b_c.example"),
            ("https://" + String(repeating: "x", count: 60) + ".example", String(repeating: "x", count: 40)),
        ]
        for (address, name) in names { #expect(AccountActions.name(for: address) == name) }
    }

    @Test func saysWhatDeletingAnAccountLoses() {
        let losses: [(Int, Int, String)] = [
            (0, 0, ""), (1, 0, " 1 change has not been sent yet."), (0, 1, " 1 change has not been sent yet."),
            (1, 1, " 2 changes have not been sent yet."), (3, 0, " 3 changes have not been sent yet."),
        ]
        for (pending, refused, text) in losses {
            #expect(AccountActions.loss(pending: pending, refused: refused) == text)
        }
    }

    // MARK: Timers

    private func filledServer() throws -> ReaderServer {
        let server = try ReaderServer()
        let feed = server.addFeed("News", url: "https://news.example/feed", folder: "Papers")
        for title in ["First", "Second", "Third"] { server.addEntry(title, feed: feed) }
        return server
    }

    private func library(_ server: ReaderServer, _ name: String = "home") async throws -> Library {
        let library = try Library(path: nil)
        try await library.addAccount(name, on: server)
        return library
    }

    private func syncs(
        _ library: Library, second: Duration = .seconds(1), didFinish: @escaping () -> Void = {}
    ) -> (SyncController, StatusController) {
        let status = StatusController(messageTime: .seconds(600))
        let syncs = SyncController(
            service: SyncService(library: library, clock: { DashboardScreen.now }), library: library, status: status,
            clock: { DashboardScreen.now }, second: second, didFinish: didFinish)
        return (syncs, status)
    }

    /// Accounts sync at the start, and a mark is sent a few seconds after it was made, without messages.
    @Test func sendsMarksAutomatically() async throws {
        let server = try filledServer()
        let library = try await library(server)
        var finished = 0
        let (syncs, status) = syncs(library, second: .milliseconds(1), didFinish: { finished += 1 })
        syncs.begin()
        #expect(await eventually { (try? library.entries.count(in: EntryQuery(.all))) == 3 && finished == 1 })
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id)
        try await library.setMark(.read, true, entries: [ids[0]], now: 1)
        #expect(await eventually { server.with { $0.entries.values.count(where: \.isRead) } == 1 })
        try await library.setMark(.starred, true, entries: [ids[1]], now: 1)
        #expect(await eventually { server.with { $0.entries.values.count(where: \.isStarred) } == 1 })
        #expect(status.view.message == nil && status.progress == nil)
        syncs.end()
    }

    /// During the delay nothing is sent, so that marks are batched.
    @Test func batchesMarks() async throws {
        let server = try filledServer()
        let library = try await library(server)
        let (syncs, _) = syncs(library, second: .seconds(60))
        syncs.begin()
        #expect(await eventually { (try? library.entries.count(in: EntryQuery(.all))) == 3 })
        let id = try library.entries.rows(in: EntryQuery(.all), limit: 1)[0].id
        try await library.setMark(.read, true, entries: [id], now: 1)
        #expect(await eventually { (try? library.outbox.count()) == 1 })
        #expect(server.with { $0.entries.values.allSatisfy { !$0.isRead } })
        // Quitting sends it.
        syncs.end()
        #expect(server.with { $0.entries.values.count(where: \.isRead) } == 1)
    }

    /// A sync requested during another one follows it; the timer's doesn't.
    @Test func queuesRequestedSyncsAfterRunningOnes() async throws {
        let server = try filledServer()
        let other = try filledServer()
        let library = try await library(server)
        try await library.addAccount("second", on: other)
        let accounts = try library.accounts.all(now: 0)
        var finished = 0
        let (syncs, status) = syncs(library, didFinish: { finished += 1 })
        syncs.start([accounts[0].id], .whole)
        syncs.start(nil, .timer)
        syncs.start([accounts[1].id], .whole)
        #expect(await eventually { status.view.message?.text.string == "second: 3 new, 0 sent" })
        #expect(await eventually { finished == 2 })
        #expect(try library.entries.count(in: EntryQuery(.all)) == 6)
        // Only the requested accounts.
        server.requests = []
        syncs.start([accounts[1].id], .whole)
        #expect(await eventually { finished == 3 })
        #expect(server.requests.isEmpty)
        syncs.start(nil, .whole)
        #expect(await eventually { finished == 4 })
        #expect(!server.requests.isEmpty)
        syncs.start([99], .whole)
        #expect(finished == 4)
        server.stop()
        server.setFault { _ in .lostRequest }
        syncs.start([accounts[0].id], .whole)
        #expect(await eventually { finished == 5 })
        #expect(status.view.message?.role == .failure)
        #expect(status.view.message?.text.string.hasPrefix("home: server away") == true)
    }

    // MARK: Screens

    private func dashboard(_ server: ReaderServer) async throws -> StartedDashboard {
        let dashboard = try StartedDashboard(try await library(server), width: 110)
        #expect(await dashboard.screen.press("R") { dashboard.said == "home: 3 new, 0 sent" })
        return dashboard
    }

    @Test func dropsOrSendsPendingChanges() async throws {
        let server = try filledServer()
        let dashboard = try await dashboard(server)
        let (screen, library) = (dashboard.screen, dashboard.library)
        #expect(screen.press("O", shows: "The outbox is empty"))
        screen.press("r", "d", "O")
        #expect(!screen.text.contains("The outbox is empty"), "O closes it too")
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id)
        try await library.setMark(.read, true, entries: [ids[0]], now: 1)
        try await library.setMark(.starred, true, entries: [ids[1]], now: 1)
        let titles = try library.outbox.items().map(\.title)
        #expect(titles.count == 2)
        screen.press("O")
        for title in titles { #expect(await screen.wait(for: title)) }
        screen.press("j", "d")
        #expect(await screen.wait { dashboard.said == "Discarded. The next sync restores the server's state." })
        #expect(try library.outbox.items().map(\.title) == [titles[0]])
        #expect(await screen.wait { !screen.text.contains(titles[1]) })
        screen.press("r")
        #expect(
            await screen.wait {
                (try? library.outbox.items().isEmpty) == true && screen.text.contains("The outbox is empty")
            }
        )
        #expect(server.with { $0.entries.values.count { $0.isRead || $0.isStarred } } == 1)
        // Dropping an item isn't undone with u: it was no change of the library.
        screen.press("esc")
        #expect(!screen.text.contains("The outbox is empty"))
    }

    /// A rejected change shows the reason on its own line, and is retried when it is sent again.
    @Test func explainsAndRetriesRejectedChanges() async throws {
        let server = try filledServer()
        let dashboard = try await dashboard(server)
        let (screen, library) = (dashboard.screen, dashboard.library)
        _ = server.with { $0.traps.insert(.forgetsMarks) }
        let ids = try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id)
        try await library.setMark(.read, true, entries: [ids[0]], now: 1)
        for _ in 0..<4 where try !(library.outbox.items().first?.isRefused ?? false) {
            let service = SyncService(library: library, clock: { DashboardScreen.now })
            _ = await service.sync(try library.accounts.all(now: 0)[0], .whole)
        }
        let item = try #require(try library.outbox.items().first)
        #expect(item.isRefused && item.reason != nil)
        #expect(await screen.press("O") { screen.text.contains("! \(item.reason ?? "")".prefix(40)) })
        _ = server.with { $0.traps.remove(.forgetsMarks) }
        #expect(await screen.press("r") { (try? library.outbox.items().isEmpty) == true })
        #expect(server.with { $0.entries.values.count(where: \.isRead) } == 1)
    }

    @Test func hasAnOutboxOnceThereIsAnAccount() async throws {
        let dashboard = try StartedDashboard(try Library(path: nil))
        dashboard.screen.press("O")
        #expect(dashboard.said == "O: this needs an account")
        #expect(dashboard.window.presentedViewController == nil)
    }

    /// Address, name and password are asked for one after the other; errors appear where they were typed.
    @Test func addsAnAccountInThreeQuestions() async throws {
        let server = try filledServer()
        let library = try Library(path: nil)
        let dashboard = try StartedDashboard(library, segment: "settings")
        let screen = dashboard.screen
        screen.press("C", "ctrl-u")
        // The address is checked before the name is asked for.
        screen.type("http://127.0.0.1:1", then: "enter")
        #expect(await screen.wait(for: "127.0.0.1 does not answer"))
        screen.press("ctrl-u", typing: server.address, then: "enter")
        #expect(await screen.wait(for: "Your user name on the server"))
        screen.press("enter")
        #expect(!screen.text.contains("The API password"), "without a name nothing goes on")
        screen.press("esc", "C", "ctrl-u", typing: server.address, then: "enter")
        #expect(await screen.wait(for: "Your user name on the server"))
        screen.type("alice", then: "enter")
        #expect(await screen.wait(for: "The API password"))
        screen.type("wrong")
        #expect(!screen.text.contains("wrong"), "a password is not to be read")
        #expect(await screen.press("enter") { screen.text.contains("password") && screen.text.contains("server") })
        #expect(try library.accounts.all(now: 0).isEmpty)
        screen.press("ctrl-u", typing: "secret", then: "enter")
        #expect(await screen.wait { (try? library.accounts.all(now: 0).first?.name) == "127.0.0.1" })
        #expect(await screen.wait { (try? library.entries.count(in: EntryQuery(.all))) == 3 }, "it is synced at once")
        #expect(try library.accounts.all(now: 0).first?.user == "alice")
    }

    /// Enter on an account whose password is no longer accepted asks for the new one.
    @Test func asksForANewPassword() async throws {
        let server = try filledServer()
        let dashboard = try await dashboard(server)
        let (screen, library) = (dashboard.screen, dashboard.library)
        #expect(await screen.wait(for: "▾ Papers"))
        server.setFault { _ in .unauthorized }
        server.with { $0.password = "new" }
        screen.press("G", "k", "k", "r")
        #expect(await screen.wait { (try? library.accounts.all(now: 0).first?.needsPassword) == true })
        #expect(await screen.wait(for: "the password is no longer accepted"))
        server.setFault { _ in nil }
        #expect(await screen.press("enter", until: "Password for home"))
        screen.type("new", then: "enter")
        #expect(await screen.wait { (try? library.accounts.all(now: 0).first?.error) == .some(nil) })
        #expect(try library.accounts.all(now: 0).map(\.name) == ["home"])
    }

    /// That marks of deleted entries were dropped is shown where the user is.
    @Test func showsThatMarksWereDropped() async throws {
        let server = try filledServer()
        let dashboard = try await dashboard(server)
        let (screen, library) = (dashboard.screen, dashboard.library)
        #expect(await screen.wait(for: "▾ Papers"))
        server.with { $0.entries = [:] }
        let id = try library.entries.rows(in: EntryQuery(.all), limit: 1)[0].id
        try await library.setMark(.starred, true, entries: [id], now: 1)
        #expect(await screen.press("R", until: "1 mark was dropped"), "\(screen.text)")
    }

    /// Two users of a server have accounts of different names.
    @Test func namesASecondUserOfAServer() async throws {
        let server = try filledServer()
        let others = try await library(server, "127.0.0.1").accounts.all(now: 0)
        #expect(AccountActions.name(for: server.address, user: "alice", besides: others) == "127.0.0.1")
        #expect(AccountActions.name(for: server.address, user: "bob", besides: others) == "bob-127.0.0.1")
        for (address, host) in [
            ("http://a.example/x", "a.example"), ("https://a.example", nil), ("http://127.0.0.1:80", nil),
        ] as [(String, String?)] {
            #expect(AccountService.plainHost(address) == host)
        }
    }

    /// Each answer to the question when removing an account with pending changes.
    @Test(arguments: ["cancel", "keep", "remove"]) func keepsOrDeletesFeedsOfAnAccount(answer: String) async throws {
        let server = try filledServer()
        let dashboard = try await dashboard(server)
        let (screen, library) = (dashboard.screen, dashboard.library)
        let id = try library.entries.rows(in: EntryQuery(.all), limit: 1)[0].id
        try await library.setMark(.read, true, entries: [id], now: 1)
        #expect(await screen.wait { screen.text.contains("1 to send") })
        #expect(await screen.press("G", "k", "k", "d", until: "Remove this account?"))
        let words = screen.text.split { " \n│".contains($0) }.joined(separator: " ")
        #expect(words.contains("1 change has not been sent yet") && words.contains("1 feed"))
        switch answer {
        case "cancel": screen.press("enter")
        case "keep": screen.press("tab", "enter")
        default: screen.press("tab", "tab", "enter")
        }
        if answer == "cancel" {
            try await dashboard.settle()
            #expect(try library.accounts.all(now: 0).count == 1)
            return
        }
        #expect(await screen.wait { dashboard.said == "Removed home" })
        #expect(try library.accounts.all(now: 0).isEmpty)
        #expect(try library.feeds.all().count == (answer == "keep" ? 1 : 0))
        #expect(try library.entries.count(in: EntryQuery(.all)) == (answer == "keep" ? 3 : 0))
    }
}
