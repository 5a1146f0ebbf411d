import Foundation
import LibraryTesting
import LoopbackServer
import Pictures
import RaceModel
import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import FeedParsing

/// A walk from a stage to its picture, map, article and news, and back from an entry to its stage.
@MainActor
@Suite struct FollowsStages {
    private nonisolated static let page = """
        <html><head><title>x</title><meta property="article:published_time" content="2010-05-09T18:30:00+02:00"></head><body><nav><a href="/">Home</a> <a href="/a">A long list of links to elsewhere</a></nav>
        <div id="content"><h1>Rider One wins</h1><p>\(String(repeating: "The peloton let the breakaway go before the last climb. ", count: 8))</p>
        <p>\(String(repeating: "On the descent nobody could follow. ", count: 6))</p></div>
        <div class="comments"><p>\(String(repeating: "First! What a stage this was, I say. ", count: 4))</p></div></body></html>
        """

    @Test func STA_05_pushesTheArticleWithABackItem() async throws {
        let server = try LoopbackServer { request in
            request.path == "/1" ? .init(FollowsStages.page, type: "text/html") : .init(404)
        }
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: DashboardScreen.race(on: server))
        let screen = dashboard.screen
        #expect(screen.text.contains("a Read Article"))
        #expect(await screen.press("l", "a") { screen.text.contains("The peloton let the breakaway") })
        #expect(screen.text.contains("‹ Stage 1"))
        #expect(screen.text.contains("127.0.0.1"))
        #expect(!screen.text.contains("Home"))
        #expect(!screen.text.contains("First!"))
        #expect(screen.text.contains("Sunday 9 May 2010"))
        #expect(screen.press("p", shows: "2010-05-09T18:30:00+02:00"))
        screen.press("p")
        #expect(screen.press("h", shows: "Winner    Rider One"))
        // The page's date is shown beside the stage's own.
        #expect(screen.press("p", shows: "Article"))
        #expect(screen.text.contains("9 May 2010, "))
    }

    @Test func STA_06_repeatsARouteThatTheBarCuts() async throws {
        let dashboard = try await DashboardScreen(120, 24, segment: "stages")
        let screen = dashboard.screen
        // In the list and in the bar.
        for route in ["Porto → Lisbon", "Lisbon → Évora"] {
            #expect(screen.text.components(separatedBy: route).count - 1 == 2)
            screen.press("j", "j")
        }
        screen.press("g", "g", "l")
        screen.resize(24, 20)
        #expect(screen.text.contains("Porto → Lisbon"))
    }

    @Test func runsDetailCommandsFromTheList() async throws {
        let dashboard = try await DashboardScreen(120, 24, segment: "stages")
        let screen = dashboard.screen
        #expect(screen.press("]", shows: "▐Standings▌"))
        screen.press("j", "J")
        #expect(screen.text.contains("Volta: Lisbon → Évora") && screen.text.contains("▐Standings▌"))
        #expect(screen.text.contains("▌◆  3 Lisbon → Évora"))
        #expect(screen.press("k", "k", shows: "Volta: Porto → Lisbon"))
        screen.press("o")
        #expect(await dashboard.openedLinks == ["https://race.example/1"])
    }

    @Test func saysWhereAnArticleIsGone() async throws {
        let answers = Mutex(0)
        let server = try LoopbackServer { _ in
            answers.withLock { count in
                count += 1
                return count == 1 ? .init(404) : .init("<html><body><p>Too short.</p></body></html>", type: "text/html")
            }
        }
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: DashboardScreen.race(on: server))
        let screen = dashboard.screen
        #expect(await screen.press("l", "a") { screen.text.contains("the page no longer exists (404)") })
        #expect(await screen.press("r") { screen.text.contains("No article found") })
        screen.press("o")
        #expect(await dashboard.openedLinks == [server.url("/1")])
    }

    @Test func STA_03_loadsThePictureAndReportsAFailure() async throws {
        let requests = Mutex<[PictureRequest]>([])
        let dashboard = try await DashboardScreen(100, 40, segment: "stages", race: DashboardScreen.pictureRace) {
            request in
            let count = requests.withLock { list in
                list.append(request)
                return list.count
            }
            if count == 1 { return .failure(PictureProblem("server error (500)")) }
            // The left half is black, the right half white.
            let row = [UInt8]([0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255])
            return .success(Picture(width: 4, height: 4, rgba: row + row + row + row))
        }
        let screen = dashboard.screen
        #expect(await screen.wait { screen.text.contains("! server error (500). r retries.") })
        #expect(await screen.press("l", "r") { screen.text.contains("▀▀▀▀") })
        #expect(screen.text.contains("Photograph: race.example"))
        // Showing it again doesn't request it again.
        #expect(await screen.press("J", "K") { screen.text.contains("▀▀▀▀") })
        #expect(
            requests.withLock { $0 } == [
                .address("https://race.example/1.jpg", ownHost: "race.example"),
                .address("https://race.example/1.jpg", ownHost: "race.example"),
            ])
        #expect(screen.press("]", shows: "▐Picture▌"))
        func whiteCells() -> Int { (0..<100).count { screen.terminal.cells[$0, 12].style.foreground == .palette(231) } }
        let before = whiteCells()
        screen.press("+", "+", "+", "+")
        for _ in 0..<30 { screen.press("right") }
        #expect(whiteCells() > before)
        screen.press("0")
        #expect(whiteCells() == before)
        #expect(screen.press("]", shows: "▐Map▌"))
        #expect(screen.text.contains("●Lisbon") || screen.text.contains("● Lisbon"))
        #expect(screen.press("]", shows: "▐Standings▌"))
    }

    @Test func SPL_10_onlyRecentDetailsKeepPictures() async throws {
        let stages = (1...6).map { number in
            """
            {"number": \(number), "start": "Town \(number)", "finish": "Sea",
             "image_url": "https://race.example/\(number).jpg"}
            """
        }
        let requests = Mutex<[PictureRequest]>([])
        let dashboard = try await DashboardScreen(
            120, 40, segment: "stages",
            race: "{\"race\": \"Volta\", \"year\": 2026, \"stages\": [\(stages.joined(separator: ","))]}"
        ) { request in
            requests.withLock { $0.append(request) }
            // Large pictures, of which few stay in memory.
            return .success(Picture(width: 1200, height: 900, rgba: [UInt8](repeating: 90, count: 1200 * 900 * 4)))
        }
        let screen = dashboard.screen
        func isShown(_ number: Int, loads: Int) async -> Bool {
            await screen.wait {
                screen.text.contains("Volta: Town \(number) → Sea") && screen.text.contains("Photograph: race.example")
                    && requests.withLock { $0.count } == loads
            }
        }
        #expect(await isShown(1, loads: 1))
        for number in 2...5 {
            screen.press("J")
            #expect(await isShown(number, loads: number))
        }
        // Its picture is still there; the first one was released and loads again.
        screen.press("K", "K")
        #expect(await isShown(3, loads: 5))
        screen.press("K", "K")
        #expect(
            await screen.wait {
                requests.withLock { $0.last } == .address("https://race.example/1.jpg", ownHost: "race.example")
            })
        #expect(screen.text.contains("Volta: Town 1 → Sea"))
    }

    @Test func STA_06_newsAboutAStageAndTheStageOfAnEntry() async throws {
        let feed = """
            <rss><channel><title>News</title><item><guid>1</guid><title>A sprint in Lisbon</title>
            <pubDate>Tue, 10 Nov 2026 18:00:00 GMT</pubDate><description>Rider One was the fastest of the Volta.</description></item>
            <item><guid>2</guid><title>Lisbon in spring</title><pubDate>Tue, 10 Mar 2026 18:00:00 GMT</pubDate></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(120, 30, segment: "feeds", feeds: [("https://news.example/", feed)])
        let screen = dashboard.screen
        try await dashboard.library.indexAll()
        #expect(await screen.press("enter", "enter") { screen.text.contains("was the fastest") })
        #expect(await screen.press("E") { screen.text.contains("Volta: Porto → Lisbon") })
        #expect(screen.lines[0].contains("▐Stages▌"))
        #expect(screen.text.contains("Related 1"))
        #expect(screen.press("[", shows: "A sprint in Lisbon"))
        #expect(!screen.text.contains("Lisbon in spring"))
        #expect(await screen.press("enter") { screen.text.contains("was the fastest") })
        #expect(screen.text.contains("‹ Stage 1"))
    }

    @Test func STA_07_exportsDeletesAndFollowsRaces() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "stages")
        let screen = dashboard.screen
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".json")
        defer { try? FileManager.default.removeItem(at: file) }
        let race = try #require(try dashboard.library.races.all().first)
        let whole = try dashboard.library.races.race(race.id)
        for _ in 0..<2 {
            screen.press("w", "ctrl-u", typing: file.path, then: "enter")
            #expect(screen.text.contains("Saved \(race.name)") || screen.text.contains("File exists"))
        }
        let server = try LoopbackServer { request in
            request.path == "/race" ? .init((try? String(contentsOf: file, encoding: .utf8)) ?? "") : .init(404)
        }
        #expect(await screen.press("d") { screen.text.contains("No races") })
        for (path, words) in [("/none", "not found (404)"), ("/race", "Following \(race.name)")] {
            screen.press(DashboardSegment.key(of: path == "/none" ? "settings" : "stages"), "T", "ctrl-u")
            screen.type(server.url(path), then: "enter")
            #expect(await screen.wait { screen.text.contains(words) })
        }
        #expect(try dashboard.library.races.race(race.id) == whole)
        #expect(await screen.press(DashboardSegment.key(of: "stages")) { screen.text.contains("Facts") })
    }

    @Test func STA_07_confirmsARaceThatShrank() async throws {
        let documents = Mutex(FollowsStages.race(stages: 4))
        let server = try LoopbackServer { _ in .init(documents.withLock { $0 }) }
        let dashboard = try await DashboardScreen(100, 24, segment: "stages", race: FollowsStages.race(stages: 3))
        let screen = dashboard.screen
        // The key has no article to open.
        screen.press("a", "ctrl-u", typing: server.url("/tour.json"), then: "enter")
        #expect(await screen.wait(for: "Following Tour 2027 with 4 stages"))
        documents.withLock { $0 = FollowsStages.race(stages: 1) }
        let count = { try dashboard.library.races.race("tour-2027")?.stages.count }
        for (key, stages) in [("esc", 4), ("enter", 4), ("t", 1)] {
            #expect(await screen.press("R", until: "Tour 2027 now has only 1 of 4 stages"))
            #expect(try count() == 4)
            if key == "t" { screen.press("right") }
            screen.press(key == "t" ? "enter" : key)
            #expect(await screen.wait { (try? count()) == stages })
            #expect(!screen.text.contains("Accept the shorter race?"))
        }
    }

    private nonisolated static func race(stages: Int) -> String {
        let rows = (1...stages).map { "{\"number\": \($0), \"start\": \"A\", \"finish\": \"B\"}" }
        return "{\"race\": \"Tour\", \"year\": 2027, \"stages\": [\(rows.joined(separator: ","))]}"
    }

    @Test func theMapShowsTheRecordedWayAndItsWayPoints() async throws {
        let dashboard = try await DashboardScreen(100, 40, segment: "stages")
        let race = try #require(try dashboard.library.races.all().first?.id)
        let stage = try #require(try dashboard.library.races.race(race)?.stages.first)
        // A route along three sides of a square; a straight line would follow the fourth.
        let corners = [(40.0, -8.0), (41, -8), (41, -7), (40, -7)]
        let track = Track(
            points: corners.enumerated().map {
                .init(distance: Double($0) * 100, height: 10, north: $1.0, east: $1.1)
            }, wayPoints: [.init(name: "The\u{1B}[31m corner", north: 41, east: -7.5)])
        let screen = dashboard.screen
        screen.press("l")
        // The track arrives while the stage is shown.
        #expect(
            try await dashboard.library.changes.perform(.storeTrack(track, race: race, stage: stage.number)).count == 1)
        #expect(await screen.wait { screen.text.contains("▁▁") || screen.text.contains("▂") })
        screen.turn(to: "Map")
        #expect(screen.text.contains("◆ The[31m corner"))
        #expect(screen.text.contains("○") && screen.text.contains("●"))
        let row = try #require(screen.lines.first { $0.contains("◆") })
        #expect(row.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    }

    @Test func STA_02_selectsAndShowsTheStageOfToday() async throws {
        let first = try await DashboardScreen(120, 30, segment: "stages")
        #expect(first.screen.text.contains("▌▬  1 Porto") && first.screen.text.contains("│ «  Volta: Porto → Lisbon"))
        // Friday 20 November 2026 is today.
        let race = DashboardScreen.race.replacing("2026-11-12", with: "2026-11-20")
        let today = try await DashboardScreen(120, 30, segment: "stages", race: race)
        #expect(today.screen.text.contains("▌◆  3 Lisbon") && today.screen.text.contains("│ «  Volta: Lisbon → Évora"))
    }

    @Test func STA_08_creditsThePicture() async throws {
        let dashboard = try await DashboardScreen(
            120, 39, segment: "stages", race: DashboardScreen.pictureRace,
            loadPicture: { _ in .success(Picture(width: 2, height: 2, rgba: [UInt8](repeating: 99, count: 16))) })
        #expect(await dashboard.screen.wait(for: "Photograph: race.example"))
    }

    /// A stage's article returns at the same line without another request.
    @Test func SPL_10_aStageKeepsItsArticle() async throws {
        let words = (0..<400).map { "word\($0)" }.joined(separator: " ")
        let requests = Mutex(0)
        let server = try LoopbackServer { _ in
            requests.withLock { $0 += 1 }
            return .init(
                "<html><body><article><p>\(words)</p><p>\(words)</p></article></body></html>", type: "text/html")
        }
        let dashboard = try await DashboardScreen(100, 20, segment: "stages", race: DashboardScreen.race(on: server))
        let screen = dashboard.screen
        #expect(await screen.press("l", "a", until: "word30"))
        screen.press("space", "j")
        let before = screen.lines[3...].map { String($0.suffix(50)) }
        screen.press("\\", "\\")
        screen.press("h", "h", "j")
        #expect(screen.text.contains("Volta: Lisbon") && !screen.text.contains("word"))
        #expect(await screen.press("k", "enter") { screen.lines[3...].map { String($0.suffix(50)) } == before })
        #expect(requests.withLock { $0 } == 1)
    }
}
