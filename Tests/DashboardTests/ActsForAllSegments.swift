import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Pictures
import RaceModel
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Accounts
@testable import Articles
@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// Actions that are the same in every segment: copying, opening, playing, marking, reloading, hiding spoilers, undoing.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10))) struct ActsForAllSegments {
    private func filled(_ urls: [String] = ["https://one.example/feed"]) async throws -> Library {
        let library = try Library(path: nil)
        for url in urls { try await library.follow(url, with: DashboardScreen.feed) }
        return library
    }

    // MARK: Links

    @Test func copiesALinkWithAndWithoutItsTitle() async throws {
        let dashboard = try StartedDashboard(try await filled())
        let (services, terminal) = (dashboard.services, dashboard.screen.terminal)
        let controller = dashboard.controller.navigation
        services.access.status.copy("https://a.example/", from: controller)
        #expect(terminal.copied == "https://a.example/" && dashboard.said == "Link copied to the terminal's clipboard.")
        let titles: [(String, String, String)] = [
            ("A title", "https://a.example/", "[A title](https://a.example/)"),
            (
                "[x] \\ *y* _z_ `w` <v>", "https://a.example/",
                "[\\[x\\] \\\\ \\*y\\* \\_z\\_ \\`w\\` \\<v\\>](https://a.example/)"
            ),
            ("t", "https://a.example/(b)", "[t](<https://a.example/(b)>)"),
            ("t", "https://a.example/b c", "[t](<https://a.example/b c>)"),
            ("t", "https://a.example/<b>", "[t](<https://a.example/b>)"),
        ]
        for (title, link, markdown) in titles {
            services.access.status.copy(link, titled: title, from: controller)
            #expect(terminal.copied == markdown)
            #expect(dashboard.said == "Title and link copied to the terminal's clipboard.")
        }
        services.access.status.copy(nil, from: controller)
        #expect(dashboard.said == "This entry has no link." && terminal.copied == titles.last?.2)
        services.access.status.show("")
        services.access.status.copy(nil, titled: "t", from: controller)
        #expect(dashboard.said == "This entry has no link." && terminal.copied == titles.last?.2)
        #expect(StatusController.sentence(copied: "x", .tmux).string == "x copied into tmux's buffer.")
    }

    @Test func opensALinkAndReportsAFailure() async throws {
        for problem in [nil, "there is no browser"] as [String?] {
            let opened = Mutex<[String]>([])
            let library = try await filled()
            let dashboard = try StartedDashboard(
                library,
                adjust: { environment in
                    environment.programs.openLink = { link in
                        opened.withLock { $0.append(link) }
                        return problem
                    }
                })
            dashboard.services.entries.web.openLink(nil)
            #expect(dashboard.said == "This entry has no link.")
            dashboard.services.entries.web.openLink("https://a.example/")
            #expect(dashboard.said == "Opening in the browser …")
            #expect(await dashboard.screen.wait { dashboard.said == problem ?? "Opened in the browser." })
            #expect(dashboard.isFailure == (problem != nil) && opened.withLock { $0 } == ["https://a.example/"])
        }
    }

    /// An enclosure continues where it was left, and its position is stored.
    @Test func resumesARecording() async throws {
        let starts = Mutex<[Int]>([])
        let heard = Mutex(PlayedEnclosure(position: 90, duration: 600))
        let library = try await filled()
        let dashboard = try StartedDashboard(
            library,
            adjust: { environment in
                environment.programs.play = { _, _, start, keep in
                    starts.withLock { $0.append(start) }
                    keep(heard.withLock { $0 })
                    return nil
                }
            })
        let url = "https://one.example/1.mp3"
        for count in 1...3 {
            dashboard.services.entries.enclosures.play(url)
            #expect(await dashboard.screen.wait { starts.withLock { $0.count } == count })
            #expect(await dashboard.screen.wait { dashboard.said == "" })
            try await dashboard.settle()
            heard.withLock { $0.position = 600 }
        }
        // A finished recording restarts.
        #expect(starts.withLock { $0 } == [0, 90, 0])
    }

    @Test func reportsAFailedTask() async throws {
        let dashboard = try StartedDashboard(try await filled())
        dashboard.services.access.tell { "Wrote 1 feed" }
        #expect(dashboard.said == "Wrote 1 feed" && !dashboard.isFailure)
        dashboard.services.access.tell { throw LibraryError.busy }
        #expect(dashboard.said == "the library is locked by another program" && dashboard.isFailure)
        #expect(dashboard.services.access.read(7) { _ in 8 } == 8)
        dashboard.services.access.status.show("")
        #expect(dashboard.services.access.read(7) { _ in throw LibraryError.busy } == 7 && dashboard.isFailure)
    }

    // MARK: Reloads

    /// Reloads local feeds and syncs accounts: all or some, by the user or by the timer.
    @Test func reloadsFeedsAndSyncsAccounts() async throws {
        let server = try LoopbackServer { _ in .init("<rss><channel><title>Own</title></channel></rss>") }
        let reader = try ReaderServer()
        reader.addEntry("Far", feed: reader.addFeed("News", url: "https://news.example/feed"))
        let library = try Library(path: nil)
        let own = try await library.follow(server.url("/own"))
        let second = try await library.follow(server.url("/second"))
        try await library.addAccount(on: reader)
        let dashboard = try StartedDashboard(library)
        let services = dashboard.services
        func rows(_ ids: [FeedID]) throws -> [SubscriptionRow] {
            try library.feeds.all().filter { ids.contains($0.id) }
        }
        func rest() async -> Bool { await dashboard.screen.wait { !services.feeds.reloads.isRunning } }
        services.feeds.reload()
        #expect(services.feeds.reloads.isRunning)
        #expect(await rest())
        #expect(await dashboard.screen.wait { (try? library.entries.count(in: EntryQuery(.all))) == 1 })
        #expect(Set(server.requests.map(\.path)) == ["/own", "/second"])
        #expect(
            await dashboard.screen.wait {
                (try? library.accounts.all(now: DashboardScreen.now).first?.isSyncing) == false
            })
        reader.requests = []
        services.feeds.reload(try rows([second]), reason: .insisting)
        #expect(await rest())
        #expect(server.requests.map(\.path).filter { $0 == "/second" }.count == 2 && server.requests.count == 3)
        #expect(reader.requests.isEmpty, "the account was not asked for")
        let far = try #require(try library.feeds.all().first { $0.account != nil })
        services.feeds.reload([far], reason: .insisting)
        #expect(!services.feeds.reloads.isRunning)
        #expect(await dashboard.screen.wait { !reader.requests.isEmpty && dashboard.said == "home: 0 new, 0 sent" })
        #expect(server.requests.count == 3)
        services.feeds.reload(try rows([own]) + [far], reason: .insisting)
        #expect(services.feeds.reloads.isRunning)
        #expect(await rest())
        #expect(server.requests.count == 4)
        // Without feeds and accounts a message says so.
        let empty = try StartedDashboard(try Library(path: nil))
        empty.screen.press("R")
        #expect(empty.said == "No feeds to reload.")
        empty.services.feeds.reload([])
        #expect(empty.said == "No feeds to reload.")
    }

    /// The keys that start, stop and show a reload.
    @Test func startsWatchesAndStopsAReload() async throws {
        let gate = AnswerGate()
        let server = try LoopbackServer.feed(behind: gate)
        defer { gate.open() }
        let library = try Library(path: nil)
        for path in ["/good", "/bad"] { try await library.follow(server.url(path)) }
        let dashboard = try StartedDashboard(library, width: 110)
        let screen = dashboard.screen
        #expect(screen.press("L", shows: "No reload yet. R reloads all feeds."))
        screen.press("esc", "R")
        #expect(screen.lines[0].contains("0/2"))
        #expect(await screen.press("L") { screen.lines.count { $0.contains("… 0.") } == 2 })
        gate.open()
        #expect(await screen.wait { dashboard.said == "4 new entries, 1 feed failed" })
        #expect(await screen.wait { screen.text.contains("4 new · ") })
        let lines = screen.lines
        let failed = try #require(lines.firstIndex { $0.dropFirst(20).contains("! ") })
        let changed = try #require(lines.firstIndex { $0.contains("4 new · ") })
        #expect(failed < changed, "what failed stands first")
        screen.press("g", "g", "enter")
        #expect(await screen.wait { server.requests.count == 3 && !dashboard.services.feeds.reloads.isRunning })
        #expect(server.requests.last?.path == "/bad")
        gate.close()
        screen.press("esc", "R", "X")
        gate.open()
        #expect(await screen.wait { dashboard.said?.hasPrefix("Stopped: ") == true })
    }

    // MARK: Marks and undo

    @Test func marksAWholeScopeRead() async throws {
        let library = try await filled(["https://one.example/feed", "https://two.example/feed"])
        let dashboard = try StartedDashboard(library)
        let first = try library.feeds.all()[0].id
        dashboard.services.access.markAllRead(in: .subscription(first))
        try await dashboard.settle()
        #expect(
            try library.feeds.unreadCount() == 4 && library.entries.count(in: EntryQuery(.subscription(first))) == 4)
        #expect(try library.feeds.all().map(\.unread) == [0, 4])
        dashboard.services.access.changes.undo()
        try await dashboard.settle()
        #expect(try library.feeds.unreadCount() == 8)
        dashboard.services.access.markAllRead(in: .all)
        try await dashboard.settle()
        #expect(try library.feeds.unreadCount() == 0)
    }

    /// Fifty steps can be undone, last first. Automatic changes are not among them.
    @Test func undoesFiftyStepsInReverseOrder() async throws {
        let library = try await filled()
        let dashboard = try StartedDashboard(library)
        let (services, ids) = (dashboard.services, try library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.id))
        services.access.changes.undo()
        #expect(dashboard.said == "Nothing to undo." && services.access.changes.next == nil)
        services.access.setMark(.starred, true, [ids[0]])
        services.access.setMark(.later, true, [ids[1]])
        services.access.setMark(.read, true, [ids[2]], isOwnStep: false)
        try await dashboard.settle()
        #expect(services.access.changes.next?.string.isEmpty == false)
        #expect(try library.marks() == [3, 1, 1])
        services.access.changes.undo()
        try await dashboard.settle()
        #expect(try library.marks() == [3, 1, 0])
        services.access.changes.undo()
        try await dashboard.settle()
        #expect(try library.marks() == [3, 0, 0])
        services.access.changes.undo()
        #expect(dashboard.said == "Nothing to undo.")
        for step in 0..<52 { services.access.setMark(.starred, step % 2 == 0, [ids[0]]) }
        try await dashboard.settle()
        var undone = 0
        while services.access.changes.next != nil, undone < 60 {
            services.access.changes.undo()
            undone += 1
        }
        #expect(undone == 50)
    }

    /// A change is reported with the key that undoes it, or with its own message.
    @Test func offersUndoAfterAChange() async throws {
        let library = try await filled()
        let dashboard = try StartedDashboard(library)
        let id = try library.entries.rows(in: EntryQuery(.all), limit: 1)[0].id
        dashboard.services.access.setMark(.starred, true, [id])
        #expect(await dashboard.screen.wait { dashboard.said?.hasPrefix("u: ") == true })
        dashboard.services.access.status.show("")
        dashboard.services.access.setMark(.later, true, [id], isOwnStep: false)
        try await dashboard.settle()
        #expect(dashboard.said == "", "what happens by itself says nothing")
        dashboard.services.access.changes.submit(
            .mark(.later, false, entries: [id], wholeStories: false, now: 1), message: "Gone")
        #expect(await dashboard.screen.wait { dashboard.said == "Gone" })
        // Messages about earlier changes don't count, also without a key in between.
        dashboard.services.access.setMark(.starred, false, [id])
        #expect(await dashboard.screen.wait { dashboard.said?.hasPrefix("u: ") == true })
    }

    // MARK: Hidden results

    @Test func hidesResultsOfAllRacesOrOne() async throws {
        let library = try await filled()
        try await library.store(RaceFile.read(Data(DashboardScreen.race.utf8)))
        try await library.store(RaceFile.read(Data(DashboardScreen.race.replacing("Volta", with: "Giro").utf8)))
        let dashboard = try StartedDashboard(library, segment: "stages")
        let services = dashboard.services
        let races = try library.races.all()
        let volta = try #require(races.first { $0.name == "Volta" })
        let giro = try #require(races.first { $0.name == "Giro" })
        func hidden() -> [Bool] { [volta, giro].map { services.access.hidesResults(of: $0.id) } }
        #expect(hidden() == [false, false])
        services.access.toggleHiddenResults(of: volta)
        #expect(await dashboard.screen.wait { dashboard.said == "The spoilers of Volta 2026 are hidden." })
        #expect(hidden() == [true, false])
        services.access.toggleHiddenResults(of: volta)
        #expect(await dashboard.screen.wait { dashboard.said == "The spoilers of Volta 2026 are shown." })
        #expect(hidden() == [false, false])
        services.access.toggleHiddenResults()
        #expect(await dashboard.screen.wait { dashboard.said?.hasPrefix("Spoilers are hidden. ") == true })
        #expect(hidden() == [true, true])
        services.access.toggleHiddenResults(of: giro)
        #expect(dashboard.said?.hasPrefix("The spoilers of all races are hidden. H shows them.") == true)
        try await dashboard.settle()
        #expect(hidden() == [true, true])
        services.access.toggleHiddenResults()
        #expect(await dashboard.screen.wait { dashboard.said == "Spoilers are shown." })
        #expect(hidden() == [false, false])
    }

    // MARK: Pictures of an article

    @Test func showsThePicturesOfAnArticleInTurn() async throws {
        let asked = Mutex<[PictureRequest]>([])
        let opened = Mutex<[String]>([])
        let isBroken = Mutex(true)
        let dashboard = try StartedDashboard(
            try await filled(), width: 80,
            adjust: { environment in
                environment.programs.openLink = { link in
                    opened.withLock { $0.append(link) }
                    return nil
                }
                environment.pictures.load = { request in
                    asked.withLock { $0.append(request) }
                    guard case .address(let url, _) = request, !(url.hasSuffix("2.jpg") && isBroken.withLock({ $0 }))
                    else {
                        return .failure(PictureProblem("404 Not Found"))
                    }
                    return .success(Picture(width: 40, height: 30, rgba: [UInt8](repeating: 90, count: 4800)))
                }
            })
        let images = [("1", "Climb"), ("2", ""), ("3", "Finish")].map {
            ArticleImage(url: "https://pics.example/\($0.0).jpg", description: DisplayText($0.1))
        }
        let pictures = PictureViewController(images, ownHost: "pics.example", services: dashboard.services.entries)
        dashboard.window.focusedController.navigationController?.push(pictures)
        let screen = dashboard.screen
        screen.application.render()
        #expect(await screen.wait(for: "From pics.example"))
        #expect(pictures.title.string == "1/3 Climb")
        screen.press("[")
        #expect(pictures.title.string == "3/3 Finish")
        screen.press("]", "]")
        #expect(pictures.title.string == "2/3 Picture")
        #expect(await screen.wait(for: "404 Not Found. r retries"))
        isBroken.withLock { $0 = false }
        #expect(await screen.press("r") { !screen.text.contains("404") && screen.text.contains("From pics.example") })
        #expect(await screen.press("o") { opened.withLock { $0 } == ["https://pics.example/2.jpg"] })
        #expect(
            asked.withLock {
                $0.allSatisfy { request in
                    if case .address(_, "pics.example") = request { true } else { false }
                }
            })
        let count = asked.withLock { $0.count }
        screen.press("[", "]")
        #expect(asked.withLock { $0.count } == count, "what was seen is there at once")
        // A single picture has no neighbours.
        let one = PictureViewController([images[1]], ownHost: nil, services: dashboard.services.entries)
        #expect(one.title.string == "Picture")
        #expect(one.commands.filter(\.isEnabled).map(\.name) == ["picture.browser"])
        let other = PictureViewController([images[0]], ownHost: nil, services: dashboard.services.entries)
        #expect(other.title.string == "Climb")
    }
}
