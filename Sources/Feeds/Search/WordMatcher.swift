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

    /// Returns the places of the first matches in a text in UTF-8, which don't overlap.
    package func ranges(in text: String, maximum: Int = .max) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        var text = text
        return text.withUTF8 { text in
            // The first match of a long text is usually near its beginning.
            if maximum == 1, text.count > 2 * WordMatcher.beginning,
                let blank = text[..<WordMatcher.beginning].lastIndex(of: UInt8(ascii: " "))
            {
                let first = ranges(
                    of: FoldedText(.init(rebasing: text[..<blank]), isQuery: false), in: text, 1, isWhole: false)
                if !first.isEmpty { return first }
            }
            return ranges(of: FoldedText(text, isQuery: false), in: text, maximum, isWhole: true)
        }
    }

    /// The number of bytes at the beginning of a long text that are searched before the whole of it.
    private static let beginning = 1024

    /// - Parameter isWhole: Whether it is the whole text. Otherwise a phrase may go on behind the last words.
    private func ranges(
        of folded: FoldedText, in text: UnsafeBufferPointer<UInt8>, _ maximum: Int, isWhole: Bool
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let longest = phrases.map(\.count).max() ?? 0
        let words = isWhole ? folded.words[...] : folded.words.dropLast(longest)
        for (index, word) in words.enumerated() {
            if found.count == maximum { break }
            if let last = found.last, word.place.lowerBound < last.upperBound { continue }
            // Of several phrases the longest counts.
            let end = phrases.compactMap { self.end(of: $0, in: folded, text, from: index) }.max()
            if let end { found.append(word.place.lowerBound..<end) }
        }
        return found
    }

    /// Returns the end of a phrase that starts at a word.
    private func end(
        of phrase: [ArraySlice<UInt8>], in folded: FoldedText, _ text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        guard let last = phrase.last, start + phrase.count <= folded.words.count else { return nil }
        for (word, wanted) in zip(folded.words[start...], phrase.dropLast()) where folded.text(of: word) != wanted {
            return nil
        }
        let word = folded.words[start + phrase.count - 1]
        guard folded.text(of: word).starts(with: last) else { return nil }
        // Only the characters that the prefix consists of.
        var end = word.place.lowerBound
        var size = 0
        while end < text.count {
            let (scalar, length) = DisplayTextBuilder.scalar(text, at: end)
            let folded = CharacterFolding.foldedSize(scalar)
            // Accents and the forms of an emoji belong to the character before them.
            guard folded == 0 || size < last.count && end < word.place.upperBound else { break }
            size += folded
            end += length
        }
        return end
    }
}
