import FeedParsing
import RaceModel

/// The rows of an answer in the SPARQL 1.1 Query Results JSON Format.
struct SPARQLResults {
    let rows: [SPARQLRow]

    /// Reads an answer.
    ///
    /// - Parameter variable: A variable that the answer must have, by which answers to other queries are recognised.
    init(_ body: [UInt8], wanted variable: String) throws(CentreFailure) {
        let document: JSONDocument
        do { document = try JSONDocument(body) } catch {
            throw error == .tooLarge ? .tooLarge : .invalid
        }
        guard let bindings = document.root["results"]?["bindings"], bindings.isArray,
            JSONItems.of(document.root["head"]?["vars"]).contains(where: { $0.text == variable })
        else { throw .foreign }
        rows = bindings.items.prefix(WikidataQuery.maximumRows).filter(\.isObject).map(SPARQLRow.init)
    }
}

/// A row, whose values are read leniently: a missing, malformed or unreasonable one is `nil`.
struct SPARQLRow {
    let node: JSONNode

    /// The maximum length of a name in bytes.
    private static let longestName = 200

    private func literal(_ key: StaticString) -> JSONNode? {
        guard let value = node[key], value["type"]?.text != "bnode" else { return nil }
        return value["value"]
    }

    /// Returns the item that an address names.
    func item(_ key: StaticString) -> WikidataItem? { literal(key)?.text(upTo: 100).flatMap { WikidataItem($0) } }

    /// Returns a name, unless it is the identifier that stands for a missing one.
    func name(_ key: StaticString) -> String? {
        guard let text = literal(key)?.text(upTo: SPARQLRow.longestName), WikidataItem(text)?.description != text else {
            return nil
        }
        return text
    }

    /// Returns a short text, such as a number with a letter.
    func word(_ key: StaticString) -> String? { literal(key)?.text(upTo: 20) }

    /// Returns a number. Wikidata writes positive ones with a sign.
    func number(_ key: StaticString) -> Double? {
        guard let text = literal(key)?.text(upTo: 40) else { return nil }
        let digits = Array(text.utf8)
        return DecimalNumber.value(digits[(digits.first == UInt8(ascii: "+") ? 1 : 0)...])
    }

    func whole(_ key: StaticString) -> Int? {
        number(key).ifSound { $0.isBetween(-1e9, 1e9) }.map { Int(clamping: $0.rounded()) }
    }

    func whole(_ key: StaticString, in range: ClosedRange<Int>) -> Int? {
        whole(key).ifSound(range.contains)
    }

    /// Returns the day of an instant such as `2026-07-04T00:00:00Z`.
    func day(_ key: StaticString) -> CalendarDay? {
        let day = literal(key)?.text(upTo: 40).flatMap { CentreTime.day($0) }
        return day.ifSound(RaceBounds.historicDays.contains).map { CalendarDay(number: $0) }
    }
}
