import TerminalText

/// Finds the words of a search in texts as the index does: at the beginnings of words, in their folded form.
package struct WordMatcher: Sendable {
    /// The folded words of each phrase. The last one may match as a prefix.
    private let phrases: [[ArraySlice<UInt8>]]

    /// - Parameter words: Words and phrases, such as ``SearchQuery/words``.
    package init(_ words: [String]) {
        phrases = words.map { word in
            let folded = FoldedText(query: word)
            return folded.words.map(folded.text(of:))
        }.filter { !$0.isEmpty }
    }

    /// Whether there are no words to find.
    package var isEmpty: Bool { phrases.isEmpty }

    /// Returns the index of the first match.
    func first(in text: [Unicode.Scalar]) -> Int? { ranges(in: text, maximum: 1).first?.lowerBound }

    /// Returns the indexes of the first matches, which don't overlap.
    package func ranges(in text: [Unicode.Scalar], maximum: Int = .max) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        let folded = FoldedText(text, isQuery: false)
        var found: [Range<Int>] = []
        for (index, word) in folded.words.enumerated() {
            if found.count == maximum { break }
            if let last = found.last, word.characters.lowerBound < last.upperBound { continue }
            // Of several phrases the longest counts.
            let end = phrases.compactMap { self.end(of: $0, in: folded, text, from: index) }.max()
            if let end { found.append(word.characters.lowerBound..<end) }
        }
        return found
    }

    /// Returns the end of a phrase that starts at a word.
    private func end(
        of phrase: [ArraySlice<UInt8>], in folded: FoldedText, _ text: [Unicode.Scalar], from start: Int
    ) -> Int? {
        guard let last = phrase.last, start + phrase.count <= folded.words.count else { return nil }
        for (word, wanted) in zip(folded.words[start...], phrase.dropLast()) where folded.text(of: word) != wanted {
            return nil
        }
        let word = folded.words[start + phrase.count - 1]
        guard folded.text(of: word).starts(with: last) else { return nil }
        // Only the characters that the prefix consists of.
        var end = word.characters.lowerBound
        var size = 0
        while size < last.count, end < word.characters.upperBound {
            size += CharacterFolding.foldedSize(text[end])
            end += 1
        }
        // Accents and the forms of an emoji belong to the character before them.
        while end < text.count, CharacterFolding.foldedSize(text[end]) == 0 { end += 1 }
        return end
    }
}
