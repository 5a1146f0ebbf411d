import Foundation
import WebAddresses

/// The fields of an object of any structure.
struct JSONFields {
    let values: [String: Any]
    let base: String?

    init(_ values: [String: Any], base: String?) {
        self.values = values
        self.base = base
    }

    func string(_ key: String) -> String? { (values[key] as? String)?.nonEmpty }

    func plain(_ key: String) -> String? {
        string(key).map { Markup.collapseSpaces(Markup.withoutControls($0)) }?.nonEmpty
    }

    /// Returns a number, which may be written as a string.
    func number(_ key: String) -> Double? {
        (values[key] as? NSNumber)?.doubleValue ?? plain(key).flatMap { Double($0) }
    }

    func link(_ key: String) -> String? { string(key).flatMap { WebAddress.resolve($0, base: base) } }

    /// Returns an identifier, which should be a string. Numbers occur and are used as written.
    func identifier(_ key: String) -> String? {
        string(key) ?? (values[key] as? NSNumber)?.stringValue
    }

    func date(_ key: String) -> ParsedDate? {
        plain(key).map { ParsedDate(instant: DateParser.parse($0), text: $0) }
    }

    /// The authors: a list in version 1.1, a single author in 1.0.
    var authors: [ParsedAuthor] {
        // Some feeds write a single author without a list.
        let single = (values["authors"] ?? values["author"]) as? [String: Any]
        let list = values["authors"] as? [Any] ?? single.map { [$0] } ?? []
        var authors: [ParsedAuthor] = []
        for case let item as [String: Any] in list {
            let fields = JSONFields(item, base: base)
            let author = ParsedAuthor(name: fields.plain("name"), url: fields.link("url"))
            if !author.isEmpty, !authors.contains(author) { authors.append(author) }
        }
        return authors
    }
}
