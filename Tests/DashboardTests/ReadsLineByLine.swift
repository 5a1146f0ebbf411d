import ModelCore
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard

/// Screen-reader mode: every screen makes sense from top to bottom, and the cursor is on the selection.
@MainActor
@Suite struct ReadsLineByLine {
    /// Characters that mean nothing to screen readers and braille lines.
    private static let drawings = Set("─│┼┬╭╮╰╯▌▐┃━▒▏●○★◷▸‹›△▽◁▷▀╸⏎⋯↑↓←→✓✗•^")

    private func check(_ dashboard: DashboardScreen, _ place: SourceLocation = #_sourceLocation) {
        let screen = dashboard.screen
        let found = screen.text.filter { ReadsLineByLine.drawings.contains($0) || ("⠁"..."⣿").contains($0) }
        #expect(found.isEmpty, "\(screen.text)", sourceLocation: place)
        let cursor = screen.application.window.cursor
        #expect(cursor != nil, sourceLocation: place)
        // In a text field, the cursor is there.
        if !screen.text.contains("Type to find"), let chosen = screen.lines.firstIndex(where: { $0.hasPrefix(">") }) {
            #expect(cursor?.y == chosen, "\(screen.text)", sourceLocation: place)
        }
    }

    /// In a wide pane with several columns, and on a braille display of 40 x 12.
    @Test(arguments: [Size(width: 160, height: 40), Size(width: 40, height: 12), Size(width: 20, height: 6)])
    func readsEveryScreenFromTopToBottom(_ size: Size) async throws {
        for segment in ["feeds", "stages", "settings"] {
            let dashboard = try await DashboardScreen(
                size.width, size.height, segment: segment, race: DashboardScreen.pictureRace)
            let screen = dashboard.screen
            dashboard.set("on", for: SettingKey<Bool>.linear.name)
            check(dashboard)
            for keys in [["enter"], ["j"], ["enter"], ["]"], ["]"], ["?"], ["esc"], [":"], ["esc"]] {
                for key in keys { screen.press(key) }
                check(dashboard)
            }
            dashboard.set("off", for: SettingKey<Bool>.linear.name)
        }
    }

    @Test func describesMarksInWords() async throws {
        let dashboard = try await DashboardScreen(60, 20)
        let screen = dashboard.screen
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        #expect(screen.text.contains(" unread"))
        #expect(await screen.press("enter", "s", until: "unread, starred: "))
        screen.press("enter", "p")
        // A popover fills the screen; the article isn't shown around it.
        #expect(screen.text.contains("Publish Date"))
        #expect(!screen.text.contains("[Feeds"))
        #expect(screen.press("p", shows: "[Feeds"))
        #expect(screen.press("esc", "esc", "v", shows: "marked: "))
    }

    /// Quotations are marked as in mail, and tables become records at every width.
    @Test func readsAnArticleInLinearMode() async throws {
        let html = """
            <p>Words.</p><blockquote><p>Said.</p></blockquote>
            <table><tr><th>Rider</th><th>Time</th></tr><tr><td>Ann</td><td>4:01</td></tr>
            <tr><td>Bea</td><td>4:02</td></tr></table>
            """
        let feed = """
            <rss><channel><title>News</title><item><guid>1</guid><title>One</title>
            <description><![CDATA[\(html)]]></description></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(100, 30, feeds: [("https://a.example/feed", feed)])
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "▏ Said."))
        #expect(screen.text.contains("Rider   Time"))
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        #expect(screen.text.contains("> Said."))
        #expect(screen.text.contains("Rider: Bea"))
        #expect(screen.text.contains("Time: 4:02"))
        check(dashboard)
        dashboard.set("off", for: SettingKey<Bool>.linear.name)
        #expect(screen.text.contains("Rider   Time"))
    }

    @Test func namesTheChosenValueInWords() async throws {
        let dashboard = try await DashboardScreen(60, 30, segment: "settings")
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        #expect(dashboard.screen.press("enter", shows: "chosen, default"))
        check(dashboard)
    }

    /// Keys have names, and a message beside the segments leaves the selected segment's name complete.
    @Test func namesKeys() async throws {
        // Each segment has room for its initials.
        let dashboard = try await DashboardScreen(28 + 4 * DashboardSegment.all.count, 12, segment: "settings")
        let screen = dashboard.screen
        #expect(screen.text.contains("⏎ change"))
        dashboard.set("on", for: SettingKey<Bool>.linear.name)
        #expect(screen.text.contains("enter change"))
        #expect(screen.press("$", shows: "$ is not used here"))
        #expect(screen.text.contains("[Settings]"))
        screen.press("?", typing: "ctrl-x")
        #expect(screen.text.contains("ctrl-x k  Show all keys"), "\(screen.text)")
        screen.press("esc")
        dashboard.set("off", for: SettingKey<Bool>.linear.name)
        screen.press("?", typing: "^x")
        #expect(screen.text.contains("^x k  Show all keys"), "\(screen.text)")
    }
}
