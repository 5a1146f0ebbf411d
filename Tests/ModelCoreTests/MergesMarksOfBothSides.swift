import Foundation
import LibraryTesting
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The result for a mark in each state here, on the server, and in the outbox.
@Suite(.timeLimit(.minutes(5))) struct MergesMarksOfBothSides {
    /// A mark in the outbox.
    private enum Pending: CaseIterable {
        case none, waiting, sentOnce, sentTwice, refused
    }

    private static let columns = [EntryMark.read: "is_read", .starred: "is_starred", .later: "is_later"]

    private func prepare(_ steps: SyncSteps, _ mark: EntryMark, _ local: Bool, _ pending: Pending) throws {
        try steps.sql("DELETE FROM pending_mark")
        try steps.sql("UPDATE entry SET is_read = 0, is_starred = 0, is_later = 0")
        try steps.sql("UPDATE entry SET \(mark.rawValue) = ? WHERE title = 'Entry 2'", [local])
        let (sent, tries): (Int64?, Int) =
            switch pending {
            case .none, .waiting: (nil, 0)
            case .sentOnce: (5, 1)
            case .sentTwice: (5, 2)
            case .refused: (5, 2)
            }
        guard pending != .none else { return }
        try steps.sql(
            """
            INSERT INTO pending_mark (account_id, entry_id, mark, value, created, sent, tries, is_refused, is_attempted)
            SELECT ?, id, ?, ?, 1, ?, ?, ?, 1 FROM entry WHERE title = 'Entry 2'
            """, [steps.id, mark.remote.name, local, sent, tries, pending == .refused])
    }

    /// The server's lists: without a row in the outbox its value counts, with one the user's.
    @Test func appliesServerListsUnlessAMarkIsPending() async throws {
        let steps = try await SyncSteps()
        try await steps.lists(unread: ["1", "2", "3"])
        try await steps.store(["3", "2", "1"].map { SyncSteps.entry($0) })
        for mark in EntryMark.allCases {
            for local in [true, false] {
                for pending in Pending.allCases {
                    for server in [true, false] {
                        for hasLater in [true, false] {
                            try prepare(steps, mark, local, pending)
                            // The others start as here: unread, without a star, not for later.
                            try await steps.lists(
                                unread: ["1", "3"] + (mark == .read && server ? [] : ["2"]),
                                starred: mark == .starred && server ? ["2"] : [],
                                later: mark == .later && server ? ["2"] : [])
                            let receipt = try await steps.step(.applyLists(hasLater: hasLater, now: 77))
                            let isKnown = mark != .later || hasLater
                            let words = "\(mark) here \(local), \(pending), there \(server), later \(hasLater)"
                            let value = pending == .none && isKnown ? server : local
                            #expect(try steps.entry("Entry 2")?[mark] == value, "\(words)")
                            for title in ["Entry 1", "Entry 3"] {
                                let other = try #require(try steps.entry(title))
                                #expect(!other.isRead && !other.isStarred && !other.isLater, "\(words)")
                            }
                            let row = try steps.rows(
                                "SELECT value, sent IS NOT NULL, is_refused FROM pending_mark")
                            let kept = "\(local ? 1 : 0)"
                            let expected: [String] =
                                switch pending {
                                case .none: []
                                case .waiting: [kept + " 0 0"]
                                // A confirmed mark is done; a contradicted one is sent once more, then reported.
                                case .sentOnce: !isKnown ? [kept + " 1 0"] : local == server ? [] : [kept + " 0 0"]
                                case .sentTwice: !isKnown ? [kept + " 1 0"] : local == server ? [] : [kept + " 1 1"]
                                case .refused: !isKnown ? [kept + " 1 1"] : local == server ? [] : [kept + " 1 1"]
                                }
                            #expect(row == expected, "\(words)")
                            #expect(receipt.count == (value != local ? 1 : 0), "\(words)")
                            #expect(
                                receipt.sync.blocked == (expected.isEmpty || local == server ? 0 : 1), "\(words)")
                            if mark == .read, value, !local {
                                #expect(try steps.rows("SELECT read_at FROM entry WHERE title = 'Entry 2'") == ["77"])
                            }
                        }
                    }
                }
            }
        }
    }

    /// Lists ignore entries of no account or of another one.
    @Test func leavesEntriesOfOtherFeeds() async throws {
        let steps = try await SyncSteps()
        try await steps.lists(unread: ["1"])
        try await steps.store([SyncSteps.entry("1")])
        let own = try await steps.library.follow("https://own.example/")
        try steps.sql(
            """
            INSERT INTO account (id, name, kind, address, user, secret, position) VALUES (50, 'b', 'reader', '', '', '', 2)
            """)
        for (title, account) in [("Own", nil), ("Other", AccountID(rawValue: 50))] {
            try steps.sql(
                """
                INSERT INTO entry (subscription_id, guid, title, sort_date, has_date, fingerprint, is_starred, is_later)
                VALUES (?, ?1 || ?2, ?2, 1, 1, 1, 1, 1)
                """, [own, title])
            guard let account else { continue }
            try steps.sql(
                "INSERT INTO remote_entry SELECT ?, '1', id FROM entry WHERE title = ?", [account, title])
        }
        try await steps.lists(unread: [], starred: ["1"], later: ["1"])
        #expect(try await steps.step(.applyLists(hasLater: true, now: 1)).count == 3)
        for title in ["Own", "Other"] {
            let entry = try #require(try steps.entry(title))
            #expect(!entry.isRead && entry.isStarred && entry.isLater)
        }
        let first = try #require(try steps.entry("Entry 1"))
        #expect(first.isRead && first.isStarred && first.isLater)
    }

    /// Changes from a server that reports changes follow the same rule, entry by entry.
    @Test func appliesServerChangesUnlessAMarkIsPending() async throws {
        let steps = try await SyncSteps(kind: .miniflux)
        func change(_ id: String, isUnread: Bool, isStarred: Bool) async throws -> Receipt {
            let entry = ChangedEntry(entry: SyncSteps.entry(id), isUnread: isUnread, isStarred: isStarred)
            return try await steps.step(
                .applyChanges([entry], SyncService.prepared([entry.entry], now: SyncSteps.now), now: 77))
        }
        for id in ["1", "2", "3"] { _ = try await change(id, isUnread: true, isStarred: false) }
        for mark in [EntryMark.read, .starred] {
            for local in [true, false] {
                for pending in [Pending.none, .waiting, .sentOnce, .refused] {
                    for server in [true, false] {
                        try prepare(steps, mark, local, pending)
                        let receipt = try await change(
                            "2", isUnread: !(mark == .read && server), isStarred: mark == .starred && server)
                        let words = "\(mark) here \(local), \(pending), there \(server)"
                        let value = pending == .none ? server : local
                        let entry = try #require(try steps.entry("Entry 2"))
                        #expect(entry[mark] == value, "\(words)")
                        #expect(entry[mark == .read ? .starred : .read] == false, "\(words)")
                        // A pending mark that differs from the server is requested again later.
                        #expect(
                            receipt.sync.blocked == (pending != .none && local != server ? 1 : 0), "\(words)")
                        #expect(receipt.stored == StoredChanges())
                        if mark == .read, !local, value {
                            #expect(try steps.rows("SELECT read_at FROM entry WHERE title = 'Entry 2'") == ["77"])
                        }
                    }
                }
            }
        }
    }

    /// A new entry has the marks of the server's lists in all combinations; one in no list is read.
    @Test func appliesServerMarksToNewEntries() async throws {
        let steps = try await SyncSteps()
        let ids = (0..<8).map { "\(10 + $0)" }
        func has(_ bit: Int) -> [String] { ids.enumerated().filter { $0.0 & bit != 0 }.map(\.1) }
        try await steps.lists(unread: has(1), starred: has(2), later: has(4))
        #expect(try await steps.store(ids.map { SyncSteps.entry($0) }).sync.stored.added == 8)
        for (number, id) in ids.enumerated() {
            let entry = try #require(try steps.entry("Entry \(id)"))
            #expect(entry.isRead == (number & 1 == 0) && entry.isStarred == (number & 2 != 0))
            #expect(entry.isLater == (number & 4 != 0))
        }
        #expect(try steps.rows("SELECT DISTINCT read_at FROM entry WHERE is_read") == ["\(SyncSteps.now)"])
        #expect(try steps.waiting().isEmpty, "the server knows them")
    }

    /// From a server that reports changes, only unread and starred entries are stored.
    @Test func storesUnreadAndStarredEntries() async throws {
        let steps = try await SyncSteps(kind: .miniflux)
        let entries =
            (0..<4).map { number in
                ChangedEntry(
                    entry: SyncSteps.entry("\(number)"), isUnread: number & 1 != 0, isStarred: number & 2 != 0)
            } + [ChangedEntry(entry: SyncSteps.entry("9", feed: 7), isUnread: true, isStarred: true)]
        let receipt = try await steps.step(
            .applyChanges(entries, SyncService.prepared(entries.map(\.entry), now: 1), now: 1))
        #expect(receipt.sync.stored.added == 3)
        let rows = try steps.library.entries.rows(in: EntryQuery(.all), limit: 9).map {
            "\($0.title) \($0.isRead) \($0.isStarred)"
        }
        #expect(Set(rows) == ["Entry 1 false false", "Entry 2 true true", "Entry 3 false true"])
    }

    /// An entry that existed before the server knew it sends its marks there.
    @Test func sendsTheMarksOfEntriesThatWereHereFirst() async throws {
        let steps = try await SyncSteps()
        let feed = try #require(try steps.library.feeds.all().first?.id)
        try steps.sql(
            """
            INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
            VALUES (1, ?, 'own', 'Entry 7', 1790000000, 1, 1);
            """, [feed])
        try steps.sql(
            "INSERT INTO entry_content (entry_id, link, first_seen) VALUES (1, 'https://a.example/entry/7', 1)")
        try steps.sql("INSERT INTO entry_tag VALUES (1, 'own'), (1, 'later')")
        for number in 0..<64 {
            func bit(_ place: Int) -> Bool { number >> place & 1 == 1 }
            for table in ["pending_mark", "remote_entry"] { try steps.sql("DELETE FROM \(table)") }
            try steps.sql("UPDATE entry SET is_read = ?, is_starred = ?, is_later = ?", [bit(0), bit(1), bit(2)])
            try await steps.lists(
                unread: bit(3) ? [] : ["7"], starred: bit(4) ? ["7"] : [], later: bit(5) ? ["7"] : [])
            #expect(try await steps.store([SyncSteps.entry("7")]).sync.stored.added == 0)
            let expected = [
                bit(0) == bit(3) ? nil : "read \(bit(0) ? 1 : 0) Entry 7",
                bit(1) == bit(4) ? nil : "starred \(bit(1) ? 1 : 0) Entry 7",
                bit(2) == bit(5) ? nil : "later \(bit(2) ? 1 : 0) Entry 7", "label/own 1 Entry 7",
            ]
            #expect(try steps.waiting() == expected.compactMap { $0 }, "\(number)")
        }
    }

    /// Matching of entries: by link, or by title and date; a second identifier only if title and link agree.
    @Test(arguments: [
        ("Entry 7", "https://a.example/entry/7", false, true), ("Other", "https://a.example/entry/7", false, true),
        ("Entry 7", "https://a.example/else", false, true), ("Other", "https://a.example/else", false, false),
        ("Entry 7", "https://a.example/entry/7", true, true), ("Other", "https://a.example/entry/7", true, false),
        ("Entry 7", "https://a.example/else", true, false),
    ])
    func recognizesAnEntry(title: String, link: String, isMapped: Bool, isSame: Bool) async throws {
        let steps = try await SyncSteps()
        try await steps.lists(unread: ["7"])
        try await steps.store([SyncSteps.entry("7")])
        if !isMapped { try steps.sql("DELETE FROM remote_entry") }
        try await steps.lists(unread: ["8"])
        let receipt = try await steps.store([SyncSteps.entry("8", title: title, link: link)])
        #expect(receipt.sync.stored.added == (isSame ? 0 : 1))
        #expect(
            try steps.rows("SELECT e.id FROM remote_entry r JOIN entry e ON e.id = r.entry_id WHERE r.remote_id = '8'")
                == [isSame ? "1" : "2"])
    }

    /// Missing entries and those of unfollowed feeds are not requested again; entries never requested are.
    @Test func requestsEachEntryOnceNewestFirst() async throws {
        let steps = try await SyncSteps()
        try await steps.lists(unread: ["9", "10", "8", "100", "7"], starred: ["7", "6"])
        #expect(try await steps.step(.noteMissing).count == 6)
        #expect(try await steps.step(.nextMissing(maximum: 2)).sync.missing == ["100", "10"])
        try await steps.store([SyncSteps.entry("100"), SyncSteps.entry("10", feed: 9)], asked: ["100", "10"])
        #expect(try await steps.step(.nextMissing(maximum: 9)).sync.missing == ["9", "8", "7", "6"])
        try await steps.store([SyncSteps.entry("8")], asked: ["9", "8", "7", "6"])
        #expect(try await steps.step(.nextMissing(maximum: 9)).sync.missing.isEmpty)
        try await steps.lists(unread: ["9", "10", "8", "100", "7", "11"])
        #expect(try await steps.step(.noteMissing).count == 1)
        #expect(try await steps.step(.nextMissing(maximum: 9)).sync.missing == ["11"])
        // A new feed may own them: unplaced entries are requested again.
        try await steps.step(.storeSubscriptions([SyncSteps.feed(1), SyncSteps.feed(9)], now: 2))
        try await steps.lists(unread: ["9", "10", "8", "100", "7"])
        #expect(try await steps.step(.noteMissing).count == 3)
        #expect(try await steps.step(.nextMissing(maximum: 9)).sync.missing == ["10", "9", "7"])
    }

    /// Tags follow the server's labels for entries of the account unless one is pending; other tags stay.
    @Test func takesLabelsAsTagsUnlessOneIsPending() async throws {
        for (hasTag, pending, isListed) in [
            (false, Pending.none, true), (true, .none, false), (true, .none, true), (false, .none, false),
            (false, .waiting, true), (true, .waiting, false), (true, .sentOnce, true), (true, .sentOnce, false),
            (false, .sentOnce, true), (false, .sentOnce, false), (true, .sentTwice, false),
        ] {
            let steps = try await SyncSteps()
            try await steps.lists(unread: ["1", "2"])
            try await steps.store(["2", "1"].map { SyncSteps.entry($0) })
            let entry = try #require(try steps.entry("Entry 2")?.id)
            let other = try #require(try steps.entry("Entry 1")?.id)
            try steps.sql("INSERT INTO entry_tag VALUES (?1, 'mine'), (?2, 'mine')", [entry, other])
            if hasTag { try steps.sql("INSERT INTO entry_tag VALUES (?, 'x y')", [entry]) }
            if pending != .none {
                try steps.sql(
                    """
                    INSERT INTO pending_mark (account_id, entry_id, mark, value, created, sent, tries)
                    VALUES (?, ?, 'label/x y', ?, 1, ?, ?)
                    """,
                    [
                        steps.id, entry, hasTag, pending == .waiting ? nil : 5,
                        pending == .sentTwice ? 2 : pending == .sentOnce ? 1 : 0,
                    ])
            }
            try await steps.lists(unread: ["1", "2"])
            try await steps.step(.addToList(.label("x y"), isListed ? ["2"] : []))
            var labels = RemoteLabels()
            labels.names = ["x y"]
            labels.hasLater = isListed
            try await steps.step(.applyLabels(labels, now: 99))
            let words = "tag \(hasTag), \(pending), listed \(isListed)"
            // After a mark is confirmed, both sides agree.
            let value = pending == .none ? isListed : hasTag
            #expect(try steps.library.entries.tags(of: entry) == ["mine"] + (value ? ["x y"] : []), "\(words)")
            #expect(try steps.library.entries.tags(of: other) == ["mine"], "\(words)")
            let rows = try steps.rows("SELECT sent IS NOT NULL, is_refused FROM pending_mark")
            let expected: [String] =
                switch pending {
                case .none, .refused: []
                case .waiting: ["0 0"]
                case .sentOnce: hasTag == isListed ? [] : ["0 0"]
                case .sentTwice: ["1 1"]
                }
            #expect(rows == expected, "\(words)")
            #expect(
                try steps.rows("SELECT has_later, has_labels, last_whole FROM account")
                    == ["\(isListed ? 1 : 0) 1 99"])
        }
    }

    @Test func acceptsAnUnlistedLabel() async throws {
        let steps = try await SyncSteps()
        try await steps.lists(unread: ["1"])
        try await steps.store([SyncSteps.entry("1")])
        let entry = try #require(try steps.entry("Entry 1")?.id)
        try steps.sql(
            """
            INSERT INTO pending_mark (account_id, entry_id, mark, value, created, sent, tries)
            VALUES (?1, ?2, 'label/F', 1, 1, 5, 1), (?1, ?2, 'label/G', 1, 1, NULL, 0), (?1, ?2, 'label/H', 1, 1, 5, 1)
            """, [steps.id, entry])
        var labels = RemoteLabels()
        labels.unlisted = ["F", "G"]
        try await steps.step(.applyLabels(labels, now: 99))
        // Pending labels are sent; sent labels that can be listed are checked.
        #expect(try steps.rows("SELECT mark, sent FROM pending_mark ORDER BY mark") == ["label/G -", "label/H -"])
    }
}
