import CommonTesting
import Foundation
import Testing

/// Keys that arrive in one read, in the built program in a real tmux.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BurstsInTmux {
    private static let race = """
        {"race": "Volta", "year": 2026, "stages": [
         {"number": 1, "date": "2026-11-10", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
          "article_url": "http://127.0.0.1:9/1"}]}
        """

    /// Retrying a page that can't be loaded and going back at once leads back.
    @Test(arguments: [(100, 30), (60, 19)]) func NAV_07_retriesAndGoesBackAtOnce(width: Int, height: Int) async throws {
        let temporary = TemporaryFolder()
        let home = temporary.url
        let file = try home.write(BurstsInTmux.race, to: "race.json")
        #expect(Program.tappa("race", "import", file, home: home).code == 0)
        let tmux = try await TmuxSession(
            "tappa --segment stages", width: width, height: height, home: home, expecting: "Porto → Lisbon")
        await tmux.press("g", "g", "Enter", "a", expecting: "retries")
        tmux.send("rh")
        #expect(await tmux.wait { !$0.contains("retries") && $0.contains("Porto") })
        await tmux.send("ajr", expecting: "retries")
        await tmux.send("Q", expecting: "ended with 0")
    }

    /// A palette over search results closes after the pane has become wide, and the results stay.
    @Test func POP_05_closesAPaletteOverSearchResults() async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment feeds", width: 120, height: 39, expecting: "Use Your Loaf")
        await tmux.send("Stappa\r", expecting: "‹ Feeds")
        await tmux.press(":", expecting: "Commands")
        tmux.resize(150, 45)
        #expect(await tmux.wait { $0.contains("Commands") && $0.contains(" Feeds                     │ t") })
        tmux.press("Escape")
        #expect(await tmux.wait { !$0.contains("Commands") && $0.contains(" Feeds                     │ tappa ") })
        await tmux.send("Q", expecting: "ended with 0")
    }

    /// Letters behind the key that shows a segment and its search field are searched for.
    @Test func NAV_06_typesIntoTheSearchOfANewSegment() async throws {
        let tmux = try await TmuxSession(
            "tappa --in-memory --segment stages", width: 120, height: 39, expecting: "Amsterdam → Utrecht")
        await tmux.send("2/LARive", expecting: "LARive")
        #expect(!tmux.text.contains("Reload ─"))
        tmux.press("Escape")
        await tmux.send("Q", expecting: "ended with 0")
    }
}
