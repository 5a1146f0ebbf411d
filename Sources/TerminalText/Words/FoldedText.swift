import CText

/// The words of a text as the full-text index has them.
package struct FoldedText {
    /// A word with its place.
    package struct Word {
        fileprivate let bytes: Range<Int>
        /// Its place in the text, in UTF-8.
        package let place: Range<Int>
        /// Whether it is a single character of a script that is split into pairs.
        package let isSingle: Bool
    }

    private var bytes: [UInt8] = []
    /// The words in the order of the text. Pairs overlap.
    package private(set) var words: [Word] = []

    /// Creates the words of a text.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8.
    ///   - isQuery: Whether the text is searched for, so that it may end within a run of characters.
    package init(_ text: UnsafeBufferPointer<UInt8>, isQuery: Bool) {
        CharacterFolding.prepare()
        guard let size = Int32(exactly: text.count) else { return }
        withUnsafeMutablePointer(to: &self) { found in
            _ = cwf_words(text.baseAddress, size, isQuery, found) { context, word in
                guard let found = context?.assumingMemoryBound(to: FoldedText.self), let word = word?.pointee else {
                    return 1
                }
                found.pointee.append(word)
                return 0
            }
        }
    }

    /// Creates the words of a text that is searched for.
    package init(query text: String) {
        var text = text
        self = text.withUTF8 { FoldedText($0, isQuery: true) }
    }

    private mutating func append(_ word: cwf_word) {
        let start = bytes.count
        let text = UnsafeRawPointer(word.text)?.assumingMemoryBound(to: UInt8.self)
        bytes.append(contentsOf: UnsafeBufferPointer(start: text, count: Int(word.size)))
        words.append(
            Word(bytes: start..<bytes.count, place: Int(word.start)..<Int(word.end), isSingle: word.is_single))
    }

    /// The folded text of a word.
    package func text(of word: Word) -> ArraySlice<UInt8> { bytes[word.bytes] }
}
