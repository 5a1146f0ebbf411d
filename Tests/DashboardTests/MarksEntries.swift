import TerminalUI
import Testing

@testable import Accounts
@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore

/// Marks, tags and deletions of the selected row and of marked rows, in both orders, twice quickly, and undone.
@MainActor
@Suite struct MarksEntries {
    private nonisolated static let marks: [(key: String, mark: EntryMark)] = [
        ("m", .read), ("s", .starred), ("w", .later),
    ]

    @Test(arguments: FeedWalk.orders, [0, 2, 4]) func togglesTheMarkOfTheSelectedRow(order: String, row: Int)
        async throws
    {
        for (key, mark) in MarksEntries.marks {
            let dashboard = try await FeedWalk.dashboard(order: order)
            for _ in 0..<row { dashboard.screen.press("j") }
            let title = FeedWalk.titles(order)[row]
            try await dashboard.press(key)
            #expect(try dashboard.titles(with: mark) == [title], "\(key)")
            #expect(dashboard.selectedTitle == title)
            for (_, other) in MarksEntries.marks where other != mark {
                #expect(try dashboard.titles(with: other).isEmpty, "\(key)")
            }
            try await dashboard.press(key)
            #expect(try dashboard.titles(with: mark).isEmpty, "\(key) \(key)")
            // Two quick presses cancel each other; three don't.
            try await dashboard.press(key, key, key)
            #expect(try dashboard.titles(with: mark) == [title], "\(key) three times")
            try await dashboard.press("u")
            #expect(try dashboard.titles(with: mark).isEmpty, "u after \(key)")
        }
    }

    /// All marked rows get the opposite of the selected row's mark, as one undo step.
    @Test(arguments: FeedWalk.orders) func marksAllMarkedRows(order: String) async throws {
        for (key, mark) in MarksEntries.marks {
            let dashboard = try await FeedWalk.dashboard(order: order)
            let titles = FeedWalk.titles(order)
            // The first, third and last row are marked; the last one is selected.
            dashboard.screen.press("v", "j", "v", "j", "v")
            #expect(dashboard.selectedTitle == titles[4])
            #expect(dashboard.entryList?.table.markedPaths.count == 3)
            try await dashboard.press(key)
            #expect(try dashboard.titles(with: mark) == [titles[0], titles[2], titles[4]], "\(key)")
            // The row marks are cleared: the next key acts on the selected row.
            #expect(dashboard.entryList?.table.markedPaths == [])
            try await dashboard.press("g g", "j", key)
            #expect(try dashboard.titles(with: mark) == [titles[0], titles[1], titles[2], titles[4]], "\(key)")
            try await dashboard.press("u", "u")
            #expect(try dashboard.titles(with: mark).isEmpty, "\(key)")
        }
    }

    /// The title of each command says what it does with this entry.
    @Test func namesWhatAKeyDoesNext() async throws {
        let dashboard = try await FeedWalk.dashboard()
        func title(_ name: String) -> String? {
            dashboard.screen.application.window.offeredCommands.first { $0.name == name }?.title.string
        }
        func titles() -> [String?] { ["entry.toggleRead", "entry.toggleStar", "entry.toggleLater"].map(title) }
        #expect(titles() == ["Mark as read", "Star", "Read later"])
        dashboard.screen.press("m", "s", "w")
        #expect(
            await dashboard.screen.wait { titles() == ["Mark as unread", "Remove star", "Remove from read later"] })
        dashboard.screen.press("m")
        #expect(await dashboard.screen.wait { titles() == ["Mark as read", "Remove star", "Remove from read later"] })
    }

    // MARK: Deletion

    private static func row(_ id: EntryID) -> EntryRow {
        EntryRow(
            id: id, subscriptionID: 1, title: "", isRead: false, isStarred: false, sortDate: 0, hasDate: true,
            isLater: false, sources: 1)
    }

    /// Every set of rows to delete, from every row, with and without marks.
    @Test func deletesTheMarkedRowsOrTheNextThatStays() {
        let rows = (0..<4).map { MarksEntries.row(EntryID(rawValue: Int64($0))) }
        func row(_ index: Int) -> EntryRow? { rows.indices.contains(index) ? rows[index] : nil }
        for going in 0..<16 {
            func goes(_ row: EntryRow) -> Bool { going & 1 << row.id.rawValue != 0 }
            for selected in [nil, 0, 1, 2, 3, 4] as [Int?] {
                let found = EntryListRules.rowsToDelete(marked: [], selected: selected, row: row, willDelete: goes)
                let expected = selected.flatMap { first in rows.dropFirst(first).first { !goes($0) } }
                #expect(found == (expected.map { [$0] } ?? []), "\(going) \(String(describing: selected))")
                for marked in [[rows[1]], [rows[0], rows[3]], rows] {
                    #expect(
                        EntryListRules.rowsToDelete(marked: marked, selected: selected, row: row, willDelete: goes)
                            == marked)
                }
            }
        }
    }

    /// The selection keeps its position: the entry after a deleted one moves there, and after the last one its
    /// predecessor.
    @Test(arguments: FeedWalk.orders, [(0, "d"), (2, "d"), (4, "d"), (0, "d d"), (2, "d d d"), (3, "d d")])
    func deletesAsOftenAsTheKeyIsPressed(order: String, walk: (row: Int, keys: String)) async throws {
        let titles = FeedWalk.titles(order)
        let presses = walk.keys.split(separator: " ").count
        // Changes reach the list with a delay: the next key may come before that, or before they are stored.
        for waits in [false, true] {
            let dashboard = try await FeedWalk.dashboard(order: order)
            let library = dashboard.library
            for _ in 0..<walk.row { dashboard.screen.press("j") }
            for _ in 0..<presses {
                dashboard.screen.press("d")
                if waits { try await dashboard.settle() }
            }
            try await dashboard.settle()
            let gone = titles[walk.row..<min(walk.row + presses, 5)]
            let left = titles.filter { !gone.contains($0) }
            let alpha = try #require(try library.feeds.feed(url: "https://alpha.example/feed")).id
            let list = FeedWalk.query(.subscription(alpha), order)
            #expect(try library.entries.rows(in: list, limit: 9).map(\.title) == left, "\(waits)")
            #expect(try library.entries.count(in: EntryQuery(.all)) == 8 - gone.count)
            #expect(
                await dashboard.screen.wait { dashboard.selectedTitle == left[min(walk.row, left.count - 1)] },
                "\(String(describing: dashboard.selectedTitle))")
            // Each press is its own step.
            for _ in 0..<gone.count { dashboard.screen.press("u") }
            try await dashboard.settle()
            #expect(try library.entries.rows(in: list, limit: 9).map(\.title) == titles)
        }
    }

    @Test(arguments: [["v"], ["v", "v"], ["v", "j", "v"], ["j", "j", "V"]]) func deletesTheMarkedRows(
        keys: [String]
    ) async throws {
        let dashboard = try await FeedWalk.dashboard()
        for key in keys { dashboard.screen.press(key) }
        let list = try #require(dashboard.entryList)
        let titles = FeedWalk.titles("newest first")
        let gone = list.table.markedPaths.map { titles[$0.row] }
        #expect(!gone.isEmpty)
        // Where one row is marked, another one is selected.
        if keys == ["v"] { #expect(dashboard.selectedTitle == "A2" && gone == ["A1"]) }
        try await dashboard.press("d")
        let left = try dashboard.library.entries.rows(in: EntryQuery(list.scope), limit: 9).map(\.title)
        #expect(left == titles.filter { !gone.contains($0) })
        #expect(list.table.markedPaths == [])
        try await dashboard.press("u")
        #expect(try dashboard.library.entries.rows(in: EntryQuery(list.scope), limit: 9).map(\.title) == titles)
    }

    /// After deleting the open entry, the entry that takes its position opens; after the last one, none.
    @Test(arguments: FeedWalk.orders) func opensTheEntryAfterADeletedOne(order: String) async throws {
        let dashboard = try await FeedWalk.dashboard(order: order)
        let titles = FeedWalk.titles(order)
        dashboard.screen.press("j", "enter")
        #expect(dashboard.shownTitle == titles[1])
        for next in [titles[2], titles[3], titles[4], titles[0], nil] {
            #expect(await dashboard.screen.press("d") { dashboard.shownTitle == next }, "\(String(describing: next))")
            try await dashboard.settle()
        }
        #expect(dashboard.split?.hasDetail == false)
        #expect(try dashboard.library.entries.count(in: EntryQuery(.all)) == 3)
    }

    // MARK: Tags

    @Test func addsTypedTagsAndRemovesMissingOnes() {
        let table: [(entries: [EntryID], before: [String], after: [String], adding: [String], removing: [String])] = [
            ([1], [], [], [], []), ([1], [], ["a"], ["a"], []), ([1], ["a"], ["a"], [], []),
            ([1], ["a"], ["a", "b"], ["b"], []), ([1], ["a", "b"], ["b"], [], ["a"]), ([1], ["a"], [], [], ["a"]),
            ([1], ["a"], ["b"], ["b"], ["a"]),
            // Of several entries only the tags of one are known: all get what was typed.
            ([1, 2], ["a"], ["a"], ["a"], []), ([1, 2], ["a"], ["a", "b"], ["a", "b"], []),
            ([1, 2], ["a", "b"], ["b"], ["b"], ["a"]), ([1, 2], ["a"], [], [], ["a"]),
        ]
        for (entries, before, after, adding, removing) in table {
            #expect(
                EntryActions.tagChange(of: entries, from: before, to: after)
                    == .tagEntries(entries, adding: adding, removing: removing), "\(before) \(after)")
        }
    }

    @Test func tagsAllMarkedRowsAsOneStep() async throws {
        let dashboard = try await FeedWalk.dashboard()
        func tags() throws -> [String: [String]] {
            try dashboard.rows().mapValues { try dashboard.library.entries.tags(of: $0.id) }.filter {
                !$0.value.isEmpty
            }
        }
        dashboard.screen.press("t", typing: "one two", then: "enter")
        try await dashboard.settle()
        #expect(try tags() == ["A1": ["one", "two"]])
        dashboard.screen.press("v", "j", "v", "k", "k", "k", "k", "t")
        // The prompt starts with the tags of the selected entry.
        #expect(dashboard.screen.text.contains("one two"))
        dashboard.screen.press("ctrl-u", typing: "two three", then: "enter")
        try await dashboard.settle()
        #expect(try tags() == ["A1": ["three", "two"], "A3": ["three", "two"]])
        #expect(dashboard.entryList?.table.markedPaths == [])
        try await dashboard.press("u")
        #expect(try tags() == ["A1": ["one", "two"]])
        try await dashboard.press("t", "ctrl-u", "enter")
        #expect(try tags().isEmpty)
    }

    // MARK: Nothing to act on

    @Test func saysThatAnEmptyListHasNoEntry() async throws {
        let dashboard = try await FeedWalk.dashboard(opens: false)
        #expect(dashboard.screen.press("g g", "j", "j", "enter", shows: "No starred entries."))
        for key in ["m", "s", "w", "d", "t", "p"] {
            #expect(dashboard.screen.press(key, shows: "\(key): this needs an entry"), "\(dashboard.screen.text)")
        }
        for key in ["o", "y", "Y"] {
            #expect(dashboard.screen.press(key, shows: "\(key): this needs a link"))
        }
        try await dashboard.settle()
        #expect(try dashboard.library.entries.count(in: EntryQuery(.all)) == 8)
    }
}
