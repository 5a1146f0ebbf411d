import LibraryKernel

/// What an entry can contain. Each case is a bit in `entry.parts`.
package enum IndexedPart: String, Codable, Hashable, Sendable, CaseIterable {
    case author, changes, comments, date, fulltext, link, picture, media

    /// The names in queries, in alphabetical order.
    package static let names = allCases.map(\.name).sorted()

    /// The name in queries.
    var name: String { self == .media ? "audio" : rawValue }

    /// Returns the part with a name in queries. Other feed readers call audio an enclosure.
    init?(name: String) {
        if let part = IndexedPart.allCases.first(where: { $0.name == name }) {
            self = part
        } else if ["enclosure", "recording"].contains(name) {
            self = .media
        } else {
            return nil
        }
    }

    /// The bit in `entry.parts`.
    var bit: Int {
        switch self {
        case .author: 1
        case .changes: 2
        case .comments: 4
        case .date: 8
        case .fulltext: 16
        case .link: 32
        case .picture: 64
        case .media: 128
        }
    }
}
