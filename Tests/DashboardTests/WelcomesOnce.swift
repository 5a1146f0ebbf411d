import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import RaceCentre
import Races
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// The welcome sheet: choices that apply at once, imports from other programs, and every way to close it.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct WelcomesOnce {
    nonisolated private static let found = [
        DiscoveredSubscriptions(
            name: "newsboat", list: [NewSubscription(url: "https://a.example/feed")], path: "/n/urls"),
        DiscoveredSubscriptions(
            name: "list.opml",
            list: ["b", "c"].map { NewSubscription(url: "https://\($0).example/feed", folder: "Found") }),
        DiscoveredSubscriptions(name: "again", list: [NewSubscription(url: "https://b.example/feed")]),
    ]

    private func start(
        _ width: Int = 100, _ height: Int = 30, found: [DiscoveredSubscriptions] = WelcomesOnce.found,
        guide: String? = nil, isFirstStart: Bool = true, file: [String: String] = [:],
        moveIn: (@Sendable (String) async -> [String]?)? = nil
    ) async throws -> StartedDashboard {
        let library = try Library(path: nil)
        if let guide {
            let id = try await library.follow(guide)
            var feed = ParsedFeed(format: .atom)
            feed.title = "Guide"
            feed.entries = (1...2).map { number in
                var entry = ParsedEntry()
                (entry.id, entry.title, entry.contentHTML) = (
                    "\(number)", "Page \(number)", "<p>Welcome to page \(number).</p>"
                )
                entry.published = ParsedDate(instant: DashboardScreen.now - Int64(number) * 3600, text: "")
                return entry
            }
            try await library.store(feed, in: id, record: FetchRecord(date: 1))
        }
        return try StartedDashboard(
            library, width: width, height: height, segment: "stages", file: file,
            adjust: { environment in
                environment.welcome.isFirstStart = isFirstStart
                environment.welcome.find = { found }
                environment.welcome.importFile = moveIn
            })
    }

    private func isOpen(_ dashboard: StartedDashboard) -> Bool { dashboard.screen.text.contains("Welcome to tappa") }

    /// It appears at the first start if there is space for it.
    @Test func appearsAtTheFirstStartWhereItFits() async throws {
        for (width, height, fits) in [
            (30, 10, true), (29, 10, false), (30, 9, false), (100, 30, true), (42, 50, true), (29, 60, false),
            (200, 9, false),
        ] {
            let first = try await start(width, height)
            #expect(isOpen(first) == fits, "\(width) x \(height)")
            let later = try await start(width, height, isFirstStart: false)
            #expect(!isOpen(later))
        }
    }

    /// A low pane has no space for the question, and shows the note of the selected row if it fits.
    @Test func showsNotesInLowPanes() async throws {
        let dashboard = try await start(30, 10, found: [])
        for _ in 0..<9 { dashboard.screen.press("down") }
        #expect(dashboard.screen.text.contains("next segment"), "\(dashboard.screen.text)")
        #expect(!dashboard.screen.text.contains("How would you like"))
    }

    @Test func cyclesThroughThemes() {
        let names = ["a", "b", "c"]
        let steps: [(Int, String, String)] = [
            (1, "a", "b"), (1, "b", "c"), (1, "c", "a"), (-1, "a", "c"), (-1, "c", "b"), (1, "unknown", "b"),
        ]
        for (step, present, name) in steps {
            #expect(WelcomeViewController.name(step, from: present, in: names) == name)
        }
        #expect(WelcomeViewController.name(1, from: "a", in: ["a"]) == "a")
    }

    /// Cycles through all themes, and back.
    @Test func choicesApplyAtOnceAndAreStored() async throws {
        let dashboard = try await start(found: [])
        let screen = dashboard.screen
        screen.press("down", "down")
        let themes = ["dark", "light", "rosa", "high contrast", "monochrome", "terminal"]
        for theme in themes {
            try await dashboard.press("right")
            #expect(screen.text.contains("‹ \(theme) ›") && dashboard.window.theme.name == theme)
        }
        try await dashboard.press("left")
        #expect(dashboard.settings[.theme] == "monochrome" && dashboard.settings["appearance.theme"].origin == .here)
        // A click on the left part of a row goes back; one at its end goes forward.
        let row = try #require(screen.lines.firstIndex { $0.contains("‹ monochrome ›") })
        screen.click(on: "Theme")
        try await dashboard.settle()
        #expect(dashboard.settings[.theme] == "high contrast")
        screen.click(try #require(screen.lines[row].column(of: "›")), row)
        try await dashboard.settle()
        #expect(dashboard.settings[.theme] == "monochrome" && isOpen(dashboard))
    }

    /// Found lists appear above the other rows; the row that the user has chosen stays selected.
    @Test func findsListsWhileTheUserChooses() async throws {
        let chosen = try await start()
        #expect(chosen.screen.press("down", shows: "of any page that has one"))
        #expect(await chosen.screen.wait(for: "Bring 1 feed from newsboat"))
        #expect(chosen.screen.lines.contains { $0.contains("▌ Add a feed") })
        let waiting = try await start()
        #expect(await waiting.screen.wait(for: "Bring 1 feed from newsboat"))
        #expect(waiting.screen.lines.contains { $0.contains("▌ Bring 1 feed from newsboat") })
    }

    /// A first feed and a file are asked for where they can be added later, too.
    @Test(arguments: [(["enter"], "Import", "▐Settings▌"), (["down", "enter"], "Add feed", "▐Feeds")])
    func asksForAFileOrAFeed(keys: [String], title: String, segment: String) async throws {
        let dashboard = try await start(found: [])
        for key in keys { dashboard.screen.press(key) }
        #expect(!isOpen(dashboard) && dashboard.screen.lines[0].contains(segment))
        #expect(dashboard.screen.application.window.presentedViewController?.title.string == title)
    }

    /// Each found list is followed separately and once; another reader's file is imported completely.
    @Test func eachListIsFollowedOnce() async throws {
        let moved = Mutex<[String]>([])
        let dashboard = try await start(moveIn: { path in
            moved.withLock { $0.append(path) }
            return ["3 feeds", "2 searches", "read marks", "and more", "skipped: exec:x", "skipped: y"]
        })
        let screen = dashboard.screen
        #expect(await screen.wait(for: "Bring 1 feed from newsboat"))
        #expect(screen.text.contains("Bring 2 feeds from list.opml"))
        #expect(await screen.press("down", "enter", "enter") { dashboard.said == "Followed 2 feeds. R fetches them." })
        func urls() throws -> Set<String> { Set(try dashboard.library.feeds.all().map(\.url)) }
        #expect(try urls() == ["https://b.example/feed", "https://c.example/feed"])
        #expect(try dashboard.library.feeds.all().allSatisfy { $0.folder == "Found" })
        #expect(screen.lines.count { $0.contains("✓ followed") } == 1)
        #expect(screen.lines.first { $0.contains("list.opml") }?.contains("✓ followed") == true)
        screen.press("up", "enter")
        #expect(
            await screen.wait {
                dashboard.said
                    == "3 feeds · 2 searches · read marks · 2 skipped, which 'tappa import /n/urls' lists. R fetches the feeds."
            })
        #expect(moved.withLock { $0 } == ["/n/urls"])
        screen.press("enter", "down", "down", "enter")
        // An existing subscription isn't added twice.
        #expect(await screen.wait { dashboard.said == "Followed 0 feeds. R fetches them." })
        #expect(try urls().count == 2 && moved.withLock { $0.count } == 1)
        #expect(isOpen(dashboard))
    }

    @Test func reportsWhatCannotBeImported() async throws {
        let dashboard = try await start(moveIn: { _ in nil })
        #expect(await dashboard.screen.wait(for: "Bring 1 feed from newsboat"))
        dashboard.screen.press("enter")
        #expect(await dashboard.screen.wait { dashboard.said?.contains("'tappa import /n/urls' reports why") == true })
        #expect(dashboard.isFailure)
        // Without an importing program, only its feeds are added.
        let plain = try await start()
        #expect(await plain.screen.wait(for: "Bring 1 feed from newsboat"))
        #expect(await plain.screen.press("enter") { plain.said == "Followed 1 feed. R fetches them." })
    }

    /// Enter on the last rows closes it and opens the guide, Esc only closes it; any other key closes it and runs its own
    /// command.
    @Test func everyExitOpensTheGuideOrRunsItsCommand() async throws {
        for keys in [["down", "down", "enter"], ["down", "down", "down", "enter"], ["q"]] {
            let dashboard = try await start(found: [], guide: "file:///share/welcome.atom")
            for key in keys { dashboard.screen.press(key) }
            #expect(!isOpen(dashboard), "\(keys)")
            if keys == ["q"] {
                #expect(dashboard.screen.application.isFinished)
            } else {
                #expect(dashboard.screen.lines[0].contains("▐Feeds"), "\(keys)")
                #expect(await dashboard.screen.wait(for: "Welcome to page 1."), "\(keys)")
                #expect(!dashboard.screen.application.isFinished)
            }
        }
        // Without the guide the list of feeds appears.
        let plain = try await start(found: [], guide: "https://own.example/feed")
        plain.screen.press("down", "down", "down", "enter")
        #expect(plain.screen.lines[0].contains("▐Feeds") && !plain.screen.text.contains("‹ Feeds"))
        let closed = try await start(found: [], guide: "file:///share/welcome.atom")
        closed.screen.press("esc")
        #expect(!isOpen(closed) && closed.screen.lines[0].contains("▐Stages"))
        for (key, text) in [
            (DashboardSegment.key(of: "settings"), "▐Settings▌"), (DashboardSegment.key(of: "feeds"), "▐Feeds"),
            ("?", "Keys"),
        ] {
            let dashboard = try await start(found: [], guide: "file:///share/welcome.atom")
            dashboard.screen.press(key)
            #expect(!isOpen(dashboard) && dashboard.screen.text.contains(text), "\(key)")
            #expect(!dashboard.screen.text.contains("‹ Feeds"))
        }
    }

    @Test func isReadAloudInWords() async throws {
        let dashboard = try await start(file: ["appearance.screen-reader": "on"])
        #expect(await dashboard.screen.wait(for: "Bring 1 feed from newsboat"))
        let text = dashboard.screen.text
        #expect(text.contains("> Bring 1 feed from newsboat") && !text.contains("‹ terminal"), "\(text)")
        #expect(await dashboard.screen.press("enter") { dashboard.screen.text.contains("imported") })
        #expect(!dashboard.screen.text.contains("✓"))
    }

    /// A clock that goes on by two seconds whenever it is read.
    private final class Ticks: Sendable {
        private let count = Mutex<Int64>(0)

        var next: Instant {
            count.withLock { count in
                count += 2
                return DashboardScreen.now + count
            }
        }
    }

    /// A race is chosen like a theme. Nothing is fetched before Enter takes it.
    @Test func followsARaceByItsName() async throws {
        let stage = #"""
            [{"stage":1,"date":"2026-07-04T00:00:00+02:00","departureCity":{"label":"Vila"},"arrivalCity":{"label":"Serra"},
            "_id":"s","_bind":"stage-2026"}]
            """#
        let server = try LoopbackServer { request in
            request.path.hasSuffix("/stage-2026") ? .init(200, body: Array(stage.utf8)) : .init(204)
        }
        let library = try Library(path: nil)
        library.attach(
            KnownRaceReader {
                let entry = { (id: String, more: String) in
                    #"{"id": "\#(id)", "names": {"en": "\#(id.uppercased())"}, "host": "http://127.0.0.1:\#(server.port)","#
                        + #" "start": "07-04"\#(more)}"#
                }
                let entries = [entry("volta", ""), entry("classic", #", "stages": false"#), entry("giro", "")]
                return KnownRaces(bundled: Array(#"{"races": [\#(entries.joined(separator: ","))]}"#.utf8))
            })
        // Requests to a race centre are two seconds apart.
        let clock = Ticks()
        let dashboard = try StartedDashboard(
            library, width: 100, height: 30, segment: "stages",
            adjust: { environment in
                environment.welcome.isFirstStart = true
                environment.time.clock = { clock.next }
            })
        let screen = dashboard.screen
        #expect(screen.text.contains("Follow a race") && screen.text.contains("‹ none ›"))
        screen.press("down", "down", "right", "right", "right", "left")
        // Races of a day are left out, and after the last one comes none.
        #expect(screen.text.contains("‹ GIRO ›") && screen.text.contains("undocumented"), "\(screen.text)")
        #expect(screen.text.contains("⏎ follow race") && !screen.text.contains("open the guide"), "\(screen.text)")
        screen.press("left")
        #expect(screen.text.contains("‹ VOLTA ›") && server.requests.isEmpty)
        screen.press("up")
        #expect(!screen.text.contains("undocumented") && screen.text.contains("⏎ add"), "\(screen.text)")
        #expect(screen.press("down", "enter", "enter", shows: "✓ VOLTA"), "\(screen.text)")
        #expect(await screen.wait { (try? library.races.all().map(\.id)) == ["volta-2026"] })
        #expect(server.requests.count { $0.path.hasSuffix("/stage-2026") } == 1 && isOpen(dashboard))
        #expect(screen.press("right", "right", shows: "‹ none ›"))
        screen.press("enter")
        #expect(!isOpen(dashboard))
    }
}
