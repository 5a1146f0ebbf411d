import Foundation
import WebAddresses

/// The fields of an object of any structure.
struct JSONFields {
    let values: [String: Any]
    let base: String?

    func string(_ key: String) -> String? { (values[key] as? String)?.nonEmpty }

    func plain(_ key: String) -> String? {
        string(key).map { Markup.collapseSpaces(Markup.withoutControls($0)) }?.nonEmpty
    }

    /// The title, which is plain text according to the specification. Systems that write it as HTML are recognised by
    /// references to characters by number.
    var title: String? {
        plain("title").flatMap { $0.contains("&#") ? Markup.plainText($0, isTitle: true).nonEmpty : $0 }
    }

    /// Returns a number, which may be written as a string.
    func number(_ key: String) -> Double? {
        let number = (values[key] as? NSNumber)?.doubleValue ?? plain(key).flatMap { Double($0) }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a number of seconds, which may be written as a time such as `1:02:03`.
    func duration(_ key: String) -> Double? { number(key) ?? plain(key).flatMap(FeedBuilder.duration) }

    /// Returns the elements of a list, or a single value as its only element. An object whose keys are numbers is a list, too:
    /// PHP writes an array so if one of its numbers is missing.
    func elements(_ key: String) -> [Any] {
        switch values[key] {
        case let list as [Any]: return list
        case let object as [String: Any]:
            let numbered = object.compactMap { key, value in Int(key).map { ($0, value) } }
            return numbered.count == object.count ? numbered.sorted { $0.0 < $1.0 }.map(\.1) : [object]
        case nil, is NSNull: return []
        case let value?: return [value]
        }
    }

    /// Returns a list of texts, or the texts between commas.
    func list(_ key: String) -> [String] {
        if let text = plain(key) {
            return text.split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
        }
        return elements(key).compactMap(JSONFields.identifier)
    }

    /// Returns an address, which may be in an object.
    func link(_ key: String) -> String? {
        let address = string(key) ?? (values[key] as? [String: Any])?["url"] as? String
        return address.flatMap { WebAddress.resolve($0, base: base) }
    }

    /// Returns an identifier, which should be a string. Numbers occur and are used as written.
    func identifier(_ key: String) -> String? { JSONFields.identifier(values[key]) }

    private static func identifier(_ value: Any?) -> String? {
        (value as? String)?.nonEmpty ?? (value as? NSNumber)?.stringValue
    }

    func date(_ key: String) -> ParsedDate? {
        (plain(key) ?? identifier(key)).map { ParsedDate(instant: DateParser.parse($0), text: $0) }
    }

    /// The authors: a list in version 1.1, a single author in 1.0.
    var authors: [ParsedAuthor] {
        // Some feeds write a single author without a list, or only a name.
        var authors: [ParsedAuthor] = []
        for item in elements(values["authors"] == nil ? "author" : "authors") {
            let fields = JSONFields(values: item as? [String: Any] ?? ["name": item], base: base)
            let author = ParsedAuthor(name: fields.plain("name"), url: fields.link("url"))
            if !author.isEmpty, !authors.contains(author) { authors.append(author) }
        }
        return authors
    }
}
