import Accounts
import Feeds
import Foundation
import GRDB
import LibraryKernel
import Races

/// The libraries that were created or accepted on this machine, identified by tokens in a separate file.
///
/// A library from somebody else can name programs to run. Each library therefore has a random token for every machine
/// on which it was used. A library without a token from this file is foreign. ``SwitchedOff`` describes what tappa
/// switches off when it first opens such a library.
package struct KnownLibraries: Sendable {
    private let file: String
    /// Whether the library is at tappa's default path.
    private let isAtOwnPlace: Bool

    /// The prefix of the name of a setting that stores a token. The rest of the name is the token.
    static let tokenPrefix = "library.token."
    /// The line that records that the library at tappa's default path was seen.
    ///
    /// Versions without tokens may have created that library, so tappa accepts it once.
    private static let ownPlace = "own-place"

    /// Creates the list of known libraries for opening one library.
    ///
    /// - Parameters:
    ///   - file: The path of the token file.
    ///   - isAtOwnPlace: Whether the library is at tappa's default path.
    package init(file: String, isAtOwnPlace: Bool) {
        self.file = file
        self.isAtOwnPlace = isAtOwnPlace
    }

    private var lines: Set<String> {
        let text = PrivateFile.contents(file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Set(text.split(separator: "\n").map(String.init))
    }

    /// Whether a library with these tokens was created or accepted on this machine.
    func contains(_ tokens: [String]) -> Bool { !lines.isDisjoint(with: tokens) }

    /// Whether to accept a library without a known token as the user's own.
    var acceptsUnknown: Bool { isAtOwnPlace && !lines.contains(KnownLibraries.ownPlace) }

    /// Adds a token to the file. Returns `false` if the file can't be written.
    func add(_ token: String) -> Bool {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        PrivateFile.makeFolder(folder, isOwn: true)
        // Appends, so that programs that add tokens at the same time don't overwrite each other's.
        let new = [token] + (isAtOwnPlace ? [KnownLibraries.ownPlace] : [])
        return FileWriting.append(Data(new.map { $0 + "\n" }.joined().utf8), to: file) == nil
    }
}

/// The parts of a foreign library that were switched off, because they run programs or write to paths that somebody
/// else chose.
package struct SwitchedOff: Sendable {
    /// The addresses of feeds that are the output of a program.
    var feeds: [String] = []
    /// The addresses of races that are the output of a program.
    var races: [String] = []
    /// Settings that name a program or a folder, with their values.
    var settings: [String] = []
    /// The number of downloads whose files and addresses were chosen on another machine.
    var downloads = 0
    /// The number of passwords that come from a command or the environment.
    var passwords = 0

    /// Switches off these parts in a library and returns a summary.
    static func apply(to db: Database) throws -> SwitchedOff {
        var off = SwitchedOff()
        off.feeds = try String.fetchAll(db, sql: "SELECT url FROM subscription WHERE runs_program <> 0 ORDER BY id")
        off.races = try String.fetchAll(
            db, sql: "SELECT address FROM race_source WHERE runs_program <> 0 ORDER BY address")
        for name in Settings.namesOfPrograms.sorted() {
            guard
                let value = try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
            else { continue }
            off.settings.append("\(name) = \(value)")
            try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name])
        }
        try db.execute(
            sql: """
                UPDATE download SET path = NULL, is_done = 0, size = NULL, validator = NULL, allows_private = 0,
                    error = 'from another library: download it again';
                """)
        off.downloads = db.changesCount
        // Pending rule tasks and undo steps also come from the other machine.
        try db.execute(
            sql: """
                UPDATE subscription SET runs_program = 0 WHERE runs_program <> 0;
                UPDATE race_source SET runs_program = 0 WHERE runs_program <> 0;
                DELETE FROM rule_task;
                DELETE FROM rule_step;
                """)
        try UndoLog(db).deleteAll()
        return off
    }

    /// Removes the tokens of all machines, so that a copy of the library is foreign wherever it is opened.
    static func removeTokens(from db: Database) throws {
        // Overwrites the deleted tokens, so that a copy of the file doesn't contain them.
        try db.execute(sql: "PRAGMA secure_delete = ON")
        try db.execute(
            sql: "DELETE FROM setting WHERE substr(name, 1, length(?)) = ?",
            arguments: [KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix])
    }

    /// What was switched off and how to restore it, as sentences, or `nil` if nothing was switched off.
    package var message: String? {
        var sentences: [String] = []
        if !feeds.isEmpty {
            sentences.append(
                "disabled \(feeds.count.counted("feed")) with a program; 'tappa add' with the address enables one again: "
                    + SwitchedOff.list(feeds))
        }
        if !races.isEmpty {
            sentences.append(
                "disabled \(races.count.counted("race")) with a program; 'tappa race follow' with the address enables one again: "
                    + SwitchedOff.list(races))
        }
        if !settings.isEmpty {
            sentences.append(
                "settings that name programs or folders were not imported; set them again if they are yours: "
                    + SwitchedOff.list(settings))
        }
        if downloads > 0 {
            sentences.append("\(downloads.counted("download")) can be restarted manually")
        }
        if passwords > 0 {
            sentences.append(
                "\(passwords.counted("password")) from commands or the environment must be entered again")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: ". ")
    }

    /// Returns the first five items as text, each truncated to 100 characters.
    private static func list(_ items: [String]) -> String {
        let shown = items.prefix(5).map { $0.count > 100 ? $0.prefix(99) + "…" : $0 }.joined(separator: ", ")
        return items.count > 5 ? "\(shown) and \(items.count - 5) more" : shown
    }
}
