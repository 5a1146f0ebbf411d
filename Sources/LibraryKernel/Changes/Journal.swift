import Foundation
import GRDB

/// Changes that a program could not store before it quit, in a file beside the library. The next start stores them.
package struct Journal: Codable {
    /// A change with its ID.
    package struct Item: Codable {
        var id: UUID
        var change: Change
    }

    /// An item that another version may have written.
    private struct ReadItem: Decodable {
        var item: Item?

        init(from decoder: any Decoder) { item = try? Item(from: decoder) }
    }

    private enum CodingKeys: String, CodingKey {
        case id, library, items
    }

    var id = UUID()
    /// The ID of the library, because the path may contain another library at the next start.
    package var library: String
    package var items: [Item]
    /// The number of changes that this version can't read.
    package private(set) var unreadable = 0

    private static let mark = ".waiting-"

    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// Writes the journal beside a library and waits until it is on disk.
    func write(beside path: String) throws(Problem) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(self) else { throw Problem(description: "they can't be encoded") }
        let file = path + Journal.mark + id.uuidString
        if let fault = FileWriting.replace(file, with: data, mode: 0o600) {
            throw Problem(description: "can't write \(file): \(String(cString: strerror(fault)))")
        }
    }

    /// Keeps changes that could not be stored in a journal beside their library.
    static func keep(_ left: [Item], of store: Store) -> Leaving {
        guard let path = store.path, let identity = store.identity else {
            return .lost(left.map(\.change.summary), reason: "the library is in memory only")
        }
        do {
            try Journal(library: identity, items: left).write(beside: path)
            return .kept(left.count)
        } catch {
            return .lost(left.map(\.change.summary), reason: "\(error)")
        }
    }

    /// Returns the journals beside a library, oldest first.
    package static func files(beside path: String) throws(UserFile.Problem) -> [String] {
        let nameStart = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex
        let folder = String(path[..<nameStart])
        let prefix = String(path[nameStart...]) + mark
        return try UserFile.names(inFolder: folder.isEmpty ? "." : folder)
            .filter { $0.hasPrefix(prefix) && UUID(uuidString: String($0.dropFirst(prefix.count))) != nil }
            .map { folder + $0 }
            .sorted { modified($0) < modified($1) }
    }

    private static func modified(_ file: String) -> Int64 {
        var status = stat()
        guard stat(file, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Reads a journal file, or returns `nil` if it isn't one.
    ///
    /// - Throws: The reason why the file can't be read.
    package static func read(_ file: String, _ kinds: ChangeKinds) throws(UserFile.Problem) -> Journal? {
        let data = try UserFile.read(file, isFound: true)
        return try? kinds.decoder.decode(Journal.self, from: data)
    }

    /// Records in the same transaction that the journal is stored. Returns false if it already was.
    func claim(_ db: Database) throws -> Bool {
        try db.execute(
            sql: "INSERT OR IGNORE INTO stored_journal VALUES (?, ?)", arguments: [id.uuidString, Instant.now])
        return db.changesCount > 0
    }
}

extension Journal {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        library = try container.decode(String.self, forKey: .library)
        let read = try container.decode([ReadItem].self, forKey: .items)
        items = read.compactMap(\.item)
        unreadable = read.count - items.count
    }
}
