import Fetching

/// The places of the segments in the bar, as the value of a setting: a line of words, in quotation marks if they
/// contain spaces.
package struct PlaceList: Hashable, Sendable {
    /// The places in the order of the bar, each once.
    package private(set) var places: [Place]

    /// The maximum number of places.
    package static let maximum = 30

    /// Creates a list. Of equal places only the first stays.
    package init(_ places: [Place]) {
        var seen: Set<Place> = []
        self.places = places.filter { seen.insert($0).inserted }
    }

    /// Parses a text.
    ///
    /// - Returns: `nil` unless all words are places that can be segments.
    package init?(_ text: String) {
        let words = CommandWords.split(text)
        guard (1...PlaceList.maximum).contains(words.count) else { return nil }
        let places = words.compactMap { try? Place($0) }.filter { $0.forSegment == $0 }
        guard places.count == words.count else { return nil }
        self.init(places)
    }

    package var text: String { CommandWords.joined(places.map(\.text)) }

    /// Returns the list with a place at the end.
    package func adding(_ place: Place) -> PlaceList { PlaceList(places + [place]) }

    /// Returns the list without a place, or `nil` if none would be left.
    package func removing(_ place: Place) -> PlaceList? {
        let rest = places.filter { $0 != place }
        return rest.isEmpty ? nil : PlaceList(rest)
    }

    /// Returns the list with the place at an index moved to another, or `nil` if nothing moves.
    package func moving(_ index: Int, to target: Int) -> PlaceList? {
        guard places.indices.contains(index), places.indices.contains(target), index != target else { return nil }
        var list = self
        list.places.insert(list.places.remove(at: index), at: target)
        return list
    }
}
