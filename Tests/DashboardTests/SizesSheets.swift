import TerminalUITesting
import Testing

@testable import Dashboard

/// Sheets are as large as what they hold.
@MainActor
@Suite struct SizesSheets {
    /// The number of lines inside the box on the screen, and its width.
    private func box(_ screen: TestScreen) -> (lines: Int, columns: Int)? {
        guard let top = screen.lines.firstIndex(where: { $0.contains("╭") }),
            let bottom = screen.lines.firstIndex(where: { $0.contains("╰") }),
            let left = screen.lines[bottom].firstIndex(of: "╰"), let right = screen.lines[bottom].firstIndex(of: "╯")
        else { return nil }
        return (bottom - top - 1, screen.lines[bottom].distance(from: left, to: right) + 1)
    }

    /// A sheet without items is as small as the sentence that says so, and grows with its first item.
    @Test func anEmptySheetIsAsSmallAsItsSentence() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let screen = dashboard.screen
        screen.press("L")
        let sentence = "No reload yet. R reloads all feeds."
        #expect(screen.text.contains(sentence), "\(screen.text)")
        let empty = try #require(box(screen))
        #expect(empty.lines <= 4 && empty.columns <= sentence.count + 8, "\(screen.text)")
        // In a pane that is narrower than the sentence nothing is lost.
        screen.resize(30, 20)
        #expect(screen.text.contains("No reload yet."))
        screen.resize(120, 34)
        screen.press("q", "R", "L")
        let feeds = try dashboard.library.feeds.all().count
        #expect(await screen.wait { self.box(screen)?.lines == feeds }, "\(screen.text)")
    }

    /// The palette is as high as its hits.
    @Test func thePaletteIsAsHighAsItsHits() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        let screen = dashboard.screen
        screen.press(":")
        let all = try #require(box(screen)).lines
        screen.type("suspend")
        let one = try #require(box(screen)).lines
        #expect(all > 15 && one == 2, "\(screen.text)")
        screen.type(" nothing")
        #expect(screen.text.contains("No match.") && box(screen)?.lines == 3, "\(screen.text)")
        screen.press("ctrl-u")
        #expect(box(screen)?.lines == all)
    }
}
