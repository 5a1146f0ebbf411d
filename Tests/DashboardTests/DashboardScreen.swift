import FeedParsing
import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import ModelCore
import Pictures
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds

/// The whole dashboard on an in-memory terminal, with a library of known content at a known time.
@MainActor
final class DashboardScreen: StartedDashboard {
    private final class OpenedLinks { var list: [String] = [] }

    private let links: OpenedLinks

    /// The links opened in the browser, which runs asynchronously.
    var openedLinks: [String] {
        get async {
            try? await settle()
            return links.list
        }
    }

    /// The state that the dashboard saves for its next start.
    func savedState() -> DashboardState? {
        controller.saveState()
        return saved.last
    }

    /// Reads a configuration again, with these user themes.
    func take(themes: [Theme], problems: [String] = []) {
        controller.take(
            DashboardConfiguration(keyMap: KeyMap(), entryCommands: [], themes: themes, problems: problems),
            settings: [:], rules: [])
        screen.application.send([])
    }

    /// The split view of the visible segment.
    override var split: SplitViewController? {
        var controller: ViewController? = screen.application.window.focusedController
        while let current = controller, !(current is SplitViewController) { controller = current.parent }
        return controller as? SplitViewController
    }

    /// Friday 20 November 2026, 12:00 UTC.
    nonisolated static let now: Instant = 1_795_176_000

    init(
        _ width: Int, _ height: Int, segment: String? = "feeds", feeds: [(String, String)]? = nil,
        state: DashboardState? = nil, race: String? = DashboardScreen.race, path: String? = nil,
        keyMap: KeyMap = KeyMap(), file: String = #filePath,
        loadPicture: (@Sendable (PictureRequest) async -> Result<Picture, PictureProblem>)? = nil,
        adjust: ((inout DashboardEnvironment) -> Void)? = nil
    )
        async throws
    {
        useTimeZone()
        let library = try Library(path: path)
        if let race { try await library.store(RaceFile.read(Data(race.utf8))) }
        for (url, text) in feeds ?? [("https://loaf.example/feed", DashboardScreen.feed)] {
            let id = try await library.follow(url)
            let reading = try FeedParser.parse(Array(text.utf8), base: url)
            var record = FetchRecord(date: DashboardScreen.now - 7200)
            record.problems = reading.problems.map(\.description)
            _ = try await library.store(reading.feed, in: id, record: record)
        }
        let links = OpenedLinks()
        self.links = links
        try super.init(library, width: width, height: height, segment: segment, testFile: file) { environment in
            environment.start.state = state
            environment.programs.openLink = { link in
                links.list.append(link)
                return nil
            }
            environment.configuration.keyMap = keyMap
            if let loadPicture { environment.pictures.load = loadPicture }
            adjust?(&environment)
        }
    }

    static let race = """
        {"race": "Volta", "year": 2026, "edition": 3, "country": "Portugal", "leader_jersey": "yellow", "stages": [
        {"number": 1, "date": "2026-11-10", "start": "Porto", "finish": "Lisbon", "distance_km": 150, "type": "flat",
         "winner": "Rider One", "leader_after": "Rider One", "article_url": "https://race.example/1"},
        {"number": 2, "date": "2026-11-11", "start": "Lisbon", "finish": "Lisbon", "distance_km": 12.8,
         "type": "time trial", "winner": "Rider Two", "leader_after": "Rider Two"},
        {"number": 3, "date": "2026-11-12", "start": "Lisbon", "finish": "Évora", "distance_km": 152, "type": "hilly"},
        {"number": 4, "date": "2026-11-13", "start": "Évora", "finish": "Vila Real de Santo António"},
        {"number": 5, "start": "Tavira", "finish": "Sagres", "distance_km": 154.5, "type": "mountain"}]}
        """

    /// The same race whose article is on a server.
    static func race(on server: LoopbackServer) -> String {
        race.replacing("https://race.example", with: server.url(""))
    }

    /// The same race with a picture and coordinates for the first stage.
    static let pictureRace = race.replacing(
        "\"article_url\"",
        with:
            "\"image_url\": \"https://race.example/1.jpg\", \"start_lat_lon\": [41.15, -8.61], \"finish_lat_lon\": [38.72, -9.14], \"article_url\""
    )

    static let feed: String = {
        let items = [
            (
                "Mail app style <b>Split View</b>", "Wed, 16 Nov 2011 21:05:00 +0100",
                "<p>In a recent post I covered a change that lets the list stay visible. <a href='/next'>More</a></p><h2>Sliding</h2><p>To illustrate the idea: 東京 and 🚴.</p><ul><li>one</li><li>two</li></ul>"
            ),
            (
                "Keyboard avoidance \u{1B}[31min a title that is rather long for a narrow list",
                "Fri, 20 Nov 2026 09:30:00 GMT", "<p>Short.</p>"
            ),
            ("Undated", "some day", "<p>Nobody knows when.</p>"),
            (
                "Reading dates", "Thu, 19 Nov 2026 07:40:00 GMT",
                String(repeating: "<p>A line of a longer article.</p>", count: 40)
            ),
        ]
        var body = ""
        for (index, item) in items.enumerated() {
            body += "<item><guid>g\(index)</guid><link>https://loaf.example/\(index)</link>"
            body += "<title><![CDATA[\(item.0.replacing("\u{1B}", with: ""))]]></title><pubDate>\(item.1)</pubDate>"
            body += "<description><![CDATA[\(item.2)]]></description></item>"
        }
        return "<rss><channel><title>Use Your Loaf</title><link>https://loaf.example/</link>\(body)</channel></rss>"
    }()
}

extension TestScreen {
    /// Presses keys, types text into the view that has the focus then, and presses further keys.
    func press(_ names: String..., typing text: String, then last: String...) {
        press(names)
        type(text)
        press(last)
    }

    /// Turns the pages of a stage until one is shown.
    func turn(to page: String) {
        for _ in 0..<6 where !text.contains("▐\(page)▌") { press("]") }
    }

    /// Waits until all requested changes are stored and shown.
    func settle(_ access: LibraryAccess) async throws {
        for _ in 0..<100 {
            // The queue reaches this after all earlier changes, and their consequences are under way by then.
            try await access.library.changes.perform(EmptyTrash(age: 1 << 40))
            for _ in 0..<3 { try await Task.sleep(for: .milliseconds(1)) }
            application.send([])
            // Keys that have waited may have made further changes, and others may still wait for these.
            if access.awaitedScreens.isEmpty, !application.hasWaitingInput { break }
        }
    }
}

extension String {
    /// The number of characters before a text.
    func column(of text: String) -> Int? { range(of: text).map { distance(from: startIndex, to: $0.lowerBound) } }
}
