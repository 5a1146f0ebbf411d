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

    /// The number of entries, such as "1 entry" or "2 entries".
    package var countedEntries: String { counted("entry", "entries") }
}
