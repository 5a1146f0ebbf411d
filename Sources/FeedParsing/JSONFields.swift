import Foundation

/// The fields of an object, whatever is in them.
struct JSONFields {
    let values: [String: Any]
    let base: String?

    init(_ values: [String: Any], base: String?) {
        self.values = values
        self.base = base
    }

    func string(_ key: String) -> String? { (values[key] as? String)?.nonEmpty }

    func plain(_ key: String) -> String? { string(key).map(Markup.foldBlanks)?.nonEmpty }

    func link(_ key: String) -> String? { string(key).flatMap { LinkResolution.resolve($0, base: base) } }

    /// An identifier should be a string; numbers occur and are taken as written.
    func identifier(_ key: String) -> String? {
        string(key) ?? (values[key] as? NSNumber)?.stringValue
    }

    func date(_ key: String) -> ParsedDate? {
        plain(key).map { ParsedDate(instant: DateParser.parse($0), text: $0) }
    }

    /// Version 1.1 has a list, 1.0 a single author.
    var authors: [ParsedAuthor] {
        let list = values["authors"] as? [Any] ?? (values["author"] as? [String: Any]).map { [$0] } ?? []
        return list.compactMap { $0 as? [String: Any] }.map { JSONFields($0, base: base) }
            .map { ParsedAuthor(name: $0.plain("name"), url: $0.link("url")) }.filter { !$0.isEmpty }
    }
}
