import CTesting
import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// A walk on a disk that loses what isn't synced when the power is cut.
struct PowerCuts {
    /// What the user has changed so far.
    private struct Moment {
        /// The number of events of the disk when the last receipt arrived.
        var events: Int
        var picture: [String]
    }

    private let path: String
    private var library: Library
    private var generator: SeededGenerator
    private let entries: [EntryID]
    private let feed: FeedID
    private var moments: [Moment] = []
    private var receipts: [Receipt] = []

    /// - Parameter path: A library with entries. Its path is absolute.
    init(_ path: String, seed: UInt64) async throws {
        // SQLite is configured before its file system changes.
        _ = try Library(path: nil)
        guard cpc_install() == 0 else { exit(70) }
        self.path = path
        library = try Library(path: path)
        generator = SeededGenerator(seed: seed)
        entries = try library.entries.rows(in: EntryQuery(.all), limit: 40).map(\.id)
        feed = try await library.follow("https://cut.example/")
        try note()
    }

    private mutating func note() throws {
        moments.append(Moment(events: cpc_events(), picture: try PowerCuts.picture(library, entries.max() ?? 0)))
    }

    /// What the user can change: marks of entries up to the last one, and names.
    private static func picture(_ library: Library, _ last: EntryID) throws -> [String] {
        try library.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id || ' ' || is_read || is_starred || is_later FROM entry WHERE id <= ?
                    UNION ALL SELECT 'feed ' || id || ' ' || coalesce(title, '') FROM subscription
                    UNION ALL SELECT 'search ' || name FROM saved_search
                    """, arguments: [last])
        }
    }

    /// Lets the user and the engine change something.
    mutating func step(_ number: Int) async throws {
        guard let entry = entries.randomElement(using: &generator) else { return }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<10:
            let mark = EntryMark.allCases[Int.random(in: 0...2, using: &generator)]
            let change = Change.mark(
                mark, Bool.random(using: &generator), entries: [entry], wholeStories: false, now: Instant(number))
            receipts.append(try await library.changes.perform(change))
        case 10: receipts.append(try await library.changes.perform(.rename(feed, title: "Feed \(number)")))
        case 11: receipts.append(try await library.changes.perform(.saveSearch(name: "S\(number)", query: "s")))
        case 12..<14:
            guard let last = receipts.popLast() else { return }
            _ = try? await library.changes.perform(.undo(last.id))
        case 14..<17: try await library.store((0..<9).map { "Entry \(number) \($0)" }, in: feed, rules: [])
        case 17: library.store.checkpoint(truncates: false)
        case 18: library.store.checkpoint(truncates: true)
        default:
            // The last connection deletes the log.
            _ = library.changes.drain()
            library = try Library(path: path)
        }
        try note()
    }

    /// Cuts the power after a number of events, and opens what remains.
    ///
    /// - Returns: What is wrong with it, or `nil`.
    private func cut(after events: Int, seed: UInt64, in folder: String) async throws -> String? {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard cpc_cut(events, seed, folder) == 0 else { return "the files can't be written" }
        let next = moments.firstIndex { $0.events > events } ?? moments.count
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name)") else { return "the library is missing" }
        do {
            let library = try Library(path: "\(folder)/\(name)")
            let picture = try PowerCuts.picture(library, entries.max() ?? 0)
            // The change in progress may be stored or not.
            guard moments[max(0, next - 1)...min(next, moments.count - 1)].contains(where: { $0.picture == picture })
            else {
                return "it isn't as the user left it: "
                    + Set(picture).symmetricDifference(moments[max(0, next - 1)].picture).sorted().joined(
                        separator: ", ")
            }
            let problems = try LibraryCheck.run(library) + LibraryPicture.faults(of: library)
            if let first = problems.first { return first }
            try await library.changes.perform(.rename(feed, title: "after the cut"))
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Cuts the power at random moments, half of them right after a receipt.
    ///
    /// - Returns: What is wrong after a cut.
    mutating func cut(_ count: Int) async throws -> [String] {
        cpc_set_recording(0)
        var faults: [String] = []
        let (first, last) = (moments[0].events, cpc_events())
        for number in 0..<count {
            // Connections of the last library, which close meanwhile, delete the log at its path.
            let folder = "\(path).cut\(number)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let isReceipt = Bool.random(using: &generator)
            let receipt = moments.randomElement(using: &generator)?.events ?? first
            let events = isReceipt ? receipt : Int.random(in: first...last, using: &generator)
            let seed = UInt64.random(in: 0 ... .max, using: &generator)
            if let fault = try await cut(after: events, seed: seed, in: folder) {
                faults.append("after event \(events) of \(last), seed \(seed): \(fault)")
            }
        }
        return faults
    }

    /// Counts the syncs of marks: of each alone, and of a thousand that are submitted at once or made by one change.
    mutating func countSyncs() async throws -> String {
        func syncs(_ body: () async throws -> Void) async throws -> Int {
            let before = cpc_syncs()
            try await body()
            return cpc_syncs() - before
        }
        let library = library
        let marks = (0..<100).map { number in
            Change.mark(
                .read, number / entries.count % 2 == 0, entries: [entries[number % entries.count]], wholeStories: false,
                now: 1)
        }
        let alone = try await syncs { for mark in marks { try await library.changes.perform(mark) } }
        let together = try await syncs {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1000 {
                    group.addTask { _ = try await library.changes.perform(marks[number % 100], patience: .seconds(60)) }
                }
                try await group.waitForAll()
            }
        }
        try await library.store((0..<1000).map { "Many \($0)" }, in: feed, rules: [])
        let last = try library.entries.lastID()
        let all = Change.markAll(.read, true, .subscription(feed), upTo: last, mergesDuplicates: false, now: 1)
        let change = try await syncs { _ = try await library.changes.perform(all) }
        return "syncs: \(alone) of 100 marks, \(together) of 1000 at once, \(change) of a change of 1000"
    }
}
