/// The words around the first match in a text, for a list of results.
struct TextContext {
    private let text: String
    /// The maximum number of scalars.
    private static let length = 160
    /// The number of scalars before the match: the usual one, and one for narrow lists.
    static let (usual, short) = (40, 12)

    /// - Parameter text: Plain text.
    init(_ text: String) { self.text = text }

    /// Returns the text around the first occurrence of any of the words, or the start of the text.
    ///
    /// - Parameter before: The number of scalars before the match.
    func around(_ words: [String], before: Int = TextContext.usual) -> String {
        let match = WordMatcher(words).ranges(in: text, maximum: 1).first
        let scalars = text.unicodeScalars
        let (beginning, offset) = (text.startIndex, match?.lowerBound ?? 0)
        let place = text.utf8.index(beginning, offsetBy: offset, limitedBy: text.endIndex) ?? beginning
        var start = scalars.index(place, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
        if start > text.startIndex {
            let space = scalars[start..<place].firstIndex { $0.properties.isWhitespace }
            start = space.map { scalars.index(after: $0) } ?? place
        }
        var end = scalars.index(start, offsetBy: TextContext.length, limitedBy: text.endIndex) ?? text.endIndex
        if end < text.endIndex {
            let space = scalars[start..<end].lastIndex { $0.properties.isWhitespace }
            end = space.flatMap { $0 > place ? $0 : nil } ?? end
        }
        let shown = FirstWords.of(String(scalars[start..<end]), maximum: TextContext.length)
        return (start > text.startIndex ? "…" : "") + shown + (end < text.endIndex ? "…" : "")
    }
}
