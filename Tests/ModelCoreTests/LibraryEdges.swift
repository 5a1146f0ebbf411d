import CommonTesting
import FeedParsing
import Foundation
import GRDB
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Edge cases of the library: expressions, changed races, files, and messages about disabled programs.
@Suite struct LibraryEdges {
    private let temporary = TemporaryFolder()

    // MARK: Searches

    @Test(arguments: [
        ("stra.e", "Straße", true), ("^é", "Été", true), ("É$", "café", true), ("\\w+", "é", true), ("^.$", "é", true),
        ("^.$", "ab", false),
        ("a.b", "a\nb", false), ("^b", "a\nb", false), ("\\bb\\b", "a b c", true), ("x?", "", false),
        ("(a)(b)", "ab", true),
        ("(?-i)A", "a", false), ("[[:digit:]]", "٣", true),
    ]) func findsRegularExpressions(pattern: String, text: String, isFound: Bool) throws {
        let found = try Library(path: nil).read { db in
            try Bool.fetchOne(
                db, sql: "SELECT found(?, ?, ?)", arguments: [pattern, text, RegularExpression.deadline()])
        }
        #expect(found == isFound)
    }

    @Test func limitsSearchesAtAnyUptime() {
        #expect(RegularExpression.deadline(from: 1) > 1)
        for uptime in [UInt64(Int64.max), .max] { #expect(RegularExpression.deadline(from: uptime) == .max) }
    }

    @Test func stopsSlowRegularExpressions() throws {
        func result(_ pattern: String, _ bytes: [UInt8]) throws -> Bool? {
            let expression = try RegularExpression(pattern)
            return bytes.withUnsafeBytes { expression.isFound(in: $0) }
        }
        #expect(try result("^(a|aa)+$", Array((String(repeating: "a", count: 5000) + "!").utf8)) == nil)
        #expect(try result("(?:a|b)*c", Array((String(repeating: "ab", count: 30_000) + "c").utf8)) != false)
        #expect(try result("a", [0xFF, 0x61]) == false && result("a", [0x61]) == true)
        #expect(RegularExpression.problem(of: "a\\Cb") != nil && RegularExpression.problem(of: "é(")?.place == 2)
        #expect(RegularExpression.problem(of: "a+") == nil)
        // An expired pattern isn't searched, and invalid text matches nothing.
        #expect(throws: LibraryError.self) {
            try Library(path: nil).read { try Bool.fetchOne($0, sql: "SELECT found('a', 'a', 1)") }
        }
        let none = try Library(path: nil).read {
            try Bool.fetchOne($0, sql: "SELECT found('a', NULL, 9000000000000000000)")
        }
        #expect(none == false)
    }

    /// Of very many results the newest are considered; for negated terms all are.
    @Test func considersTheNewestResults() async throws {
        let library = try await Library.following("https://a.example/").library
        try library.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5002)
            INSERT INTO entry (id, subscription_id, guid, title, sort_date, has_date, fingerprint)
                SELECT i, 1, i, 'word', i, 1, 1 FROM n;
            INSERT INTO entry_content (entry_id, first_seen) SELECT id, 1 FROM entry;
            INSERT INTO entry_search (rowid, title) SELECT id, title FROM entry;
            """)
        #expect(try library.entries.count(in: EntryQuery(.search(SearchQuery("word")))) == 5000)
        #expect(try library.entries.list(EntryQuery(.search(SearchQuery("word")))).last == 3)
        #expect(try library.entries.count(in: EntryQuery(.search(SearchQuery("-word is:unread")))) == 0)
    }

    /// The index contains the first 64 KiB of a text, from the markup that can contain them.
    @Test func indexesTheBeginningOfATextOnly() throws {
        let maximum = IndexedEntry.maximumBytes
        let text = String(repeating: "a", count: maximum - 1) + "éend"
        let indexed = IndexedEntry(html: nil, text: text, parts: 3)
        #expect(try indexed.text.text().hasPrefix("aaa") && !indexed.text.text().contains("end") && indexed.parts == 3)
        #expect(try IndexedEntry(html: "<p>html</p>", text: "text", parts: 0).text.text() == "html")
        #expect(IndexedEntry(html: nil, text: "é€", parts: 0).characters == 2)
        #expect(try IndexedEntry(html: nil, text: nil, parts: 0).text.text() == "")
        let markup = String(repeating: "<b></b>", count: maximum) + "end"
        #expect(try !IndexedEntry(html: markup, text: nil, parts: 0).text.text().contains("end"))
    }

    // MARK: Races

    private static func stage(_ number: Int, _ start: String, _ finish: String, _ day: Int? = nil) -> Stage {
        Stage(number: number, date: day.map { "2026-05-\($0)" }, start: start, finish: finish)
    }

    /// A stage is identified by its towns, or by its day if several share them, or else by its number.
    @Test(arguments: [
        (stage(1, "A", "B", 10), 4), (stage(9, "A", "B", 99), 4), (stage(5, "C", "D", 11), 5),
        (stage(6, "C", "D", 12), 6),
        (stage(1, "C", "D", 12), 6), (stage(1, "C", "D", 30), 1), (stage(1, "C", "D"), 1), (stage(7, "X", "Y", 10), 7),
    ]) func recognisesStages(previous: Stage, number: Int) {
        let race = Race(
            race: "R", year: 2026,
            stages: [
                LibraryEdges.stage(4, "A", "B", 10), LibraryEdges.stage(5, "C", "D", 11),
                LibraryEdges.stage(6, "C", "D", 12),
            ])
        #expect(race.number(of: previous) == number)
    }

    /// Revealed, hidden and added parts of a race stay with their stages when the race changes, even under another
    /// name.
    @Test(arguments: ["R", "Other"]) func keepsUserChangesOfARace(name: String) async throws {
        let library = try Library(path: nil)
        let stages = [
            LibraryEdges.stage(1, "A", "B"), LibraryEdges.stage(2, "B", "C"), LibraryEdges.stage(3, "C", "D"),
        ]
        var subscription = RaceSubscription(address: "https://r.example/", raceID: "r-2026", name: "R")
        try await library.changes.perform(.followRace(Race(race: "R", year: 2026, stages: stages), subscription))
        try await library.changes.perform(.hideResults(true, race: "r-2026"))
        try await library.changes.perform(.revealStage(2, race: "r-2026", true))
        let points = (0..<3).map { Track.Point(distance: Double($0), height: 5 * Double($0)) }
        try await library.changes.perform(.storeTrack(Track(points: points), race: "r-2026", stage: 3))
        // A stage is inserted before the others.
        let changed = Race(
            race: name, year: 2026,
            stages: [LibraryEdges.stage(1, "X", "A")]
                + stages.map { LibraryEdges.stage($0.number + 1, $0.start, $0.finish) })
        subscription.raceID = changed.id
        let receipt = try await library.changes.perform(UpdateRace(changed, subscription, at: 0))
        #expect(receipt.count == 1)
        func rows(_ sql: String) throws -> [String] { try library.read { try String.fetchAll($0, sql: sql) } }
        #expect(try rows("SELECT race_id || number FROM seen_stage") == ["\(changed.id)3"])
        #expect(try rows("SELECT race_id || number FROM stage_track") == ["\(changed.id)4"])
        #expect(try rows("SELECT race_id FROM race_spoiler") == [changed.id])
        #expect(try rows("SELECT race_id || address FROM race_source") == ["\(changed.id)https://r.example/"])
        #expect(try library.races.all().map(\.id) == [changed.id] && rows("SELECT number FROM stage").count == 4)
        // Storing the same again is no change, and neither is storing a race that is no longer followed.
        #expect(try await library.changes.perform(UpdateRace(changed, subscription, at: 0)).count == 0)
        try await library.changes.perform(.unfollowRace(changed.id))
        let other = Race(race: name, year: 2026, stages: [])
        #expect(try await library.changes.perform(UpdateRace(other, subscription, at: 0)).count == 0)
        #expect(try rows("SELECT number FROM stage").count == 4 && rows("SELECT race_id FROM race_source") == [])
    }

    @Test func hidesAndShowsResults() async throws {
        let library = try Library(path: nil)
        for name in ["A", "B"] {
            let race = Race(race: name, year: 2026, stages: [LibraryEdges.stage(1, "X", "Y")])
            try await library.changes.perform(.storeRace(race, isBundled: false))
        }
        func covered() throws -> [String] {
            try library.read { try String.fetchAll($0, sql: "SELECT race_id FROM race_spoiler ORDER BY race_id") }
        }
        func seen() throws -> Int {
            try library.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM seen_stage") ?? -1 }
        }
        for (change, races, looks) in [
            (.hideResults(true, race: "a-2026"), ["a-2026"], 0),
            (.hideResults(true, race: "b-2026"), ["a-2026", "b-2026"], 0),
            (.revealStage(1, race: "a-2026", true), ["a-2026", "b-2026"], 1),
            (.revealStage(1, race: "b-2026", true), ["a-2026", "b-2026"], 2),
            (.revealStage(1, race: "a-2026", false), ["a-2026", "b-2026"], 1),
            (.hideResults(false, race: "a-2026"), ["b-2026"], 1),
            (.hideResults(true, race: nil), [SpoilerFilter.all], 1), (.hideResults(false, race: nil), [], 1),
        ] as [(Change, [String], Int)] {
            #expect(try await library.changes.perform(change).count == 1)
            #expect(try covered() == races && seen() == looks, "\(change)")
        }
    }

    // MARK: Files

    /// Permissions that the owner removed stay removed, unless the file must be writable.
    @Test(
        arguments: [
            (0o644, false, 0o600), (0o666, true, 0o600), (0o400, false, 0o400), (0o444, false, 0o400),
            (0o400, true, 0o600),
            (0o600, false, 0o600), (0o200, false, 0o200),
        ] as [(mode_t, Bool, mode_t)]) func protectsFiles(mode: mode_t, isWritten: Bool, protected: mode_t) throws
    {
        let path = temporary.path("file")
        #expect(PrivateFile.replace(path, with: Data("a".utf8)))
        chmod(path, mode)
        PrivateFile.protect(path, isWritten: isWritten)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == protected)
        PrivateFile.protect(temporary.path("none"))
        #expect(!FileManager.default.fileExists(atPath: temporary.path("none")))
    }

    @Test func keepsPermissionsOfFoldersAndPipes() throws {
        let (folder, pipe) = (temporary.path("folder"), temporary.path("pipe"))
        #expect(mkdir(folder, 0o755) == 0 && mkfifo(pipe, 0o644) == 0)
        for (path, mode) in [(folder, mode_t(0o755)), (pipe, 0o644)] {
            chmod(path, mode)
            PrivateFile.protect(path, isWritten: true)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode)
        }
    }

    @Test func replacesFilesAtomically() throws {
        let path = temporary.path("file")
        for text in ["first", "a longer second one", "3"] {
            #expect(PrivateFile.replace(path, with: Data(text.utf8)))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        PrivateFile.touch(path)
        #expect(FileManager.default.contents(atPath: path) == Data("3".utf8))
    }

    // MARK: Words

    @Test(
        arguments: [
            (
                ["exec:a"], [], 0, 0,
                "disabled 1 feed with a program; 'tappa add' with the address enables one again: exec:a"
            ),
            (
                ["a", "b"], [], 0, 0,
                "disabled 2 feeds with a program; 'tappa add' with the address enables one again: a, b"
            ),
            (
                [], ["x = y"], 0, 0,
                "settings that name programs or folders were not imported; set them again if they are yours: x = y"
            ),
            ([], [], 1, 0, "1 download can be restarted manually"),
            ([], [], 2, 0, "2 downloads can be restarted manually"),
            ([], [], 0, 1, "1 password from commands or the environment must be entered again"), ([], [], 0, 0, nil),
            (
                [], [], 1, 2,
                "1 download can be restarted manually. 2 passwords from commands or the environment must be entered again"
            ),
        ] as [([String], [String], Int, Int, String?)])
    func namesDisabledPrograms(feeds: [String], settings: [String], downloads: Int, passwords: Int, message: String?) {
        let off = SwitchedOff(feeds: feeds, settings: settings, downloads: downloads, passwords: passwords)
        #expect(off.message == message)
    }

    @Test func namesSomeOfManyDisabledPrograms() {
        let five = (1...5).map { "f\($0)" }
        #expect(SwitchedOff(feeds: five).message?.hasSuffix(": f1, f2, f3, f4, f5") == true)
        #expect(SwitchedOff(feeds: five + ["f6", "f7"]).message?.hasSuffix(": f1, f2, f3, f4, f5 and 2 more") == true)
        let long = String(repeating: "x", count: 101)
        #expect(SwitchedOff(feeds: [long]).message?.hasSuffix(": " + long.dropLast(2) + "…") == true)
    }

    @Test func fillsANewLibraryOnce() async throws {
        let library = try Library(path: nil)
        #expect(try library.isWithout(.races) && library.isWithout(.feeds) && library.caveat == nil)
        try await library.changes.perform(MarkPrepared(.races))
        #expect(try !library.isWithout(.races) && library.isWithout(.feeds))
        try await library.changes.perform(MarkPrepared(.feeds))
        #expect(try !library.isWithout(.races) && !library.isWithout(.feeds))
        let memory = try Library(inMemoryBecause: .busy)
        #expect(memory.caveat == "nothing will be stored after this run: the library is locked by another program")
        #expect(memory.path == nil && memory.readOnlyReason == nil && !memory.isForeign && !memory.store.wasReplaced)
        #expect(
            Library.libraryVersions.count == 3
                && Library.libraryVersions.allSatisfy { $0.contains(/\w+ \d+\.\d+/) })
    }
}
