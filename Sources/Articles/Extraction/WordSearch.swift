/// Searches for words in the bytes of a text, because names are searched for dozens of them.
enum WordSearch {
    /// Whether a lower-case text contains any of the words.
    static func contains(_ text: String, anyOf words: [[UInt8]]) -> Bool {
        var text = text
        return text.withUTF8 { text in words.contains { contains(text, $0) } }
    }

    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ word: [UInt8]) -> Bool {
        guard let first = word.first, text.count >= word.count else { return false }
        return word.withUnsafeBufferPointer { word in
            var place = 0
            let last = text.count - word.count
            while place <= last {
                if text[place] == first {
                    var index = 1
                    while index < word.count, text[place + index] == word[index] { index += 1 }
                    if index == word.count { return true }
                }
                place += 1
            }
            return false
        }
    }

    /// Returns words in the form used for searching.
    static func words(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
}
