import Feeds
import Foundation
import LibraryKernel

/// Phrases to find in texts word by word, ignoring case and accents.
struct Phrases {
    /// A word as it is compared.
    struct Word {
        /// A hash of the folded word.
        var key: UInt64
        /// The number of characters in the folded word.
        var count: Int
        var hasCapital: Bool
    }

    /// The words that follow a first word, by that word.
    private var rests: [UInt64: [[UInt64]]] = [:]
    /// Words that match by themselves. Short ones must be capitalised in the text.
    private var alone: Set<UInt64> = []
    private static let (shortest, short) = (3, 5)

    mutating func add(_ words: [Word], alsoLastWord: Bool = false) {
        guard let first = words.first else { return }
        rests[first.key, default: []].append(words.dropFirst().map(\.key))
        if alsoLastWord, let last = words.last, last.count >= Phrases.shortest { alone.insert(last.key) }
    }

    func occur(in words: [Word]) -> Bool {
        for (index, word) in words.enumerated() {
            if alone.contains(word.key), word.hasCapital || word.count >= Phrases.short { return true }
            for rest in rests[word.key] ?? [] where words.dropFirst(index + 1).lazy.map(\.key).starts(with: rest) {
                return true
            }
        }
        return false
    }
}

/// Splits texts into words of letters and digits. ASCII words are folded while they are read, others once.
///
/// Words are compared by their hashes. A collision would only hide a text too many.
final class WordReader {
    private var known: [String: Phrases.Word] = [:]
    /// The folded letters and digits of ASCII; 0 for characters that end a word.
    private static let folded: [UInt8] = (0..<128).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(byte) | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte)
        default: 0
        }
    }

    func read(_ text: String) -> [Phrases.Word] {
        var text = text
        return text.withUTF8 { bytes in WordReader.folded.withUnsafeBufferPointer { read(bytes, folded: $0) } }
    }

    private func read(_ bytes: UnsafeBufferPointer<UInt8>, folded: UnsafeBufferPointer<UInt8>) -> [Phrases.Word] {
        var words: [Phrases.Word] = []
        words.reserveCapacity(bytes.count / 6)
        var index = 0
        while index < bytes.count {
            let start = index
            var key = FNVHash()
            var isPlain = true
            while index < bytes.count {
                if bytes[index] < 0x80 {
                    let byte = folded[Int(bytes[index])]
                    guard byte != 0 else { break }
                    key.combine(UInt64(byte))
                    index += 1
                } else {
                    let (scalar, length) = WordReader.scalar(bytes, at: index)
                    guard WordReader.isPartOfWord(scalar) else { break }
                    isPlain = false
                    index += length
                }
            }
            if index == start {
                index += bytes[index] < 0x80 ? 1 : WordReader.scalar(bytes, at: index).length
            } else if isPlain {
                words.append(
                    Phrases.Word(
                        key: key.value, count: index - start, hasCapital: (0x41...0x5A).contains(bytes[start])))
            } else {
                words.append(fold(String(decoding: bytes[start..<index], as: UTF8.self)))
            }
        }
        return words
    }

    private func fold(_ word: String) -> Phrases.Word {
        if let known = known[word] { return known }
        let folded = word.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
        var key = FNVHash()
        key.combine(folded.utf8)
        let read = Phrases.Word(key: key.value, count: folded.count, hasCapital: word.first?.isUppercase == true)
        known[word] = read
        return read
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        return [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }

    /// Returns the scalar at a byte of valid UTF-8 (RFC 3629, section 3).
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (
        scalar: Unicode.Scalar, length: Int
    ) {
        let first = UInt32(bytes[index])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard length > 1, index + length <= bytes.count else { return ("\u{FFFD}", 1) }
        var value = first & (0x7F >> UInt32(length))
        for byte in bytes[(index + 1)..<(index + length)] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
