import RaceModel

/// Why a response can't be used. What was known before stays.
package enum CentreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The body is no JSON, or only the beginning of one.
    case invalid
    /// The body is larger than any that tappa reads.
    case tooLarge
    /// The body contains records, but none of the wanted kind.
    case foreign

    package var description: String {
        switch self {
        case .invalid: "the response is not complete JSON"
        case .tooLarge: "the response is too large"
        case .foreign: "the response is about something else"
        }
    }
}

/// The records of a response.
///
/// A response is an array of records of the wanted bind and of all that they refer to. Each record has its bind in
/// `_bind`.
struct CentreRecords {
    private let nodes: [JSONNode]

    private static let maximum = 20_000

    /// Reads a response. An empty one has no records.
    init(_ body: [UInt8]) throws(CentreFailure) {
        guard body.contains(where: { $0 > 0x20 }) else {
            nodes = []
            return
        }
        let document: JSONDocument
        do { document = try JSONDocument(body) } catch {
            throw error == .tooLarge ? .tooLarge : .invalid
        }
        guard document.root.isArray else { throw document.root.isObject ? .foreign : .invalid }
        nodes = document.root.items.prefix(CentreRecords.maximum).filter(\.isObject)
    }

    var isEmpty: Bool { nodes.isEmpty }

    /// Returns the records of a bind, or all whose bind begins with a name and a hyphen if it has no year.
    func of(_ bind: String) -> [JSONNode] {
        let wanted = Array(bind.utf8)
        return nodes.filter { $0["_bind"]?.equals(wanted) == true }
    }

    /// Returns the records of a bind.
    ///
    /// - Throws: ``CentreFailure/foreign`` if there are only others.
    func wanted(_ bind: String) throws(CentreFailure) -> [JSONNode] {
        let records = of(bind)
        guard !records.isEmpty || nodes.isEmpty else { throw .foreign }
        return records
    }
}

extension Array where Element == JSONNode {
    /// Returns what the first records contain, leaving out those that can't be read.
    func reading<Value>(atMost limit: Int, _ read: (JSONNode) -> Value?) -> [Value] {
        var values: [Value] = []
        for node in self {
            guard values.count < limit else { break }
            if let value = read(node) { values.append(value) }
        }
        return values
    }
}

extension JSONNode {
    /// Returns the identifier in a reference such as `team-2026:428c52`, or in `_id`.
    func identifier(_ key: StaticString) -> String? {
        guard let text = self[key]?.text(upTo: 200) else { return nil }
        return text.lastIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? text
    }

    /// The instant at which the record was passed on.
    var updatedAt: Instant? {
        guard let milliseconds = self["_updatedAt"]?.number, milliseconds.isBetween(0, 1e14) else { return nil }
        return Optional(Instant(Int64(clamping: milliseconds / 1000))).ifSound(RaceBounds.instants.contains)
    }
}
