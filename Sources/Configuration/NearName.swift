import TerminalText

/// Suggestions for unknown names.
enum NearName {
    /// The maximum edit distance of a suggestion.
    private static let maximum = 4

    /// Returns the most similar name by edit distance (Levenshtein), or `nil` if none is similar.
    static func nearest(to name: String, in names: [String]) -> String? {
        guard name.count <= 80 else { return nil }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let distances = names.map { known -> (name: String, distance: Int) in
            // The name may be right but in the wrong table.
            let own = known.split(separator: ".").last.map(String.init) ?? known
            return (known, min(name.editDistance(to: known), own == last ? 1 : Int.max))
        }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= min(maximum, max(1, name.count / 3)) ? best.name : nil
    }
}
