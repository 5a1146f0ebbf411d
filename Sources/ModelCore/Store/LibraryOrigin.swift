import Foundation
import GRDB

/// The libraries that were made or accepted on this machine: the file of their tokens, which is kept apart from them.
///
/// A library from somebody else can name programs to run. Each library has a random token for every machine that it was used on; without
/// one that this file lists it is foreign, and ``SwitchedOff`` tells what is switched off in it at its first opening.
package struct KnownLibraries: Sendable {
    private let file: String
    /// Whether the library is at the place where tappa keeps its own.
    private let isAtOwnPlace: Bool

    /// What a token's setting begins with; the token is the rest of the name.
    static let tokenPrefix = "library.token."
    /// The line that says that the library at tappa's own place was seen. Versions without tokens made it, so it is accepted once.
    private static let ownPlace = "own-place"

    /// - Parameters:
    ///   - file: The file of the tokens.
    ///   - isAtOwnPlace: Whether the library is at the place where tappa keeps its own.
    package init(file: String, isAtOwnPlace: Bool) {
        self.file = file
        self.isAtOwnPlace = isAtOwnPlace
    }

    private var lines: Set<String> {
        let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Set(text.split(separator: "\n").map(String.init))
    }

    /// Whether a library was made or accepted here.
    func contains(_ tokens: [String]) -> Bool { !lines.isDisjoint(with: tokens) }

    /// Whether a library without a known token is the user's own all the same.
    var acceptsUnknown: Bool { isAtOwnPlace && !lines.contains(KnownLibraries.ownPlace) }

    /// Adds a token.
    ///
    /// - Returns: Whether the file could be written.
    func add(_ token: String) -> Bool {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        PrivateFile.makeFolder(folder, isOwn: true)
        // Appended, so that programs that add one at the same time lose nothing.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let new = [token] + (isAtOwnPlace ? [KnownLibraries.ownPlace] : [])
        return Data(new.map { $0 + "\n" }.joined().utf8).withUnsafeBytes { FileWriting.write($0, to: descriptor) }
            == nil
    }
}

/// What is switched off in a library from elsewhere, because it runs programs or writes to places that its user did not choose here.
package struct SwitchedOff: Sendable {
    /// The addresses of feeds that a program prints.
    package var feeds: [String] = []
    /// Settings that name a program or a place, with their values.
    package var settings: [String] = []
    /// Downloads, whose files and addresses were chosen elsewhere.
    package var downloads = 0
    /// Passwords that a command prints or that the environment has.
    package var passwords = 0

    /// The settings that name a program or a place.
    package static let settingNames: Set<String> = [
        SettingKey<String>.browser.name, SettingKey<String>.player.name, SettingKey<String>.notifier.name,
        SettingKey<String>.recordingsFolder.name,
    ]

    /// Switches it off in a library.
    static func apply(to db: Database) throws -> SwitchedOff {
        var off = SwitchedOff()
        off.feeds = try String.fetchAll(db, sql: "SELECT url FROM subscription WHERE runs_program <> 0 ORDER BY id")
        let names = SwitchedOff.settingNames.union(
            Settings.definitions.filter { SwitchedOff.settingNames.contains($0.name) }.compactMap(\.previousName))
        for name in names.sorted() {
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
        // What waits to be done and what can be undone was decided elsewhere too.
        try db.execute(
            sql: """
                UPDATE subscription SET runs_program = 0 WHERE runs_program <> 0;
                DELETE FROM rule_task;
                DELETE FROM rule_step;
                DELETE FROM undo_step;
                """)
        for (table, _) in Schema.trashTables { try db.execute(sql: "DELETE FROM trash_\(table)") }
        return off
    }

    /// Removes the tokens of all machines, so that a copy is foreign wherever it is opened.
    static func removeTokens(from db: Database) throws {
        // A copy of the file has no trace of them either.
        try db.execute(sql: "PRAGMA secure_delete = ON")
        try db.execute(
            sql: "DELETE FROM setting WHERE substr(name, 1, length(?)) = ?",
            arguments: [KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix])
    }

    /// What was switched off and what to do, as sentences; `nil` if nothing was.
    package var message: String? {
        var sentences: [String] = []
        if !feeds.isEmpty {
            sentences.append(
                "\(feeds.count.counted("feed")) that \(feeds.count == 1 ? "runs" : "run") a program "
                    + "\(feeds.count == 1 ? "is" : "are") switched off; 'tappa add' with the address allows one again: "
                    + SwitchedOff.list(feeds))
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

    /// The first few of a list, each cut to a line.
    private static func list(_ items: [String]) -> String {
        let shown = items.prefix(5).map { $0.count > 100 ? $0.prefix(99) + "…" : $0 }.joined(separator: ", ")
        return items.count > 5 ? "\(shown) and \(items.count - 5) more" : shown
    }
}
