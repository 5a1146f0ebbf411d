import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import TerminalUI
import TerminalUITesting
import Testing

@testable import Accounts
@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// When tappa reloads automatically, and when it doesn't.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct DecidesOnReloads {
    nonisolated private static let bundled: Set<String> = ["https://a.example/", "https://b.example/"]

    /// Every combination of conditions, compared to the guide: once the user has added a feed, and not in quiet hours.
    @Test func reloadsAutomaticallyOnlyAfterTheUserAdded() {
        let lists: [(addresses: [String], isOwn: Bool)] = [
            ([], false), (["file:///guide.atom"], false), (["https://a.example/"], false),
            (["file:///guide.atom", "https://a.example/", "https://b.example/"], false),
            (["https://own.example/"], true), (["https://own.example/", "https://a.example/"], true),
            (["file:///guide.atom", "https://b.example/", "https://own.example/"], true),
            (["https://a.example/other"], true), (["exec:true"], true),
        ]
        for (addresses, isOwn) in lists {
            for bits in 0..<32 {
                func bit(_ index: Int) -> Bool { bits & (1 << index) != 0 }
                let decision = AutomaticReload(
                    isReadOnly: bit(0), isQuiet: bit(1), isRunning: bit(2), hasOwnInterval: bit(3), hasAccounts: bit(4),
                    addresses: addresses, bundled: DecidesOnReloads.bundled)
                let isWanted = bit(3) || bit(4) || isOwn
                #expect(decision.hasOwnFeeds == isOwn, "\(addresses)")
                #expect(decision.isAllowed == (isWanted && !bit(0) && !bit(1) && !bit(2)), "\(addresses) \(bits)")
            }
        }
    }

    /// The conditions come from the library and the settings.
    @Test func looksAtLibraryAndSettings() async throws {
        let dashboard = try await DashboardScreen(
            80, 24, feeds: [], adjust: { $0.start.bundledFeeds = DecidesOnReloads.bundled })
        let library = dashboard.library
        var decision: AutomaticReload { dashboard.controller.automaticReload }
        #expect(decision == AutomaticReload(bundled: DecidesOnReloads.bundled))
        for url in ["file:///guide.atom", "https://a.example/", "https://b.example/"] {
            try await library.follow(url)
            #expect(!decision.isAllowed, "\(url)")
        }
        #expect(Set(decision.addresses) == ["file:///guide.atom", "https://a.example/", "https://b.example/"])
        dashboard.set("30", for: SettingKey<Int>.reloadMinutes.name)
        #expect(decision.hasOwnInterval && decision.isAllowed)
        dashboard.settings.use(nil, for: SettingKey<Int>.reloadMinutes.name)
        #expect(!decision.isAllowed)
        let own = try await library.follow("https://own.example/feed")
        #expect(decision.isAllowed && !decision.hasAccounts)
        dashboard.set("11-13", for: SettingKey<String>.quietHours.name)
        #expect(decision.isQuiet && !decision.isAllowed)
        dashboard.set("13-11", for: SettingKey<String>.quietHours.name)
        #expect(!decision.isQuiet && decision.isAllowed)
        try await library.changes.perform(.unsubscribe(own))
        #expect(!decision.isAllowed)
        try await library.changes.perform(
            .addAccount(
                NewAccount(name: "home", kind: .freshrss, address: "http://127.0.0.1:9", user: "a", secret: "1")))
        #expect(decision.hasAccounts && decision.isAllowed && !decision.isRunning)
        // An interval in the configuration file counts as the user's choice.
        let configured = try StartedDashboard(try Library(path: nil), file: ["feeds.refresh": "30"])
        #expect(configured.controller.automaticReload.hasOwnInterval)
    }

    /// An hour after the first start, the user's own feed was fetched, but neither of the bundled ones.
    @Test func bundledFeedsAreNotFetchedBeforeTheUserHasAddedOne() async throws {
        let server = try LoopbackServer.feed()
        let bundled = server.url("/bundled")
        let dashboard = try await DashboardScreen(
            80, 24, feeds: [],
            adjust: { environment in
                environment.start.bundledFeeds = [bundled]
                environment.welcome.isFirstStart = true
            })
        try await dashboard.library.follow(bundled)
        for _ in 0..<3 {
            dashboard.controller.reloadByItself()
            #expect(!dashboard.services.feeds.reloads.isRunning)
        }
        try await dashboard.library.follow(server.url("/own"))
        dashboard.controller.reloadByItself()
        #expect(dashboard.services.feeds.reloads.isRunning)
        #expect(await dashboard.screen.wait { !dashboard.services.feeds.reloads.isRunning })
        #expect(Set(server.requests.map(\.path)) == ["/bundled", "/own"])
    }

    /// The interval follows the setting from the start and changes at once.
    @Test func reloadsRepeatedlyByTimer() async throws {
        let server = try LoopbackServer.feed()
        let clock = TestClock()
        let dashboard = try await DashboardScreen(
            80, 24, feeds: [],
            adjust: { environment in
                // A minute of 60 µs: the default interval of an hour takes 3.6 ms.
                environment.time.second = .microseconds(1)
                environment.time.firstReload = .zero
                environment.time.clock = { clock.now }
                environment.reloadService = ReloadService(library: environment.library, clock: { clock.now })
            })
        try await dashboard.library.follow(server.url("/own"))
        for count in 1...2 {
            // The clock may only move once the answer is stored, or it counts as fetched a day later.
            let isStored = await dashboard.screen.wait {
                server.requests.count >= count && !dashboard.services.feeds.reloads.isRunning
            }
            #expect(isStored, "\(count)")
            // Caching is respected: the next reload is due a day later.
            clock.now += 86_400
        }
        dashboard.set("0", for: SettingKey<Int>.reloadMinutes.name)
        #expect(await dashboard.screen.wait { !dashboard.services.feeds.reloads.isRunning })
        let count = server.requests.count
        clock.now += 86_400
        for _ in 0..<10 { try await dashboard.settle() }
        #expect(!dashboard.controller.automaticReload.isAllowed && server.requests.count == count)
        dashboard.set("1", for: SettingKey<Int>.reloadMinutes.name)
        #expect(await dashboard.screen.wait { server.requests.count > count })
    }

    /// A pane that opens fetches what is due and what was never fetched, unless automatic reloads are off.
    @Test(arguments: [(60, ["/due", "/new"]), (180, ["/new"]), (0, [])]) func fetchesWhatIsDueAtTheStart(
        minutes: Int, paths: [String]
    ) async throws {
        let server = try LoopbackServer.feed()
        let (library, now) = (try Library(path: nil), DashboardScreen.now)
        for (path, age) in [("/due", Int64(7200)), ("/valid", 7200), ("/new", nil), ("/fresh", 60)] {
            let id = try await library.follow(server.url(path))
            let next = path == "/valid" ? now + 3600 : nil
            guard let age else { continue }
            try await library.changes.perform(NoteUnchanged(id, nextFetch: next, date: now - age))
        }
        let dashboard = try StartedDashboard(
            library, file: ["feeds.refresh": "\(minutes)"],
            adjust: { environment in
                environment.time.firstReload = .zero
                environment.time.second = .seconds(3600)
            })
        let reloads = dashboard.services.feeds.reloads
        #expect(await dashboard.screen.wait { server.requests.count >= paths.count && !reloads.isRunning })
        for _ in 0..<5 { try await dashboard.settle() }
        #expect(server.requests.map(\.path).sorted() == paths)
        #expect(dashboard.said == (paths.isEmpty ? nil : "\(4 * paths.count) new entries"))
    }

    /// A request of the user during an automatic reload runs afterwards.
    @Test func theUsersReloadFollowsAnAutomaticOne() async throws {
        let gate = AnswerGate()
        let feed = DashboardScreen.feed
        let server = try LoopbackServer { request in
            if request.path == "/one" { gate.wait() }
            return .init(feed)
        }
        defer { gate.open() }
        let library = try Library(path: nil)
        for path in ["/one", "/two"] { try await library.follow(server.url(path)) }
        let status = StatusController(messageTime: .seconds(600))
        let reloads = ReloadController(
            service: ReloadService(library: library, clock: { DashboardScreen.now }), status: status, didFinish: {})
        let all = try library.feeds.all()
        reloads.start([all[0]], reason: .timer, refresh: 60)
        reloads.start([all[1]])
        #expect(status.view.message == nil && status.progress?.total == 1)
        gate.open()
        #expect(await eventually { server.requests.count == 2 && !reloads.isRunning })
        #expect(server.requests.map(\.path) == ["/one", "/two"])
        // An automatic reload without news says nothing.
        reloads.start([all[0]], reason: .timer, refresh: 60)
        #expect(await eventually { !reloads.isRunning })
        #expect(status.view.message?.text.string == "4 new entries")
    }

    /// The status line at the end of a reload.
    @Test func reportsAReloadInNumbers() {
        let sentences: [(Int, Int, Bool, String)] = [
            (0, 0, false, "0 new entries"), (1, 0, false, "1 new entry"), (2, 0, false, "2 new entries"),
            (0, 1, false, "0 new entries, 1 feed failed"), (1, 2, false, "1 new entry, 2 feeds failed"),
            (5, 0, true, "Stopped: 5 new entries"), (5, 1, true, "Stopped: 5 new entries, 1 feed failed"),
        ]
        for (added, failures, wasStopped, sentence) in sentences {
            #expect(
                ReloadController.sentence(added: added, failures: failures, wasStopped: wasStopped).string == sentence)
        }
    }

    /// One reload at a time, with its progress. Each outcome is counted correctly, and the next reload starts from
    /// zero.
    @Test func showsProgressAndResultOfAReload() async throws {
        let gate = AnswerGate()
        let server = try LoopbackServer.feed(behind: gate)
        defer { gate.open() }
        let library = try Library(path: nil)
        for path in ["/one", "/bad"] { try await library.follow(server.url(path)) }
        let status = StatusController(messageTime: .seconds(600))
        final class Heard {
            var finishes = 0
            var changes = 0
        }
        let heard = Heard()
        let reloads = ReloadController(
            service: ReloadService(library: library, clock: { DashboardScreen.now }), status: status,
            didFinish: { heard.finishes += 1 })
        reloads.listen(heard) { heard.changes += 1 }
        func said() -> String? { status.view.message?.text.string }
        func finished() async -> Bool { await eventually { !reloads.isRunning } }
        reloads.start([])
        #expect(said() == "No feeds to reload." && !reloads.isRunning)
        reloads.start(try library.feeds.all())
        #expect(reloads.isRunning && status.progress?.done == 0 && status.progress?.total == 2)
        reloads.start(try library.feeds.all())
        #expect(said() == "A reload is running. X stops it.")
        #expect(await eventually { reloads.watched.count == 2 })
        #expect(reloads.watched.allSatisfy { reloads.isReading($0.subscription.id) })
        gate.open()
        #expect(await finished())
        #expect(said() == "4 new entries, 1 feed failed" && status.progress == nil && heard.finishes == 1)
        // Each one started and ended.
        #expect(heard.changes == 4)
        #expect(reloads.watched.map(\.subscription.url) == [server.url("/bad"), server.url("/one")])
        #expect(reloads.watched.allSatisfy { !reloads.isReading($0.subscription.id) })
        reloads.start(try library.feeds.all().filter { $0.url.hasSuffix("one") })
        #expect(await finished())
        #expect(said() == "0 new entries" && reloads.watched.count == 1 && heard.finishes == 2)
        gate.close()
        reloads.start(try library.feeds.all())
        #expect(await eventually { !reloads.watched.isEmpty })
        reloads.stop()
        gate.open()
        #expect(await finished())
        #expect(said()?.hasPrefix("Stopped: ") == true && status.progress == nil)
    }

    /// Running feeds come first, then failed ones, each slowest first; equal ones in the order in which they were
    /// added.
    @Test func listsTheSlowestFirst() {
        func item(_ id: FeedID, _ result: ReloadOutcome.Result, _ seconds: Double) -> ReloadController.Item {
            let row = SubscriptionRow(id: id, url: "", title: "", unread: 0, total: 0)
            return ReloadController.Item(
                subscription: row,
                state: .done(ReloadOutcome(subscription: row, result: result, problems: [], seconds: seconds)))
        }
        let running = ReloadController.Item(
            subscription: SubscriptionRow(id: 9, url: "", title: "", unread: 0, total: 0), state: .running(since: .now))
        #expect(running.rank == 0 && running.seconds < 60)
        #expect(item(1, .failed("no"), 1).rank == 1)
        for result in [ReloadOutcome.Result.unchanged, .heldBack("later")] { #expect(item(1, result, 1).rank == 2) }
        let items = [
            item(1, .unchanged, 1), item(2, .failed("x"), 1), item(3, .unchanged, 5), item(4, .failed("x"), 2), running,
            item(6, .unchanged, 1),
        ]
        #expect(ReloadController.ordered(items).map(\.subscription.id) == [9, 4, 2, 3, 1, 6])
        #expect(ReloadController.ordered(items.reversed()).map(\.subscription.id) == [9, 4, 2, 3, 1, 6])
    }
}
