/// The parts of riders' names.
package enum RiderName {
    /// The words of family names that come before the last one.
    private static let particles: Set<Substring> = [
        "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "el", "la", "le", "los", "ten", "ter", "van",
        "von",
    ]

    /// Returns a family name with its particles, such as "van der Poel".
    package static func family(_ name: String) -> String {
        let words = name.split(separator: " ")
        guard var start = words.indices.last else { return name }
        while start > 1, particles.contains(Substring(words[start - 1].lowercased())) { start -= 1 }
        return words[start...].joined(separator: " ")
    }
}
