import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Pictures
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races
@testable import StagesSegment

/// A stage's pictures, article and related entries, and the background reload of followed races.
@MainActor
@Suite struct ShowsStageDetails {
    private nonisolated static func race(_ count: Int, _ more: (Int) -> String = { _ in "" }) -> String {
        let stages = (1...count).map {
            #"{"number": \#($0), "date": "2026-11-\#(9 + $0)", "start": "Town \#($0)", "finish": "Sea"\#(more($0))}"#
        }
        return #"{"race": "Volta", "year": 2026, "stages": [\#(stages.joined(separator: ","))]}"#
    }

    private final class Requests: Sendable {
        private let kept = Mutex<[PictureRequest]>([])
        private let height: Int
        init(height: Int = 8) { self.height = height }
        var list: [PictureRequest] { kept.withLock { $0 } }
        func load(_ request: PictureRequest) -> Result<Picture, PictureProblem> {
            kept.withLock { $0.append(request) }
            return .success(Picture(width: 8, height: height, rgba: [UInt8](repeating: 90, count: 32 * height)))
        }
    }

    private func dashboard(
        _ race: String, _ requests: Requests, bundled: Set<Int> = [], height: Int = 40
    ) async throws -> DashboardScreen {
        try await DashboardScreen(
            120, height, segment: "stages", race: race, loadPicture: { requests.load($0) },
            adjust: { $0.pictures.hasBundled = { _, stage in bundled.contains(stage) } })
    }

    /// The bundled picture takes precedence over the photograph, which loads on request.
    @Test func showsTheBundledPictureFirst() async throws {
        let requests = Requests()
        let dashboard = try await dashboard(
            ShowsStageDetails.race(3) { $0 == 1 ? #", "image_url": "https://race.example/\#($0).jpg""# : "" }, requests,
            bundled: [1, 2])
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Illustration · P loads the photograph"), "\(screen.text)")
        #expect(await screen.press("P", until: "Photograph: race.example"))
        #expect(await screen.press("J", until: "Volta: Town 2"))
        #expect(await screen.wait(for: "Illustration"))
        #expect(!screen.text.contains("loads the photograph"))
        // There is no photograph to load.
        try await dashboard.press("P")
        #expect(
            Set(requests.list) == [
                .bundled(race: "volta-2026", stage: 1), .bundled(race: "volta-2026", stage: 2),
                .address("https://race.example/1.jpg", ownHost: "race.example"),
            ])
        screen.press("J")
        #expect(screen.text.contains("Volta: Town 3") && !screen.text.contains("Illustration"))
        #expect(!screen.text.contains("Picture"))
    }

    /// After a picture, only those of the previous and next stage are loaded.
    @Test func loadsThePicturesOfNeighbours() async throws {
        for (index, neighbours) in [(0, [2]), (2, [2, 4]), (4, [4])] {
            let requests = Requests()
            let dashboard = try await DashboardScreen(
                120, 40, segment: "feeds", race: ShowsStageDetails.race(5), loadPicture: { requests.load($0) },
                adjust: { $0.pictures.hasBundled = { _, _ in true } })
            let screen = dashboard.screen
            screen.press(DashboardSegment.key(of: "stages"))
            // Moving quickly past rows doesn't load them.
            for _ in 0..<index { screen.press("j") }
            let wanted = Set(([index + 1] + neighbours).map { PictureRequest.bundled(race: "volta-2026", stage: $0) })
            #expect(await screen.wait { Set(requests.list).isSuperset(of: wanted) })
            try await dashboard.settle()
            #expect(Set(requests.list) == wanted, "\(index): \(requests.list)")
        }
    }

    /// The picture is above the facts if six lines remain for it.
    @Test(arguments: [(40, true), (20, true), (13, false), (10, false)])
    func placesThePictureAboveTheFactsWhereItFits(height: Int, isAbove: Bool) async throws {
        let requests = Requests()
        let dashboard = try await dashboard(ShowsStageDetails.race(1), requests, bundled: [1], height: height)
        let screen = dashboard.screen
        #expect(await screen.wait { !requests.list.isEmpty })
        try await dashboard.settle()
        _ = await screen.wait { !isAbove || screen.text.contains("Illustration") }
        #expect(screen.text.contains("Illustration") == isAbove, "\(screen.text)")
        #expect(screen.text.contains("Stage 1 of 1"))
        #expect(await screen.press("]", until: "Illustration"))
        #expect(!screen.text.contains("Stage 1 of 1") && screen.text.contains("▐Picture▌"))
    }

    /// The map is beside a picture that leaves enough space for it.
    @Test func showsTheMapBesideThePicture() async throws {
        let requests = Requests(height: 12)
        let places = #", "start_lat_lon": [40.0, 8.0], "finish_lat_lon": [41.0, 9.0]"#
        let dashboard = try await dashboard(ShowsStageDetails.race(1) { _ in places }, requests, bundled: [1])
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Illustration"), "\(screen.text)")
        let top = try #require(screen.lines.first { $0.contains("╭──") }, "\(screen.text)")
        #expect(top.contains("▀") && top.hasSuffix("╮") && screen.text.contains("▐Facts▌"))
        #expect(screen.lines.contains { $0.contains("▀") && $0.contains("Sea ●") }, "\(screen.text)")
        #expect(await screen.press("]", until: "▐Picture▌"))
        #expect(!screen.text.contains("╭──") && !screen.text.contains("▀▀▀ ╭"))
    }

    /// The former picture, which stays until the next one is loaded, leaves the map as much space.
    @Test func keepsTheMapWhileAPictureLoads() async throws {
        let requests = Requests(height: 12)
        let places = #", "start_lat_lon": [40.0, 8.0], "finish_lat_lon": [41.0, 9.0]"#
        let dashboard = try await dashboard(
            ShowsStageDetails.race(4) { _ in places }, requests, bundled: [1, 2, 3, 4])
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Illustration"), "\(screen.text)")
        // Only the pictures of neighbours have been loaded ahead.
        screen.press("J", "J")
        #expect(screen.text.contains("Volta: Town 3") && !screen.text.contains("Illustration"), "\(screen.text)")
        #expect(screen.lines.contains { $0.contains("▀") && $0.contains("Sea ●") }, "\(screen.text)")
    }

    @Test func opensArticlesOnlyWhereAvailable() async throws {
        let requests = Requests()
        let dashboard = try await dashboard(
            ShowsStageDetails.race(2) { $0 == 1 ? #", "article_url": "https://race.example/1""# : "" }, requests)
        let screen = dashboard.screen
        #expect(screen.text.contains("a Read Article"))
        screen.press("l", "o")
        #expect(await dashboard.openedLinks == ["https://race.example/1"])
        screen.press("J")
        #expect(screen.text.contains("Volta: Town 2") && !screen.text.contains("Read Article"))
        screen.press("o")
        #expect(await dashboard.openedLinks == ["https://race.example/1"])
        // There, the article key adds a race.
        #expect(screen.press("a", shows: "Add race"))
    }

    // MARK: Related entries

    private static let feed = """
        <rss><channel><title>News</title>
        <item><guid>1</guid><title>Sea one</title><pubDate>Tue, 10 Nov 2026 18:00:00 GMT</pubDate><description>First text.</description></item>
        <item><guid>2</guid><title>Sea two</title><pubDate>Tue, 10 Nov 2026 17:00:00 GMT</pubDate><description>Second text.</description></item>
        <item><guid>3</guid><title>Sea three</title><pubDate>Tue, 10 Nov 2026 16:00:00 GMT</pubDate><description>Third text.</description></item>
        </channel></rss>
        """

    private func related() async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(
            140, 30, segment: "feeds", feeds: [("https://news.example/", ShowsStageDetails.feed)],
            race: ShowsStageDetails.race(1))
        try await dashboard.library.indexAll()
        #expect(await dashboard.screen.press(DashboardSegment.key(of: "stages"), "l", "[", until: "▐Related 3▌"))
        return dashboard
    }

    @Test func opensRelatedEntriesOneAfterTheOther() async throws {
        let dashboard = try await related()
        let screen = dashboard.screen
        #expect(screen.text.contains("Sea one") && screen.text.contains("Sea three"))
        #expect(await screen.press("enter", until: "First text."))
        #expect(screen.text.contains("‹ Stage 1"))
        for (key, text) in [
            ("]", "Second text."), ("]", "Third text."), ("]", "Third text."), ("[", "Second text."),
            ("[", "First text."), ("[", "First text."),
        ] {
            #expect(await screen.press(key, until: text), "\(key): \(screen.text)")
            #expect(screen.text.contains("‹ Stage 1"))
        }
        // One step back returns to the stage, however many were read.
        #expect(await screen.press("h", until: "▐Related 3▌"))
        #expect(try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9).allSatisfy(\.isRead))
        #expect(await screen.press("n", until: "No unread entries in this list."))
    }

    @Test func goesToTheNextUnreadAndDeletes() async throws {
        let dashboard = try await related()
        let screen = dashboard.screen
        let entries = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9)
        try await dashboard.library.setMark(
            .read, true, entries: [try #require(entries.first { $0.title == "Sea two" }).id], now: 1)
        #expect(
            await screen.wait {
                (try? dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9).filter(\.isRead).count) == 1
            })
        try await dashboard.settle()
        #expect(await screen.press("n", until: "Third text."))
        func titles() throws -> [String] {
            try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9).map(\.title)
        }
        #expect(await screen.press("d") { (try? titles()) == ["Sea one", "Sea two"] })
        // The entry that is then shown is the next that the key deletes.
        #expect(await screen.wait(for: "Second text."))
        #expect(await screen.press("d") { (try? titles()) == ["Sea one"] })
        #expect(await screen.press("h", until: "▐Related"))
        #expect(await screen.wait { !screen.text.contains("Sea three") })
        #expect(screen.text.contains("Sea one"))
    }

    // MARK: Followed races

    @MainActor private final class Log { var lines: [String] = [] }

    /// A reload requested by the user reports its failure; an automatic one doesn't.
    @Test func saysWhyARaceCouldNotBeReloaded() async throws {
        let broken = Mutex(false)
        let server = try LoopbackServer { request in
            broken.withLock { $0 } ? .init(500) : .init(ShowsStageDetails.race(2))
        }
        let log = Log()
        let dashboard = try await DashboardScreen(
            120, 30, segment: "stages", race: nil, adjust: { $0.log = { log.lines.append($0) } })
        let screen = dashboard.screen
        screen.press("T", "ctrl-u", typing: server.url("/v.json"), then: "enter")
        #expect(await screen.wait(for: "Following Volta 2026 with 2 stages"))
        broken.withLock { $0 = true }
        #expect(await screen.press("R") { log.lines.contains("volta-2026: server error (500)") }, "\(log.lines)")
        // The heading shows it too, until it works again.
        #expect(
            await screen.wait {
                screen.lines.contains {
                    $0.hasPrefix(" ! server error (500)") || $0.contains("! server error (500) ")
                }
            }, "\(screen.text)")
        broken.withLock { $0 = false }
        #expect(await screen.press("R") { (try? dashboard.library.races.subscriptions().first?.error) == .some(nil) })
        #expect(try dashboard.library.races.race("volta-2026")?.stages.count == 2)
    }

    private let status = StatusController(messageTime: .seconds(3600))

    private func controller(_ library: Library, quietHours: String? = nil) throws -> RaceController {
        let settings = try Settings(library: library, file: [:])
        if let quietHours { settings.use(quietHours, for: SettingKey<String>.quietHours.name) }
        return RaceController(
            library: library, settings: settings, status: status, paneFocus: PaneFocus(),
            clock: { DashboardScreen.now }, notify: { _, _, _ in nil })
    }

    /// A reload requested during an update runs afterwards, once.
    @Test func reloadsAgainAfterwards() async throws {
        let asked = Mutex(0)
        let isOpen = Mutex(false)
        let server = try LoopbackServer { _ in
            let first = asked.withLock { count in
                count += 1
                return count == 2
            }
            // The second request waits until the test releases it.
            for _ in 0..<4000 where first && !isOpen.withLock({ $0 }) { usleep(5000) }
            return .init(ShowsStageDetails.race(2))
        }
        let library = try Library(path: nil)
        let races = try controller(library)
        try await library.changes.perform(try await races.read(server.url("/v.json")).change)
        #expect(asked.withLock { $0 } == 1)
        let running = Task { await races.update(.user) }
        #expect(await eventually { asked.withLock { $0 } == 2 })
        // The timer doesn't repeat a running request; the user's request is repeated once for all races.
        await races.update(.timer)
        await races.update(.user)
        await races.update(.user)
        isOpen.withLock { $0 = true }
        await running.value
        #expect(await eventually { asked.withLock { $0 } == 3 })
        await races.update(.user)
        #expect(await eventually { asked.withLock { $0 } == 4 })
    }

    /// Requests due races from the start, except during quiet hours.
    @Test(arguments: [(nil, true), ("11-13", false)] as [(String?, Bool)])
    func reloadsDueRacesAutomatically(quietHours: String?, isAsked: Bool) async throws {
        useTimeZone()
        let asked = Mutex(0)
        let server = try LoopbackServer { _ in
            asked.withLock { $0 += 1 }
            return asked.withLock { $0 } == 1 ? .init(ShowsStageDetails.race(2)) : .init(500)
        }
        let library = try Library(path: nil)
        let races = try controller(library, quietHours: quietHours)
        try await library.changes.perform(try await races.read(server.url("/v.json")).change)
        races.begin()
        if isAsked {
            #expect(await eventually { (try? library.races.subscriptions().first?.error) == "server error (500)" })
            #expect(status.view.message == nil)
        } else {
            // The user's request comes after the timer's.
            for _ in 0..<20 { await Task.yield() }
            #expect(asked.withLock { $0 } == 1)
        }
        races.end()
    }
}
