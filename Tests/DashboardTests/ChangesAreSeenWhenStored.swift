import CommonTesting
import Dispatch
import Feeds
import Foundation
import GRDB
import LibraryKernel
import LibraryTesting
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Changes appear when they are stored, as pending if that takes long, and can be undone with `u` everywhere.
@MainActor
@Suite struct ChangesAreSeenWhenStored {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("l.sqlite") }

    /// A frame waits for new receipts only, however many were settled without a wait.
    @Test func waitsForNewReceiptsOnly() {
        let arrivals = ReceiptArrivals()
        for _ in 0..<3 { arrivals.add(UUID(), .failure(ChangeFailure(description: "full"))) }
        #expect(arrivals.removeAll().count == 3 && !arrivals.wait(until: .now))
        arrivals.add(UUID(), .failure(ChangeFailure(description: "full")))
        #expect(arrivals.wait(until: .now) && arrivals.removeAll().count == 1)
    }

    @Test func keepsFailedChangesPendingWithoutBlocking() async throws {
        let dashboard = try await DashboardScreen(120, 30, path: path)
        let screen = dashboard.screen
        screen.press("enter")
        let other = try OtherProgram.lock(path)
        screen.press("s")
        #expect(await screen.wait { screen.text.contains("▌… Undated") && screen.text.contains("not stored yet") })
        #expect(!screen.text.contains("★"))
        // Keys still work, and further changes are accepted meanwhile.
        screen.press("j", "w")
        #expect(await screen.wait { screen.text.contains("▌… Keyboard") && screen.text.contains("2 changes pending") })
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(await screen.wait { screen.text.contains(" ★ Undated") && screen.text.contains("▌◷ Keyboard") })
        #expect(await screen.wait { !screen.text.contains("not stored") && !screen.text.contains("…  Undated") })
        #expect(try dashboard.library.marks() == [4, 1, 1])
    }

    @Test func undoRemovesAPendingChange() async throws {
        let dashboard = try await DashboardScreen(120, 30, path: path)
        let screen = dashboard.screen
        try await dashboard.press("enter", "w")
        let other = try OtherProgram.lock(path)
        #expect(await screen.press("s", "m", until: "2 changes pending"))
        #expect(screen.press("u", shows: "Cancelled before it was stored: a read mark"))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(await screen.wait { (try? dashboard.library.marks()) == [4, 1, 1] })
    }

    /// A permanent failure leaves nothing on the screen but a message.
    @Test func revertsAndReportsAFailedChange() async throws {
        let dashboard = try await DashboardScreen(120, 30, path: path)
        let screen = dashboard.screen
        screen.press("enter")
        try await DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: "CREATE TRIGGER no BEFORE UPDATE OF is_starred ON entry BEGIN SELECT raise(ABORT, 'no star'); END")
        }
        #expect(await screen.press("s", until: "Not stored: a star ("))
        #expect(!screen.text.contains("★") && !screen.text.contains("▌…"))
        #expect(await screen.press("w", until: "▌◷ Undated"))
        #expect(await screen.press("u", until: "▌● Undated"))
        #expect(try dashboard.library.marks() == [4, 0, 0])
    }

    /// Keys of one read see each other's effects although nothing is stored yet.
    @Test(
        arguments: [
            ("s m u", [4, 1, 0]), ("m m", [4, 0, 0]), ("m u m", [3, 0, 0]), ("s s s", [4, 1, 0]),
            ("m s w u u", [3, 0, 0]), ("d d u", [3, 0, 0]), ("w A u", [4, 0, 1]), ("s u u", [4, 0, 0]),
        ])
    func handlesKeysOfOneReadInOrder(keys: String, expected: [Int]) async throws {
        let dashboard = try await DashboardScreen(120, 30)
        dashboard.screen.press("enter")
        for key in keys.split(separator: " ") { dashboard.screen.press(String(key)) }
        try await dashboard.settle()
        #expect(try dashboard.library.marks() == expected)
    }

    @Test func undoesEverythingFromTheArticle() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let (screen, library) = (dashboard.screen, dashboard.library)
        #expect(await screen.press("enter", "j", "enter", until: "Short."))
        try await dashboard.settle()
        #expect(try library.marks() == [3, 0, 0])
        for (key, expected) in [
            ("s", [3, 1, 0]), ("w", [3, 0, 1]), ("m", [4, 0, 0]), ("A", [0, 0, 0]),
        ] {
            #expect(await screen.press(key) { (try? library.marks()) == expected }, "\(key)")
            #expect(await screen.press("u") { (try? library.marks()) == [3, 0, 0] }, "\(key), then u")
        }
        #expect(await screen.press("d") { screen.application.window.focusedController.title == "Reading dates" })
        #expect(try library.entries.count(in: EntryQuery(.all)) == 3)
        try await dashboard.settle()
        #expect(await screen.press("u") { (try? library.entries.count(in: EntryQuery(.all))) == 4 })
    }

    @Test func undoesAddedTagsHeadersAndRaces() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let (screen, library) = (dashboard.screen, dashboard.library)
        screen.press("a", "ctrl-u", typing: "http://127.0.0.1:1/feed", then: "enter")
        #expect(await screen.wait(for: "Enter uses it anyway."))
        #expect(await screen.press("enter") { (try? library.feeds.all().count) == 2 })
        #expect(await screen.wait(for: "! 127.0.0.1 does not answer"))
        // The end of the reload has its own message and doesn't wait for later ones.
        #expect(await screen.wait(for: "1 feed failed"))
        screen.press("u")
        #expect(await screen.wait { (try? library.feeds.all().count) == 1 && !screen.text.contains("127.0.0.1:1") })
        screen.press("G", "t", typing: "one two", then: "enter")
        let id = try library.feeds.all()[0].id
        #expect(await screen.wait { (try? library.feeds.health(of: id)?.tags) == ["one", "two"] })
        #expect(await screen.press("u") { (try? library.feeds.health(of: id)?.tags) == [] })
        screen.press(DashboardSegment.key(of: "stages"), "d")
        #expect(await screen.wait { (try? library.races.all().isEmpty) == true })
        #expect(await screen.press("u") { (try? library.races.all().count) == 1 })
        #expect(await screen.wait(for: "Undid removing Volta 2026"))
    }
}
