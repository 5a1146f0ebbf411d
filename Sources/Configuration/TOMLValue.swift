import Platform

/// A value in a TOML document, with the line where it starts, from 1.
struct TOMLValue {
    /// The value (TOML 1.1.0).
    enum Kind {
        case string(String)
        case integer(Int64)
        case float(Double)
        case boolean(Bool)
        /// A date, time or both, as written.
        case date(String)
        case array([TOMLValue])
        case table(TOMLTable)
    }

    var kind: Kind
    var line: Int

    var string: String? { if case .string(let value) = kind { value } else { nil } }
    var array: [TOMLValue]? { if case .array(let values) = kind { values } else { nil } }
    var table: TOMLTable? { if case .table(let table) = kind { table } else { nil } }

    /// The table that further headers extend: the value itself, or the last element of an array of tables.
    var currentTable: TOMLTable? {
        switch kind {
        case .table(let table): table
        case .array(let values): values.last?.table
        default: nil
        }
    }

    /// Returns an error in the value.
    func problem(_ message: String) -> TOMLProblem { TOMLProblem(line: line, message: message) }

    /// Modifies the table that further headers extend, in place and without copying.
    mutating func updateTable(_ change: (inout TOMLTable) throws(TOMLProblem) -> Void) throws(TOMLProblem) {
        if case .table(var table) = kind {
            kind = .boolean(false)
            let result = Result { () throws(TOMLProblem) in try change(&table) }
            kind = .table(table)
            try result.get()
        } else if case .array(var values) = kind, !values.isEmpty {
            kind = .boolean(false)
            let result = Result { () throws(TOMLProblem) in try values[values.count - 1].updateTable(change) }
            kind = .array(values)
            try result.get()
        }
    }

    /// Appends a table to an array. Returns `false` if the value is not an array.
    mutating func append(_ table: TOMLTable, line: Int) -> Bool {
        guard case .array(var values) = kind else { return false }
        kind = .boolean(false)
        values.append(TOMLValue(kind: .table(table), line: line))
        kind = .array(values)
        return true
    }

    /// The value as text, nearly as written.
    var text: String {
        switch kind {
        case .string(let value): value
        case .integer(let value): String(value)
        case .float(let value): String(value)
        case .boolean(let value): String(value)
        case .date(let text): text
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// A table with its keys in the order of the document.
struct TOMLTable {
    /// What created the table, which decides who may extend it (TOML 1.1.0, Table and Inline Table).
    enum Origin {
        /// As a part of a longer name.
        case implicit
        case header
        case dottedKey
        /// Between braces. It can't be extended.
        case closed
    }

    private(set) var keys: [String] = []
    private var values: [String: TOMLValue] = [:]
    var origin: Origin

    init(_ origin: Origin) { self.origin = origin }

    subscript(key: String) -> TOMLValue? {
        get { values[key] }
        set {
            if values[key] == nil, newValue != nil { keys.append(key) }
            values[key] = newValue
        }
    }
}

extension TOMLTable {
    /// Returns an error in the value of a key, or in the table if the key is missing.
    ///
    /// - Parameter line: The line of the table.
    func problem(with key: String, line: Int, _ message: String) -> TOMLProblem {
        TOMLProblem(line: values[key]?.line ?? line, message: message)
    }

    /// Modifies a value in place. A missing key stays missing.
    mutating func update(_ key: String, _ change: (inout TOMLValue) throws(TOMLProblem) -> Void) throws(TOMLProblem) {
        guard let index = values.index(forKey: key) else { return }
        try change(&values.values[index])
    }
}

/// An error in a document, as a sentence without a full stop.
struct TOMLProblem: Error {
    var line: Int
    var message: String
}
