/// The words around the first match in a text, for a list of results.
struct TextContext {
    private let text: [Unicode.Scalar]
    /// The maximum number of scalars.
    private static let length = 160
    /// The number of scalars before the match: the usual one, and one for narrow lists.
    static let (usual, short) = (40, 12)

    /// - Parameter text: Plain text.
    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Returns the text around the first occurrence of any of the words, or the start of the text.
    ///
    /// - Parameter before: The number of scalars before the match.
    func around(_ words: [String], before: Int = TextContext.usual) -> String {
        let place = WordMatcher(words).first(in: text) ?? 0
        var start = max(0, place - before)
        if start > 0 { start = text[start..<place].firstIndex { $0.properties.isWhitespace }.map { $0 + 1 } ?? place }
        var end = min(text.count, start + TextContext.length)
        if end < text.count {
            end = text[start..<end].lastIndex { $0.properties.isWhitespace }.flatMap { $0 > place ? $0 : nil } ?? end
        }
        var result = String.UnicodeScalarView()
        for scalar in text[start..<end] {
            if !scalar.properties.isWhitespace {
                result.append(scalar)
            } else if result.last != " ", !result.isEmpty {
                result.append(" ")
            }
        }
        if result.last == " " { result.removeLast() }
        return (start > 0 ? "…" : "") + String(result) + (end < text.count ? "…" : "")
    }
}
