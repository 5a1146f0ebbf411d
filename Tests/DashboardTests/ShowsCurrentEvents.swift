import Feeds
import LibraryTesting
import ModelCore
import Races
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// The line above all segments.
@MainActor
@Suite struct ShowsCurrentEvents {
    private func item(_ text: DisplayText, _ identity: String, open: @escaping @MainActor () -> Void = {})
        -> AccessoryController.Item
    {
        AccessoryController.Item(content: .init(text), identity: identity, open: open)
    }

    @Test func CUR_01_theMostImportantIsShownUntilItIsPutAway() {
        var isWanted = true
        let accessory = AccessoryController { isWanted }
        func perform(_ name: String) { accessory.commands.first { $0.name == name && $0.isEnabled }?.perform() }
        var opened = 0
        accessory.show(item("work 1", "work"), about: .work)
        #expect(accessory.view.content?.text == "work 1")
        accessory.show(item("race 47 km", "race/1") { opened += 1 }, about: .race)
        #expect(accessory.view.content?.text == "race 47 km")
        perform("accessory.open")
        #expect(opened == 1)
        perform("accessory.dismiss")
        #expect(accessory.shown == .work)
        // Another position is the same stage; another stage is something else.
        accessory.show(item("race 46 km", "race/1"), about: .race)
        #expect(accessory.shown == .work)
        accessory.show(item("race 150 km", "race/2"), about: .race)
        #expect(accessory.view.content?.text == "race 150 km")
        accessory.show(nil, about: .race)
        // What comes back after it was gone is new.
        perform("accessory.dismiss")
        #expect(accessory.shown == nil && accessory.view.content == nil)
        accessory.show(nil, about: .work)
        accessory.show(item("work 2", "work"), about: .work)
        #expect(accessory.shown == .work)
        isWanted = false
        accessory.update()
        #expect(accessory.view.content == nil)
    }

    private static let race = """
        {"race": "Volta", "year": 2026, "stages": [{"number": 1, "date": "2026-11-20", "start": "Porto", "finish": "Lisbon",
         "distance_km": 150, "start_time": "2026-11-20T10:00:00Z", "finish_time": "2026-11-20T14:00:00Z",
         "ticker": [{"time": "2026-11-20T11:50:00Z", "km": 103, "text": "On the climb"}]}]}
        """

    @Test(arguments: [0, 45]) func CUR_02_theLiveStageLeadsToItsPage(delay: Int) async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "settings", race: Self.race)
        let screen = dashboard.screen
        if delay > 0 {
            _ = try await dashboard.library.changes.perform(
                .delayLive(LiveDelay(seconds: delay), now: DashboardScreen.now))
        }
        let late = delay > 0 ? " · \(delay) s delay" : ""
        #expect(await screen.wait { screen.lines[1].contains("Volta · 47 km\(late)") }, "\(screen.text)")
        // In low panes it is above the footer, and in very low ones nowhere.
        for height in [19, 15, 10] {
            screen.resize(100, height)
            #expect(
                screen.lines[height - 2].contains("47 km") && screen.lines[height - 1].contains("keys"),
                "\(screen.text)")
        }
        screen.resize(100, 9)
        #expect(!screen.text.contains("47 km"))
        screen.resize(100, 24)
        screen.click(3, 1)
        #expect(await screen.wait { screen.lines[0].contains("▐Stages▌") })
        #expect(screen.lines[1].contains("47 km"))
        screen.press("ctrl-x", "x")
        #expect(!screen.lines[1].contains("47 km"))
    }

    @Test func CUR_03_aSettingSwitchesItOff() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "settings", race: Self.race)
        #expect(await dashboard.screen.wait { dashboard.screen.lines[1].contains("47 km") })
        dashboard.set("off", for: "appearance.accessory")
        #expect(!dashboard.screen.lines[1].contains("47 km"))
        dashboard.set("on", for: "appearance.accessory")
        #expect(dashboard.screen.lines[1].contains("47 km"))
    }

    /// What is played in another pane, until its player ends or is killed. A title that reveals a result is hidden.
    @Test func CUR_05_whatIsPlayedElsewhereLeadsToItsEntry() async throws {
        let feed = """
            <rss><channel><title>Pod</title><item><guid>1</guid><title>Episode 12</title>
            <enclosure url="https://pod.example/1.mp3" type="audio/mpeg"/></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(
            100, 24, segment: "settings", feeds: [("https://pod.example/feed", feed)])
        let (screen, library) = (dashboard.screen, dashboard.library)
        let entry = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
        func report(_ isPlaying: Bool?, age: Int64 = 0) async throws {
            let played = PlayedEnclosure(position: 723, duration: 2890, isPlaying: isPlaying)
            _ = try await library.changes.perform(
                .storePlaybackPosition("https://pod.example/1.mp3", played, of: entry, now: DashboardScreen.now - age))
        }
        try await report(true)
        #expect(await screen.wait { screen.lines[1].contains("▶ Episode 12 · 12:03 of 48:10") }, "\(screen.text)")
        try await report(nil)
        #expect(await screen.wait { !screen.text.contains("Episode 12") })
        try await report(true, age: 60)
        try await report(true)
        #expect(await screen.wait(for: "12:03 of 48:10"))
        screen.press("ctrl-x", "g")
        #expect(await screen.wait { screen.lines[0].contains("▐Feeds") && screen.text.contains("Audio") })
        try await report(true, age: 60)
        #expect(await screen.wait { !screen.text.contains("12:03 of 48:10") })
    }

    /// An import by another process reports no numbers.
    @Test func CUR_06_aLongImportHasTheLineUntilItsEnd() async throws {
        let dashboard = try await DashboardScreen(
            100, 24, segment: "settings", adjust: { $0.time.second = .milliseconds(1) })
        let (screen, status) = (dashboard.screen, dashboard.services.access.status)
        status.importing = "Importing 82 feeds from newsboat …"
        #expect(await screen.wait { screen.lines[1].contains("Importing 82 feeds from newsboat") })
        #expect(await screen.press("ctrl-x", "g") { screen.lines[0].contains("▐Feeds") })
        status.importing = nil
        #expect(await screen.wait { !screen.text.contains("Importing") })
    }

    /// A notification that the user opens leads to its place.
    @Test func CUR_07_anOpenedNotificationLeadsToItsPlace() async throws {
        let dashboard = try await DashboardScreen(100, 24, segment: "settings", race: Self.race)
        let screen = dashboard.screen
        screen.application.send(.report(.notification("race:volta/1")))
        #expect(await screen.wait { screen.lines[0].contains("▐Stages▌") && screen.text.contains("Porto → Lisbon") })
        screen.application.send(.report(.notification("rm -rf")))
        screen.application.send(.report(.notification("settings")))
        #expect(await screen.wait { screen.lines[0].contains("▐Settings▌") })
    }

    /// A long reload has the line; the bar doesn't show it twice.
    @Test func CUR_04_longWorkMovesFromTheBarIntoTheLine() async throws {
        let dashboard = try await DashboardScreen(100, 24, adjust: { $0.time.second = .zero })
        let (screen, status) = (dashboard.screen, dashboard.services.access.status)
        status.progress = (30, 48)
        screen.application.send([])
        #expect(screen.lines[1].contains("30 of 48 feeds") && !screen.lines[0].contains("30/48"))
        #expect(screen.terminal.progress == 0.625)
        status.progress = nil
        screen.application.send([])
        #expect(!screen.text.contains("30 of 48") && screen.terminal.progress == nil)
    }

    /// Nobody is at the head of a time trial, neither in the line nor on its page.
    @Test(arguments: [true, false]) func aTeamTimeTrialShowsItsTeams(isRunning: Bool) async throws {
        let race = """
            {"race": "Volta", "year": 2026, "teams": [{"id": "t", "name": "Team T"}],
             "riders": [{"id": "1", "name": "Ana Sousa", "team": "t"}, {"id": "2", "name": "Bea Costa", "team": "t"}],
             "stages": [{"number": 1, "date": "2026-11-20", "start": "A", "finish": "B", "distance_km": 20, "running": \(isRunning),
              "type": "team time trial", "start_time": "2026-11-20T11:00:00Z", "finish_time": "2026-11-20T13:00:00Z",
              "live": {"at": "2026-11-20T11:59:00Z", "km_to_go": 20}, "stage_teams": [{"team": "t", "time": 1200}],
              "results": [{"rider": "1", "time": 1200}, {"rider": "2", "gap": 1}]}]}
            """
        let dashboard = try await DashboardScreen(100, 30, segment: "stages", race: race)
        let screen = dashboard.screen
        let words = isRunning ? "So far · 1 team finished" : "Team T won."
        #expect(
            await screen.wait { screen.text.contains(words) && screen.text.contains(/1 +Team T/) }, "\(screen.text)")
        #expect(!screen.text.contains("km to go") && screen.text.contains("time trial under way") == isRunning)
        #expect(screen.text.contains("Team T won.") != isRunning, "\(screen.text)")
    }
}
