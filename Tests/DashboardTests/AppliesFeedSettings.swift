import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import Feeds

/// The immediate effect of the settings for feeds and what they contain.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct AppliesFeedSettings {
    @Test func selectsTheConfiguredRowAtStart() async throws {
        let library = try await StartedDashboard.library(["One", "Two", "Three"])
        let subscription = try library.feeds.all()
        for (index, folder) in [(0, "News"), (2, "Sport")] {
            try await library.changes.perform(.move(subscription[index].id, folder: folder))
        }
        try await library.changes.perform(.tag(subscription[1].id, ["daily"]))
        try await library.changes.perform(.saveSearch(name: "Bikes", query: "bike"))
        for (value, row) in [
            ("the first feed", "▌Two"), ("automatic", "▌Unread"), ("Two", "▌Two"), ("three", "▌  Three"),
            ("News", "▌▾ News"), ("SPORT", "▌▾ Sport"), ("all", "▌All"), ("Starred", "▌Starred"), ("Unread", "▌Unread"),
            ("Bikes", "▌⌕ Bikes"), ("daily", "daily"), ("nothing of the kind", "▌Two"),
        ] {
            let dashboard = try StartedDashboard(library, width: 100, file: ["feeds.start": value])
            let chosen = dashboard.screen.lines.first { $0.hasPrefix("▌") } ?? ""
            #expect(chosen.hasPrefix(row) || (value == "daily" && chosen.contains("daily")), "\(value): \(chosen)")
        }
        // Without a feed, the first row is selected.
        let empty = try StartedDashboard(try Library(path: nil))
        #expect(empty.screen.text.contains("▌Unread"))
    }

    @Test func appliesTheEntryOrder() async throws {
        for (value, title) in [("newest first", "Undated"), ("oldest first", "Mail app style Split View")] {
            try await StartedDashboard.both("feeds.order", value) { dashboard in
                #expect(await dashboard.screen.press("enter", until: "▌● \(title)"), "\(value)")
            }
        }
    }

    @Test func appliesTheDuplicatesSetting() async throws {
        for value in ["on", "off"] {
            let library = try await StartedDashboard.library(["One", "Two"])
            let dashboard = try StartedDashboard(
                library, file: ["feeds.merge-duplicates": value, "feeds.start": "All"])
            #expect(await dashboard.screen.press("enter") { dashboard.screen.text.contains("Reading dates") })
            // The detail shows the card of the list, with the same entries.
            func rows() -> Int { dashboard.screen.lines.count { $0.prefix { $0 != "│" }.contains("Reading dates") } }
            #expect(rows() == (value == "on" ? 1 : 2))
            #expect(dashboard.screen.text.contains("×2 ") == (value == "on"))
            dashboard.set(value == "on" ? "off" : "on", for: "feeds.merge-duplicates")
            #expect(rows() == (value == "on" ? 2 : 1))
        }
    }

    @Test func appliesTheExcerptSetting() async throws {
        for (value, isShown) in [("on", true), ("off", false)] {
            try await StartedDashboard.both("feeds.excerpts", value) { dashboard in
                #expect(await dashboard.screen.press("enter") { dashboard.screen.text.contains("Undated") })
                #expect(dashboard.screen.lines.contains { $0.prefix(40).contains("Nobody knows when.") } == isShown)
                dashboard.set("2", for: SettingKey<Int>.rowLines.name)
                #expect(!dashboard.screen.lines.contains { $0.prefix(40).contains("Nobody knows when.") })
            }
        }
    }

    @Test func appliesHideRead() async throws {
        for (value, isShown) in [("on", false), ("off", true)] {
            let library = try await StartedDashboard.library(["One", "Two"])
            let first = try library.feeds.all()[0].id
            try await library.setMark(.read, true, in: .subscription(first), now: 1)
            let dashboard = try StartedDashboard(library, file: ["feeds.hide-read": value])
            func shows(_ title: String) -> Bool { dashboard.screen.lines.contains { $0.prefix(12).contains(title) } }
            #expect(shows("One") == isShown && shows("Two"))
            dashboard.set(isShown ? "on" : "off", for: "feeds.hide-read")
            #expect(shows("One") == !isShown && shows("Two"))
        }
    }

    @Test func appliesMarkReadOnOpen() async throws {
        for (value, unread) in [("on", 3), ("off", 4)] {
            try await StartedDashboard.both("feeds.mark-read-on-open", value) { dashboard in
                #expect(await dashboard.screen.press("enter", "enter", until: "Nobody knows when."))
                try await dashboard.settle()
                #expect(try dashboard.library.feeds.unreadCount() == unread)
            }
        }
    }

    @Test func appliesFollowSelection() async throws {
        for value in ["on", "off"] {
            try await StartedDashboard.both("feeds.follow-list", value) { dashboard in
                dashboard.set("off", for: SettingKey<Bool>.excerpts.name)
                dashboard.screen.press("enter", "j")
                if value == "on" {
                    #expect(await dashboard.screen.wait(for: "Short."))
                } else {
                    // A dashboard whose detail follows the list and whose keys arrived later has already shown its
                    // entry.
                    let follower = try await DashboardScreen(120, 30)
                    follower.set("on", for: SettingKey<Bool>.followList.name)
                    #expect(await follower.screen.press("enter", "j") { follower.split?.hasDetail == true })
                    #expect(dashboard.split?.hasDetail == false)
                }
            }
        }
    }

    /// A reload deletes old entries according to the settings, and none without them.
    @Test func appliesTheRetentionSettings() async throws {
        // Two of the four are less than two days old, one has no date and was first seen two hours ago, and one is from
        // 2011.
        for (file, left, sentence) in [
            ([:], 4, nil), (["feeds.keep-days": "30"], 3, "Deleted 1 old entry"),
            (["feeds.keep-entries": "2"], 2, "Deleted 2 old entries"),
            (["feeds.keep-days": "30", "feeds.keep-entries": "2"], 2, "Deleted 2 old entries"),
            (["feeds.keep-days": "36500", "feeds.keep-entries": "4"], 4, nil),
        ] as [([String: String], Int, String?)] {
            let library = try await StartedDashboard.library()
            let dashboard = try StartedDashboard(library, file: file)
            dashboard.services.feeds.reloads.didFinish()
            #expect(
                try await dashboard.waitUntil { try library.entries.count(in: EntryQuery(.all)) == left }, "\(file)")
            if let sentence {
                #expect(await dashboard.screen.wait { dashboard.said?.hasPrefix(sentence) == true }, "\(file)")
            } else {
                try await dashboard.settle()
                #expect(try dashboard.said == nil && library.entries.count(in: EntryQuery(.all)) == 4)
            }
            #expect(
                try await dashboard.waitUntil { try library.search.unindexedCount() == 0 },
                "new texts get into the index")
        }
    }

    /// Where most entries would go at once, they wait for the user's reload, which asks.
    @Test func asksBeforeMostEntriesGo() async throws {
        let library = try await StartedDashboard.library()
        // No request is needed for it.
        let busy = NoteFailure(
            try #require(try library.feeds.all().first).id, "busy", notBefore: DashboardScreen.now + 3600,
            isGone: false,
            date: DashboardScreen.now)
        try await library.changes.perform(busy)
        let dashboard = try StartedDashboard(library, file: ["feeds.keep-entries": "1"])
        func count() throws -> Int { try library.entries.count(in: EntryQuery(.all)) }
        dashboard.services.feeds.reloads.didFinish()
        #expect(
            await dashboard.screen.wait {
                dashboard.said == "Kept 3 old entries of 1 feed: too many to delete unasked. R asks."
            })
        #expect(try count() == 4)
        for (key, left) in [("esc", 4), ("enter", 1)] {
            #expect(await dashboard.screen.press("R", until: "Delete old entries?"))
            if key == "enter" { dashboard.screen.press("right") }
            dashboard.screen.press(key)
            #expect(try await dashboard.waitUntil { try count() == left }, "\(key)")
        }
        #expect(await dashboard.screen.wait { dashboard.said?.hasPrefix("Deleted 3 old entries") == true })
        dashboard.screen.press("u")
        #expect(try await dashboard.waitUntil { try count() == 4 })
    }

    @Test func appliesThePlayerSetting() async throws {
        for value in [nil, "mpv --no-video", "vlc %s"] as [String?] {
            let played = Mutex<[String]>([])
            var file: [String: String] = [:]
            file["audio.player"] = value
            let dashboard = try StartedDashboard(
                try await StartedDashboard.library(), file: file,
                adjust: { environment in
                    environment.programs.play = { address, player, start, _ in
                        played.withLock { $0.append("\(player) \(address) \(start)") }
                        return nil
                    }
                })
            dashboard.services.entries.enclosures.play("https://one.example/a.mp3")
            #expect(dashboard.said == "Playing with \(value ?? "mpv") …")
            #expect(await dashboard.screen.wait { played.withLock { !$0.isEmpty } })
            #expect(played.withLock { $0 } == ["\(value ?? "mpv") https://one.example/a.mp3 0"])
        }
    }
}
