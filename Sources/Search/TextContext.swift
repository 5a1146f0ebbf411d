import Feeds
import Foundation

/// The words around the first match in a text, for a list of results.
struct TextContext {
    private let text: [Unicode.Scalar]
    /// The number of scalars before the match, and in all.
    private static let (before, length) = (40, 160)

    /// - Parameter text: Plain text.
    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Returns the text around the first occurrence of any of the words, or the start of the text.
    func around(_ words: [String]) -> String {
        let wanted = words.map { word in
            word.unicodeScalars.map(TextContext.folded).split { !TextContext.isOfWord($0) }.map(Array.init)
        }.filter { !$0.isEmpty }
        let place = wanted.isEmpty ? 0 : firstPlace(of: wanted) ?? 0
        var start = max(0, place - TextContext.before)
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

    private func firstPlace(of phrases: [[[Unicode.Scalar]]]) -> Int? {
        var isInWord = false
        for index in text.indices {
            let isOfWord = TextContext.isOfWord(text[index])
            defer { isInWord = isOfWord }
            guard isOfWord, !isInWord else { continue }
            if phrases.contains(where: { begins($0, at: index) }) { return index }
        }
        return nil
    }

    /// Whether a phrase starts at an index. Its last word may match as a prefix.
    private func begins(_ phrase: [[Unicode.Scalar]], at start: Int) -> Bool {
        var index = start
        for (number, word) in phrase.enumerated() {
            if number > 0 {
                guard index < text.count, !TextContext.isOfWord(text[index]) else { return false }
                while index < text.count, !TextContext.isOfWord(text[index]) { index += 1 }
            }
            for scalar in word {
                guard index < text.count, TextContext.folded(text[index]) == scalar else { return false }
                index += 1
            }
        }
        return true
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
