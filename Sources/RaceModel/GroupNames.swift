/// The names of groups, which race centres write in French, in the user's language.
package enum GroupNames {
    /// Whole names in French, folded, with their English ones.
    private static let names: [String: String] = [
        "tete de la course": "Head of the race", "tete de course": "Head of the race", "echappee": "Breakaway",
        "echappes": "Breakaway", "poursuivants": "Chasers", "poursuivant": "Chaser", "poursuite": "Chasers",
        "contre-attaque": "Counter-attack", "contre": "Counter-attack", "intercales": "In between",
        "intercale": "In between", "peloton": "Peloton", "peloton principal": "Main peloton",
        "groupe principal": "Main group", "groupe des favoris": "Favourites", "gr. favoris": "Favourites",
        "deuxieme peloton": "Second peloton", "distances": "Dropped", "distance": "Dropped", "laches": "Dropped",
        "attardes": "Dropped", "gruppetto": "Gruppetto", "autobus": "Gruppetto", "arriere": "Back of the race",
        "gr. maillot jaune": "Yellow jersey group", "gr. maillot vert": "Green jersey group",
        "gr. maillot a pois": "Polka-dot jersey group", "gr. maillot blanc": "White jersey group",
        "gr. maillot rouge": "Red jersey group", "gr. maillot bleu": "Blue jersey group",
        "groupe": "Group", "gr.": "Group", "cabeza de carrera": "Head of the race", "perseguidores": "Chasers",
        "peloton de cola": "Back of the race",
        "descolgados": "Dropped", "fuga": "Breakaway",
    ]

    /// Returns a group's name in a language.
    ///
    /// - Parameters:
    ///   - name: The name as the race centre has it. Names that are not in the table, such as those of riders, stay.
    ///   - language: A code such as `fr`. French stays as it is; every other language gets English.
    package static func name(_ name: String, in language: String) -> String {
        guard !name.isEmpty else { return language == "fr" ? "Groupe" : "Group" }
        guard !language.hasPrefix("fr") else { return name }
        let folded = folded(name)
        if let english = names[folded] { return english }
        // "Poursuivants 2" and "Gr. Poursuivants".
        let words = folded.split(separator: " ")
        if let last = words.last, let number = Int(last), (1...99).contains(number), words.count > 1,
            let english = names[words.dropLast().joined(separator: " ")]
        {
            return "\(english) \(number)"
        }
        for prefix in ["gr. ", "groupe ", "gr "] where folded.hasPrefix(prefix) {
            if let english = names[String(folded.dropFirst(prefix.count))] { return english }
            return name.dropFirst(prefix.count) + " group"
        }
        return name
    }

    /// Whether a group with this name is the peloton.
    package static func isPeloton(_ name: String) -> Bool {
        let folded = folded(name)
        return (folded.hasPrefix("peloton") && names[folded] != "Back of the race") || folded == "main peloton"
    }

    /// Whether a group with this name has lost contact with the peloton.
    package static func isDropped(_ name: String) -> Bool {
        let english = GroupNames.name(name, in: "en").lowercased()
        return ["dropped", "gruppetto", "back of the race"].contains { english.hasPrefix($0) }
    }

    /// The letters of French names with accents.
    private static let letters: [Character: Character] = [
        "é": "e", "è": "e", "ê": "e", "ë": "e", "à": "a", "â": "a", "ô": "o", "ó": "o", "î": "i", "ç": "c", "û": "u",
    ]

    private static func folded(_ name: String) -> String { String(name.lowercased().map { letters[$0] ?? $0 }) }
}
