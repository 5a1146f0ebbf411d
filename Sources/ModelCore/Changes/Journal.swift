import Foundation
import GRDB

/// Changes that a program could not store before it ended, in a file beside the library; the next start takes them in.
struct Journal: Codable {
    /// A change with its identity.
    struct Item: Codable {
        var id: UUID
        var change: Change
    }

    var id = UUID()
    /// The library that they are meant for: another one may stand in its place meanwhile.
    var library: String
    var items: [Item]

    init(library: String, items: [Item]) {
        self.library = library
        self.items = items
    }

    private static let mark = ".waiting-"

    /// Why there is no journal.
    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// Writes the journal beside a library, and waits until the disk has it.
    func write(beside path: String) throws(Problem) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(self) else { throw Problem(description: "they can't be encoded") }
        let file = path + Journal.mark + id.uuidString
        let part = file + ".part"
        guard PrivateFile.write(data, to: part), rename(part, file) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(part)
            throw Problem(description: "can't write \(file): \(reason)")
        }
        PrivateFile.syncDirectory(of: file)
    }

    /// The journals beside a library, the oldest first.
    static func files(beside path: String) -> [String] {
        let place = URL(fileURLWithPath: path)
        let folder = place.deletingLastPathComponent().path
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        let prefix = place.lastPathComponent + mark
        return names.filter { $0.hasPrefix(prefix) && UUID(uuidString: String($0.dropFirst(prefix.count))) != nil }
            .map { folder + "/" + $0 }
            .sorted { modified($0) < modified($1) }
    }

    private static func modified(_ file: String) -> Int64 {
        var status = stat()
        guard stat(file, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Reads one; `nil` when it is none.
    static func read(_ file: String) -> Journal? {
        FileManager.default.contents(atPath: file).flatMap { try? JSONDecoder().decode(Journal.self, from: $0) }
    }

    /// Notes that the journal is taken in, in the same transaction; false: it was before.
    func claim(_ db: Database) throws -> Bool {
        try db.execute(
            sql: "INSERT OR IGNORE INTO taken_journal VALUES (?, unixepoch())", arguments: [id.uuidString])
        return db.changesCount > 0
    }
}
