/// Numbers with their nouns.
extension Int {
    /// Returns the number with its noun, such as "1 feed" or "2 feeds".
    ///
    /// - Parameters:
    ///   - one: The singular.
    ///   - several: The plural; by default the singular with an "s".
    package func counted(_ one: String, _ several: String? = nil) -> String {
        self == 1 ? "1 \(one)" : "\(self) \(several ?? one + "s")"
    }

    /// Returns the number with its noun, or only the words for one, such as "a star" or "3 stars".
    package func summary(_ one: String, _ several: String) -> String { self == 1 ? one : counted(one, several) }
}

/// Alternatives in messages.
extension [String] {
    /// The texts as alternatives, such as "a, b or c".
    package var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
