/// What has changed in the rows of a table, as one batch (row TAB-02).
///
/// Rows and sections that went, and rows that look otherwise, are named by their old places; those that came by their new
/// places; a move goes from an old place to a new one. In what order they are named does not matter.
public struct TableChanges: Hashable, Sendable {
    /// A row that has another place.
    public struct Move: Hashable, Sendable {
        /// Its old place.
        public var from: RowPath
        /// Its new place.
        public var to: RowPath

        /// Makes a move.
        public init(from: RowPath, to: RowPath) {
            self.from = from
            self.to = to
        }
    }

    /// The old places of rows that are gone.
    public var deletedRows: Set<RowPath> = []
    /// The new places of rows that came.
    public var insertedRows: Set<RowPath> = []
    /// The rows that have another place; they may look otherwise too.
    public var movedRows: Set<Move> = []
    /// The old places of rows that look otherwise; a row that moves is not named here.
    public var updatedRows: Set<RowPath> = []
    /// The old indexes of sections that are gone with all their rows.
    public var deletedSections: Set<Int> = []
    /// The new indexes of sections that came with all their rows.
    public var insertedSections: Set<Int> = []

    /// No change.
    public init() {}

    /// What leads from one order of identifiers to another, in one section: the fewest moves that a simple walk finds.
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

    /// Finds new places for old ones; made once for a batch.
    struct Mapping {
        private let moved: [RowPath: RowPath]
        private let deletedRows: Set<RowPath>
        private let deletedSections: Set<Int>
        private let insertedSections: [Int]
        /// By section, in order: old rows that leave their place, new rows that are taken.
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

        /// The new index of an old section; `nil` when it is gone.
        func section(_ old: Int) -> Int? {
            guard !deletedSections.contains(old) else { return nil }
            var section = old - deletedSections.count { $0 < old }
            for inserted in insertedSections where inserted <= section { section += 1 }
            return section
        }

        /// The new place of an old row; `nil` when it is gone.
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

        /// By how many rows a section that stays has grown, or shrunk.
        func growth(old: Int, new: Int) -> Int { (taken[new]?.count ?? 0) - (leaving[old]?.count ?? 0) }
    }
}
