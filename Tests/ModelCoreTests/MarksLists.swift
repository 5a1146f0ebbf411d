import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Marks of single entries, of lists and of parts of lists, each with its undo and counters.
@Suite struct MarksLists {
    /// The entries that a change marks, computed without SQL.
    private func meant(
        _ fixture: ManyKinds, _ items: [ManyKinds.Item], _ mark: EntryMark, _ value: Bool, _ scope: EntryScope,
        _ part: EntryPart?, upTo last: EntryID, folds: Bool
    ) -> Set<EntryID> {
        func isMeant(_ item: ManyKinds.Item) -> Bool {
            switch part {
            case nil: true
            case .newer(let date, let id): item.date > date || item.date == date && item.id > id
            case .older(let date, let id): item.date < date || item.date == date && item.id < id
            case .before(let date): item.date < date
            }
        }
        let own = items.filter {
            fixture.isIn(scope, $0) && isMeant($0) && $0.id <= last && $0.marks.contains(mark) != value
        }
        guard folds, mark == .read else { return Set(own.map(\.id)) }
        let duplicateKeys = Set(own.compactMap(\.duplicateKey))
        let mates = items.filter { item in
            item.marks.contains(mark) != value && item.duplicateKey.map { duplicateKeys.contains($0) } == true
        }
        return Set((own + mates).map(\.id))
    }

    private func check(
        _ fixture: ManyKinds, _ items: [ManyKinds.Item], _ mark: EntryMark, _ value: Bool, _ scope: EntryScope,
        _ part: EntryPart? = nil, upTo last: EntryID? = nil, folds: Bool
    ) async throws {
        let library = fixture.library
        let last = last ?? items.last?.id ?? 0
        let wanted = meant(fixture, items, mark, value, scope, part, upTo: last, folds: folds)
        let words: Comment = "\(mark) \(value) \(scope) \(String(describing: part)) \(last) \(folds)"
        let change = Change.markAll(
            mark, value, scope, part: part, upTo: last, mergesDuplicates: folds, now: 77)
        let receipt = try await library.changes.perform(change)
        let after = try fixture.items()
        #expect(Set(zip(items, after).filter { $0 != $1 }.map(\.0.id)) == wanted, words)
        #expect(receipt.count == wanted.count && (receipt.undo == nil) == wanted.isEmpty, words)
        for item in after where wanted.contains(item.id) {
            #expect(item.marks.contains(mark) == value, words)
            if mark == .read { #expect(item.readAt == (value ? 77 : nil), words) }
        }
        #expect(try LibraryCheck.run(library) == [], words)
        try await library.undo(receipt)
        #expect(try fixture.items() == items, words)
        // The change names the same rows, as far as it can without the library.
        if part != nil || scope == .all || scope.isOfOneFeed, !folds {
            let rows = try library.entries.rows(in: EntryQuery(.all), limit: 1000)
            for row in rows where wanted.contains(row.id) { #expect(change.concerns(row), words) }
        }
    }

    @Test func marksWholeListsAndUndoesIt() async throws {
        let fixture = try await ManyKinds()
        let items = try fixture.items()
        for mark in EntryMark.allCases {
            for scope in try fixture.scopes() {
                try await check(fixture, items, mark, mark != .later, scope, folds: mark == .starred)
            }
            for folds in [false, true] { try await check(fixture, items, mark, mark == .later, .all, folds: folds) }
        }
        // Later arrivals are excluded: only entries up to an identifier count.
        for last in [EntryID(rawValue: items[0].id.rawValue - 1), items[0].id, items[20].id] {
            try await check(fixture, items, .read, true, .all, upTo: last, folds: false)
        }
    }

    @Test(arguments: [false, true]) func marksPartsOfLists(folds: Bool) async throws {
        let fixture = try await ManyKinds()
        let items = try fixture.items()
        let feed = try #require(fixture.feeds["a"])
        for scope in [EntryScope.all, .subscription(feed), .folder("News"), .tag("x"), .starred] {
            let rows = try fixture.library.entries.rows(in: EntryQuery(scope), limit: 1000)
            for row in [rows[0], rows[1], rows[rows.count / 2], rows[rows.count - 1]] {
                for part in [
                    EntryPart.newer(row.sortDate, row.id), .older(row.sortDate, row.id), .before(row.sortDate),
                    .before(row.sortDate + 1),
                ] {
                    try await check(fixture, items, .read, true, scope, part, folds: folds)
                }
                try await check(
                    fixture, items, .read, true, scope, .newer(row.sortDate, row.id), upTo: rows[1].id, folds: folds)
            }
        }
    }

    /// A part of a list that isn't stored yet covers the same rows.
    @Test func partsContainTheirRows() {
        func row(_ date: Instant, _ id: EntryID) -> EntryRow {
            EntryRow(
                id: id, subscriptionID: 1, title: "", isRead: false, isStarred: false, sortDate: date, hasDate: true,
                isLater: false, sources: 1)
        }
        for (date, id) in [(4, 5), (4, 6), (5, 4), (5, 5), (5, 6), (6, 4), (6, 5)] as [(Instant, EntryID)] {
            let row = row(date, id)
            #expect(EntryPart.newer(5, 5).contains(row) == (date > 5 || date == 5 && id > 5))
            #expect(EntryPart.older(5, 5).contains(row) == (date < 5 || date == 5 && id < 5))
            #expect(EntryPart.before(5).contains(row) == (date < 5))
            for last in [4, 5, 6] as [EntryID] {
                let change = Change.markAll(
                    .read, true, .all, part: .before(5), upTo: last, mergesDuplicates: false, now: 1)
                #expect(change.concerns(row) == (date < 5 && id <= last))
            }
        }
    }

    // MARK: Single entries

    @Test(arguments: EntryMark.allCases) func marksSingleEntries(mark: EntryMark) async throws {
        let fixture = try await ManyKinds()
        let (library, items) = (fixture.library, try fixture.items())
        let set = items.filter { $0.marks.contains(mark) }.prefix(3).map(\.id)
        let unset = items.filter { !$0.marks.contains(mark) }.prefix(2).map(\.id)
        for value in [true, false] {
            let wanted = value ? unset : set
            // Entries in the target state, deleted entries and duplicates change nothing.
            let receipt = try await library.changes.perform(
                .mark(mark, value, entries: set + unset + [-1] + unset + set, wholeStories: false, now: 88))
            #expect(receipt.count == wanted.count)
            let after = try fixture.items()
            #expect(Set(zip(items, after).filter { $0 != $1 }.map(\.0.id)) == Set(wanted))
            for item in after where wanted.contains(item.id) && mark == .read {
                #expect(item.readAt == (value ? 88 : nil))
            }
            let again = try await library.changes.perform(
                .mark(mark, value, entries: set + unset, wholeStories: false, now: 99))
            #expect(again.count == 0 && again.undo == nil)
            #expect(try fixture.items() == after)
            try await library.undo(receipt)
            #expect(try fixture.items() == items)
        }
    }

    /// Only reading affects all feeds with the story.
    @Test(arguments: EntryMark.allCases) func marksWholeStoriesRead(mark: EntryMark) async throws {
        let fixture = try await ManyKinds()
        let (library, items) = (fixture.library, try fixture.items())
        for title in ["a0", "c1", "d2", "d5"] {
            let item = try #require(items.first { $0.title.hasPrefix(title) })
            let value = !item.marks.contains(mark)
            let receipt = try await library.changes.perform(
                .mark(mark, value, entries: [item.id], wholeStories: true, now: 88))
            let mates = items.filter {
                $0.duplicateKey != nil && $0.duplicateKey == item.duplicateKey && $0.marks.contains(mark) != value
            }
            let wanted = mark == .read ? Set(mates.map(\.id) + [item.id]) : [item.id]
            #expect(Set(zip(items, try fixture.items()).filter { $0 != $1 }.map(\.0.id)) == wanted, "\(title)")
            try await library.undo(receipt)
            #expect(try fixture.items() == items)
        }
    }

    @Test func saysWhatAnUndoDoesForMarks() async throws {
        let fixture = try await ManyKinds()
        let library = fixture.library
        let ids = try fixture.items().map(\.id)
        for mark in EntryMark.allCases { try await library.setMark(mark, false, entries: ids, now: 1) }
        func undo(_ mark: EntryMark, _ value: Bool, _ count: Int) async throws -> String? {
            try await library.setMark(mark, value, entries: Array(ids.prefix(count)), now: 1).undo
        }
        #expect(try await undo(.read, true, 1) == "marking 1 entry as read")
        #expect(try await undo(.read, true, 3) == "marking 2 entries as read")
        #expect(try await undo(.read, false, 3) == "marking 3 entries as unread")
        #expect(try await undo(.starred, true, 2) == "starring 2 entries")
        #expect(try await undo(.starred, false, 1) == "unstarring 1 entry")
        #expect(try await undo(.later, true, 1) == "adding 1 entry to read later")
        #expect(try await undo(.later, false, 9) == "removing 1 entry from read later")
    }

    /// Two overlapping undo steps each restore what they changed, in either order.
    @Test func undoesInEitherOrder() async throws {
        for isLastFirst in [true, false] {
            let fixture = try await ManyKinds()
            let (library, items) = (fixture.library, try fixture.items())
            let ids = items.filter { !$0.marks.contains(.read) }.map(\.id)
            let first = try await library.setMark(.read, true, entries: [ids[0], ids[1]], now: 5)
            let second = try await library.setMark(.starred, true, entries: [ids[1], ids[2]], now: 6)
            for receipt in isLastFirst ? [second, first] : [first, second] { try await library.undo(receipt) }
            #expect(try fixture.items() == items)
        }
    }
}
