import CText
import Foundation

/// How characters are folded and joined to words.
///
/// The rules are here, by the properties of Unicode; `CText` keeps what they find for each character that a text
/// contained.
package enum CharacterFolding {
    private static let isPrepared: Void = cwf_set_folding { first, page in
        guard let page else { return }
        for index in 0..<CWF_PAGE {
            guard let scalar = Unicode.Scalar(first + UInt32(index)) else { continue }
            page[index] = CharacterFolding.entry(of: scalar)
        }
    }

    /// Sets the rules, without which only ASCII is folded. Whatever calls `CText` needs them.
    package static func prepare() { isPrepared }

    /// Appends the text to which a character is folded, which is empty for accents and joiners.
    package static func fold(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
        prepare()
        let entry = cwf_fold(scalar.value)
        withUnsafeBytes(of: entry.text) { bytes.append(contentsOf: $0.prefix(Int(entry.size))) }
    }

    /// Returns the size of the text to which a character is folded.
    package static func foldedSize(_ scalar: Unicode.Scalar) -> Int {
        prepare()
        return Int(cwf_fold(scalar.value).size)
    }

    private static func entry(of scalar: Unicode.Scalar) -> cwf_folded {
        let (kind, folded) = folding(of: scalar)
        var entry = cwf_folded()
        entry.kind = UInt8(kind.rawValue)
        let bytes = folded.flatMap { Array(UTF8.encode($0) ?? UTF8.EncodedScalar()) }
        entry.size = UInt8(bytes.count)
        withUnsafeMutableBytes(of: &entry.text) { $0.copyBytes(from: bytes) }
        return entry
    }

    private static func folding(of scalar: Unicode.Scalar) -> (cwf_class, [Unicode.Scalar]) {
        let properties = scalar.properties
        // Joiners, selectors, soft hyphens, and the stroke that lengthens Arabic words.
        if properties.isDefaultIgnorableCodePoint || scalar == "\u{640}" { return (CWF_IGNORED, []) }
        switch properties.generalCategory {
        case let category where isOfWord(category):
            let letters = letters(of: scalar)
            guard let first = letters.first else { return (CWF_IGNORED, []) }
            return (isSplit(first) ? (isMark(first) ? CWF_ATTACHED : CWF_SPLIT) : CWF_LETTER, letters)
        case .nonspacingMark, .spacingMark:
            if isSplit(scalar) { return (CWF_ATTACHED, [scalar]) }
            return isAccent(scalar) ? (CWF_IGNORED, []) : (CWF_LETTER, [scalar])
        case .enclosingMark: return (CWF_IGNORED, [])
        case .otherSymbol, .mathSymbol, .modifierSymbol:
            if properties.isEmojiModifier { return (CWF_IGNORED, []) }
            return (properties.isEmoji ? CWF_SYMBOL : CWF_SEPARATOR, [scalar])
        default: return (CWF_SEPARATOR, [scalar])
        }
    }

    /// Returns the letters and digits that stand for one in words.
    private static func letters(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        // These are letters of their own in Cyrillic, except ё; syllables of Hangul are split as they are.
        let isWhole = (0x400...0x52F).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
        let parts =
            isWhole ? [scalar] : Array(String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars)
        let letters = parts.filter { !isAccent($0) }.flatMap { part -> [Unicode.Scalar] in
            if let digit = digit(part) { return [digit] }
            let small = Array(part.properties.lowercaseMapping.unicodeScalars)
            return small.count == 1 ? replacements[small[0]] ?? small : small
        }
        let isWord = letters.allSatisfy { isOfWord($0.properties.generalCategory) || isMark($0) }
        let size = letters.reduce(0) { $0 + UTF8.width($1) }
        return isWord && size <= CWF_MOST_FOLDED ? letters : [scalar]
    }

    private static func isOfWord(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// Returns the digit with the value of one of any script.
    private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { Unicode.Scalar(UInt8(clamping: 0x30 + Int(clamping: $0))) }
    }

    /// The letters that Unicode doesn't take apart, and that other keyboards lack.
    private static let replacements: [Unicode.Scalar: [Unicode.Scalar]] = [
        "đ": ["d"], "ð": ["d"], "ħ": ["h"], "ı": ["i"], "ł": ["l"], "ø": ["o"], "ŧ": ["t"], "æ": ["a", "e"],
        "œ": ["o", "e"], "ß": ["s", "s"], "þ": ["t", "h"], "ς": ["σ"], "ё": ["е"],
    ]

    /// Whether a mark is one that words are found without: accents, the dot under letters of India, and points of Hebrew,
    /// Arabic and Syriac.
    ///
    /// Vowel signs of other scripts have other classes (https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values).
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        guard isMark(scalar), !isSplit(scalar) else { return false }
        let combining = scalar.properties.canonicalCombiningClass.rawValue
        return combining == 7 || (10...36).contains(combining) || combining >= 200
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    /// Whether a character is of a script without spaces between words, or of Hangul, whose words have endings.
    private static func isSplit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F: true  // Thai to Khmer
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true  // Hangul
        case 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x30FF, 0x3100...0x312F, 0x31A0...0x31BF: true  // kana
        case 0x31F0...0x31FF, 0x1AFF0...0x1B16F: true
        case 0x2E80...0x2FDF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true  // Han
        default: scalar == "\u{3099}" || scalar == "\u{309A}"
        }
    }
}
