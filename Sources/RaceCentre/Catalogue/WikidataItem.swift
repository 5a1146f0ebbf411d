/// The identifier of a Wikidata item, such as `Q33881`.
package struct WikidataItem: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let number: Int64

    /// The prefix of the address under which a followed edition is stored: `wikidata:Q33881`.
    package static let scheme = "wikidata:"

    /// Parses an identifier, or an address that ends with one. Returns `nil` for anything else.
    package init?(_ text: String) {
        let separator = text.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        let last = text.utf8[(separator.map(text.utf8.index(after:)) ?? text.startIndex)...]
        guard last.first == UInt8(ascii: "Q"), (2...13).contains(last.count),
            last.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(String(decoding: last.dropFirst(), as: UTF8.self)), number > 0
        else { return nil }
        self.number = number
    }

    package var description: String { "Q\(number)" }

    /// The address under which a followed edition is stored.
    package var address: String { WikidataItem.scheme + description }

    /// The address of the item's page for people.
    var page: String { "https://www.wikidata.org/wiki/\(description)" }

    package static func < (left: WikidataItem, right: WikidataItem) -> Bool { left.number < right.number }
}
