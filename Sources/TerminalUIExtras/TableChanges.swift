import TerminalUI

/// A batch of changes to the rows of a table (row TAB-02).
///
/// Deleted rows and sections have old paths, inserted ones new paths. A move goes from an old to a new
/// path. The order doesn't matter.
public struct TableChanges: Hashable, Sendable {
    /// A row that moved.
    public struct Move: Hashable, Sendable {
        /// The old path.
        public var from: RowPath
        /// The new path.
        public var to: RowPath

        /// Creates a move.
        public init(from: RowPath, to: RowPath) {
            self.from = from
            self.to = to
        }
    }

    /// The old paths of deleted rows.
    public var deletedRows: Set<RowPath> = []
    /// The new paths of inserted rows.
    public var insertedRows: Set<RowPath> = []
    /// The rows that moved. Their content may have changed too.
    public var movedRows: Set<Move> = []
    /// The old indexes of deleted sections with all their rows.
    public var deletedSections: Set<Int> = []
    /// The new indexes of inserted sections with all their rows.
    public var insertedSections: Set<Int> = []

    /// Creates an empty batch.
    public init() {}

    /// Returns the changes from one order of identifiers to another in one section, with nearly the fewest moves.
    public static func difference<Identifier: Hashable>(
        from old: [Identifier], to new: [Identifier], section: Int = 0
    ) -> TableChanges {
        var changes = TableChanges()
        func path(_ row: Int) -> RowPath { RowPath(section: section, row: row) }
        for change in new.difference(from: old).inferringMoves() {
            switch change {
            case .remove(let row, _, nil): changes.deletedRows.insert(path(row))
            case .insert(let row, _, nil): changes.insertedRows.insert(path(row))
            case .insert(let row, _, let from?): changes.movedRows.insert(Move(from: path(from), to: path(row)))
            case .remove: break
            }
        }
        return changes
    }

    /// Translates old to new paths; created once for a batch.
    struct Mapping {
        private let moved: [RowPath: RowPath]
        private let deletedRows: Set<RowPath>
        private let deletedSections: Set<Int>
        private let insertedSections: [Int]
        /// The old rows that leave their position and the new rows that are filled, by section and in order.
        private var leaving: [Int: [Int]] = [:]
        private var taken: [Int: [Int]] = [:]

        init(_ changes: TableChanges) {
            moved = Dictionary(changes.movedRows.map { ($0.from, $0.to) }) { first, _ in first }
            deletedRows = changes.deletedRows
            deletedSections = changes.deletedSections
            insertedSections = changes.insertedSections.sorted()
            for path in changes.deletedRows.union(moved.keys) { leaving[path.section, default: []].append(path.row) }
            for path in changes.insertedRows.union(moved.values) { taken[path.section, default: []].append(path.row) }
            for section in leaving.keys { leaving[section]?.sort() }
            for section in taken.keys { taken[section]?.sort() }
        }

        /// Returns the new index of an old section, or `nil` if it was deleted.
        func section(_ old: Int) -> Int? {
            guard !deletedSections.contains(old) else { return nil }
            var section = old - deletedSections.count { $0 < old }
            for inserted in insertedSections where inserted <= section { section += 1 }
            return section
        }

        /// Returns the new path of an old row, or `nil` if it was deleted.
        func path(_ old: RowPath) -> RowPath? {
            if let moved = moved[old] { return moved }
            guard !deletedRows.contains(old), let section = section(old.section) else { return nil }
            var row = old.row - (leaving[old.section] ?? []).count { $0 < old.row }
            for place in taken[section] ?? [] {
                if place > row { break }
                row += 1
            }
            return RowPath(section: section, row: row)
        }

        /// Returns by how many rows a section has grown.
        func growth(old: Int, new: Int) -> Int { (taken[new]?.count ?? 0) - (leaving[old]?.count ?? 0) }
    }
}
