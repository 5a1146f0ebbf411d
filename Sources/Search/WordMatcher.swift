import Foundation

/// Finds the words of a search in texts as the index does: at the beginnings of words, without case and marks.
package struct WordMatcher: Sendable {
    /// The words of each phrase. The last word of a phrase may match as a prefix.
    private let phrases: [[[Unicode.Scalar]]]

    /// - Parameter words: Words and phrases, such as ``SearchQuery/words``.
    package init(_ words: [String]) {
        phrases = words.map { word in
            word.unicodeScalars.map(WordMatcher.folded).split { !WordMatcher.isOfWord($0) }.map(Array.init)
        }.filter { !$0.isEmpty }
    }

    /// Whether there are no words to find.
    package var isEmpty: Bool { phrases.isEmpty }

    /// Returns the index of the first match.
    func first(in text: [Unicode.Scalar]) -> Int? { ranges(in: text, most: 1).first?.lowerBound }

    /// Returns the indexes of the first matches, which don't overlap.
    package func ranges(in text: [Unicode.Scalar], most: Int = .max) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        var found: [Range<Int>] = []
        var isInWord = false
        for index in text.indices {
            if found.count == most { break }
            let isOfWord = WordMatcher.isOfWord(text[index])
            defer { isInWord = isOfWord }
            guard isOfWord, !isInWord else { continue }
            if let last = found.last, index < last.upperBound { continue }
            // Of several phrases the longest counts.
            let end = phrases.compactMap { self.end(of: $0, in: text, from: index) }.max()
            if let end { found.append(index..<end) }
        }
        return found
    }

    /// Returns the end of a phrase that starts at an index.
    private func end(of phrase: [[Unicode.Scalar]], in text: [Unicode.Scalar], from start: Int) -> Int? {
        var index = start
        for (number, word) in phrase.enumerated() {
            if number > 0 {
                guard index < text.count, !WordMatcher.isOfWord(text[index]) else { return nil }
                while index < text.count, !WordMatcher.isOfWord(text[index]) { index += 1 }
            }
            for scalar in word {
                guard index < text.count, WordMatcher.folded(text[index]) == scalar else { return nil }
                index += 1
            }
        }
        return index
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
            default: return false
            }
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse, .nonspacingMark:
            return true
        default: return false
        }
    }

    /// Returns a scalar folded as in the index, without case and marks (unicode61, remove_diacritics).
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            guard case 0x41...0x5A = scalar.value else { return scalar }
            return Unicode.Scalar(UInt8(scalar.value) + 0x20)
        }
        let base = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first ?? scalar
        return base.properties.lowercaseMapping.unicodeScalars.first ?? base
    }
}
