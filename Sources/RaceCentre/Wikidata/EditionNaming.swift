import FeedParsing

/// What the label and the classes of a Wikidata item say about an edition of a race.
struct EditionNaming {
    /// A value of "instance of" or "subclass of".
    struct Kind: Hashable {
        var item: WikidataItem
        var label: String?
    }

    /// The name without the year.
    private(set) var name: String?
    /// The item of the race whose edition this is.
    private(set) var series: WikidataItem?
    /// The class in the calendar of the UCI, such as `2.UWT`.
    private(set) var grade: String?
    private(set) var isWomens = false
    /// Whether this is a season, a team or another item that only resembles a stage race.
    private(set) var isOther = false

    /// Competitions of women in P2094.
    private static let womensCycling = WikidataItem("Q1451845")
    private static let womensWords: Set<String> = [
        "women", "womens", "femmes", "feminin", "feminine", "femenina", "femenino", "femminile", "feminas", "ladies",
        "donne", "dames", "frauen",
    ]
    private static let otherWords: Set<String> = [
        "championship", "championships", "season", "calendar", "team", "games", "ranking",
    ]
    /// The similarity of names from which an item is the race of an edition.
    private static let minimumSimilarity = 0.4

    init(label: String?, year: Int, kinds: Set<Kind>, divisions: Set<WikidataItem> = []) {
        var candidates: [Kind] = []
        for kind in kinds.sorted(by: { $0.item < $1.item }) {
            if let label = kind.label, EditionNaming.isGrade(label) {
                grade = grade ?? label
            } else {
                candidates.append(kind)
            }
        }
        let terms = candidates.compactMap(\.label).flatMap { RaceWords.folded($0).split(separator: " ") }
        isOther = grade == nil && terms.contains { EditionNaming.otherWords.contains(String($0)) }
        let own = label.flatMap { EditionNaming.without(year, in: $0) }
        let folded = own.map(RaceWords.folded)
        series = EditionNaming.nearest(candidates, to: folded)
        let master = candidates.first { $0.item == series }?.label
        name = own ?? master
        let words = Set([folded, master.map(RaceWords.folded)].compactMap { $0 }.flatMap { $0.split(separator: " ") })
        isWomens =
            EditionNaming.womensCycling.map(divisions.contains) ?? false || grade?.contains("WWT") ?? false
            || words.contains { EditionNaming.womensWords.contains(String($0)) }
    }

    /// The kind of race in words, such as `women, 2.WWT`.
    var kind: String? {
        let words = [isWomens ? "women" : nil, grade].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    private static func nearest(_ kinds: [Kind], to name: String?) -> WikidataItem? {
        guard let name else { return kinds.first { $0.label != nil }?.item }
        let scored = kinds.compactMap { kind in
            kind.label.map { (kind.item, RaceWords.similarity(RaceWords.folded($0), name)) }
        }
        return scored.filter { $0.1 >= minimumSimilarity }.max { $0.1 < $1.1 }?.0
    }

    /// Whether a label is a class of races, such as `2.UWT` or `1.1`.
    private static func isGrade(_ label: String) -> Bool {
        let parts = label.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, label.utf8.count <= 8, let first = parts[0].first, parts[0].count == 1,
            first == UInt8(ascii: "1") || first == UInt8(ascii: "2")
        else { return false }
        return !parts[1].isEmpty
            && parts[1].allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
    }

    /// Returns the year that a label such as `1998 Tour de France` contains.
    static func year(in label: String) -> Int? {
        label.split { !$0.isNumber }.lazy.filter { $0.utf8.count == 4 }.compactMap { Int($0) }
            .first { (1850...2200).contains($0) }
    }

    /// Returns a label without the year as a word, or `nil` if nothing else is in it.
    static func without(_ year: Int, in label: String) -> String? {
        let words = label.split(separator: " ").filter { word in
            word.trimmingPunctuation != String(year)
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

extension Substring {
    /// The text without brackets and commas around it.
    fileprivate var trimmingPunctuation: Substring {
        var text = self
        while let first = text.first, "([,".contains(first) { text = text.dropFirst() }
        while let last = text.last, ")],".contains(last) { text = text.dropLast() }
        return text
    }
}
