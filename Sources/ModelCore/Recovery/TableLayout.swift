import Feeds
import GRDB
import LibraryKernel
import Races

/// The stored form of a table's rows, to recognise and read them without SQLite.
struct TableLayout {
    let name: String
    /// The columns in stored order. A table `WITHOUT ROWID` starts with the key columns.
    let columns: [ColumnInfo]
    let isNumbered: Bool
    /// The index of the column that is an alias of the row number, for which records contain `NULL`.
    private let numberColumn: Int?
    /// The minimum number of values in a record. Later versions added columns with defaults.
    private let minimumCount: Int
    private let kinds: [String]
    private let defaults: [DatabaseValue]
    /// The names of the columns that may contain compressed texts.
    private let storedTexts: Set<String>

    /// Returns the layouts of all tables in a database of the current version.
    static func all(_ db: Database) throws -> [TableLayout] {
        try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).map { try TableLayout(name: $0.at(0), sql: $0.at(1), db) }
    }

    private init(name: String, sql: String, _ db: Database) throws {
        let declared = try db.columns(in: name)
        let key = declared.filter { $0.primaryKeyIndex > 0 }.sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
        let isNumbered = !sql.uppercased().contains("WITHOUT ROWID")
        let columns = isNumbered ? declared : key + declared.filter { $0.primaryKeyIndex == 0 }
        self.name = name
        self.isNumbered = isNumbered
        self.columns = columns
        numberColumn =
            isNumbered && key.count == 1 && key[0].type.uppercased() == "INTEGER"
            ? columns.firstIndex { $0.primaryKeyIndex > 0 } : nil
        minimumCount = (columns.lastIndex { $0.isNotNull && $0.defaultValueSQL == nil } ?? 0) + 1
        kinds = columns.map { LibraryTable.kinds(of: $0, in: name) }
        storedTexts = LibraryTable.storedTexts[name, default: []]
        defaults = try columns.map { column in
            try column.defaultValueSQL.flatMap { try DatabaseValue.fetchOne(db, sql: "SELECT \($0)") } ?? .null
        }
    }

    /// Returns the share of a record's values that have their column's type, from 0 to 1.
    func fit(_ record: DatabasePages.Record) -> Double {
        let count = record.values.count
        guard count > 0, count <= columns.count, count >= minimumCount, isNumbered == (record.row != nil) else {
            return 0
        }
        let fitting = record.values.indices.filter { index in
            let kind = record.kinds[index]
            if index == numberColumn { return kind == "'null'" }
            return kinds[index].isEmpty || kinds[index].contains(kind)
        }
        return Double(fitting.count) / Double(count)
    }

    /// Returns the share of values in several records that have their column's type, from 0 to 1.
    func fit(_ records: [DatabasePages.Record]) -> Double {
        records.reduce(0) { $0 + fit($1) } / Double(max(1, records.count))
    }

    /// Returns the number of columns that a record lacks.
    func missing(_ record: DatabasePages.Record) -> Int { columns.count - record.values.count }

    /// Whether values of a record could not be read, so that others are stored in their place.
    func replaces(_ record: DatabasePages.Record, by values: [DatabaseValue]) -> Bool {
        record.values.indices.contains { index in
            let isDerived = index == numberColumn || ["unread_count", "total_count"].contains(columns[index].name)
            return !isDerived && record.values[index] != values[index]
        }
    }

    /// Returns the values to store for a record. Missing values, those of the wrong type and compressed texts that can't
    /// be salvaged are replaced by the column's default.
    func values(of record: DatabasePages.Record) -> [DatabaseValue] {
        columns.indices.map { index in
            let column = columns[index]
            // Counters are recalculated at the end.
            if column.name == "unread_count" || column.name == "total_count" { return 0.databaseValue }
            if index == numberColumn { return record.row?.databaseValue ?? .null }
            let value = index < record.values.count ? record.values[index] : defaults[index]
            if storedTexts.contains(column.name), !value.isNull, !LibraryTable.isReadable(value) {
                return StoredText.salvaged(value)?.databaseValue ?? defaults[index]
            }
            if kinds[index].isEmpty || kinds[index].contains(value.kind) { return value }
            if case .string(let text) = value.storage, column.type == "INTEGER", let number = Int64(text) {
                return number.databaseValue
            }
            guard column.isNotNull, defaults[index].isNull else { return defaults[index] }
            return column.type == "INTEGER" ? 0.databaseValue : "".databaseValue
        }
    }
}

extension DatabaseValue {
    /// The type of the value as SQLite's `typeof` returns it, in quotes.
    fileprivate var kind: String {
        switch storage {
        case .null: "'null'"
        case .int64: "'integer'"
        case .double: "'real'"
        case .string: "'text'"
        case .blob: "'blob'"
        }
    }
}
