import Foundation
import GRDB

/// The libraries that were created or accepted on this machine, as a file of tokens.
///
/// A library from someone else can name programs to run. Each library contains a random token for every machine on
/// which it was used. A library without a token in this file is foreign, and ``SwitchedOff`` lists what is disabled
/// when it is first opened.
package struct KnownLibraries: Sendable {
    private let file: String
    /// Whether the library is at tappa's default path.
    private let isAtOwnPlace: Bool

    /// The prefix of settings that contain a token; the token is the rest of the name.
    static let tokenPrefix = "library.token."
    /// The line that records that the library at the default path was seen. Versions without tokens created it, so it
    /// is accepted once.
    private static let ownPlace = "own-place"

    /// - Parameters:
    ///   - file: The path of the file of tokens.
    ///   - isAtOwnPlace: Whether the library is at tappa's default path.
    package init(file: String, isAtOwnPlace: Bool) {
        self.file = file
        self.isAtOwnPlace = isAtOwnPlace
    }

    private var lines: Set<String> {
        let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return Set(text.split(separator: "\n").map(String.init))
    }

    /// Whether a library was created or accepted on this machine.
    func contains(_ tokens: [String]) -> Bool { !lines.isDisjoint(with: tokens) }

    /// Whether to accept a library without a known token as the user's own.
    var acceptsUnknown: Bool { isAtOwnPlace && !lines.contains(KnownLibraries.ownPlace) }

    /// Adds a token.
    ///
    /// - Returns: Whether the file could be written.
    func add(_ token: String) -> Bool {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        PrivateFile.makeFolder(folder, isOwn: true)
        // Appending keeps the tokens of programs that do the same at the same time.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let new = [token] + (isAtOwnPlace ? [KnownLibraries.ownPlace] : [])
        return Data(new.map { $0 + "\n" }.joined().utf8).withUnsafeBytes { FileWriting.write($0, to: descriptor) }
            == nil
    }
}

/// What was disabled in a library from another machine: everything that runs programs or writes to places that the user
/// did not choose here.
package struct SwitchedOff: Sendable {
    /// The addresses of feeds that run programs.
    package var feeds: [String] = []
    /// Settings that name a program or folder, with their values.
    package var settings: [String] = []
    /// The number of downloads, whose files and addresses were chosen elsewhere.
    package var downloads = 0
    /// The number of passwords that come from a command or the environment.
    package var passwords = 0

    /// The settings that name a program or folder.
    package static let settingNames: Set<String> = [
        SettingKey<String>.browser.name, SettingKey<String>.player.name, SettingKey<String>.notifier.name,
        SettingKey<String>.recordingsFolder.name,
    ]

    /// Disables all of it in a library.
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
        // Pending actions and undo steps were also created elsewhere.
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
        // The tokens must not remain in free pages of the copy either.
        try db.execute(sql: "PRAGMA secure_delete = ON")
        try db.execute(
            sql: "DELETE FROM setting WHERE substr(name, 1, length(?)) = ?",
            arguments: [KnownLibraries.tokenPrefix, KnownLibraries.tokenPrefix])
    }

    /// What was disabled and how to enable it again, or `nil` if nothing was disabled.
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

    /// Returns the first few items, each cut to one line.
    private static func list(_ items: [String]) -> String {
        let shown = items.prefix(5).map { $0.count > 100 ? $0.prefix(99) + "…" : $0 }.joined(separator: ", ")
        return items.count > 5 ? "\(shown) and \(items.count - 5) more" : shown
    }
}
