/// Numbers of things in sentences.
extension Int {
    /// `1 feed`, `2 feeds`.
    ///
    /// - Parameters:
    ///   - one: The word for one of them.
    ///   - several: The word for another number of them; as of itself the other one with an `s`.
    package func counted(_ one: String, _ several: String? = nil) -> String {
        self == 1 ? "1 \(one)" : "\(self) \(several ?? one + "s")"
    }

    /// `1 entry`, `2 entries`.
    package var countedEntries: String { counted("entry", "entries") }
}
