import CText

/// The words of a text as the full-text index has them.
package struct FoldedText {
    /// A word with its place.
    package struct Word {
        fileprivate let bytes: Range<Int>
        /// The characters of the text that it consists of.
        package let characters: Range<Int>
        /// Whether it is a single character of a script that is split into pairs.
        package let isSingle: Bool
    }

    private var bytes: [UInt8] = []
    /// The words in the order of the text. Pairs overlap.
    package private(set) var words: [Word] = []

    /// Creates the words of a text.
    ///
    /// - Parameter isQuery: Whether the text is searched for, so that it may end within a run of characters.
    package init(_ text: [Unicode.Scalar], isQuery: Bool) {
        CharacterFolding.prepare()
        var encoded: [UInt8] = []
        var places: [Int] = []
        encoded.reserveCapacity(text.count)
        places.reserveCapacity(text.count + 1)
        for (index, scalar) in text.enumerated() {
            for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() {
                encoded.append(byte)
                places.append(index)
            }
        }
        places.append(text.count)
        guard let size = Int32(exactly: encoded.count) else { return }
        struct Found {
            var text: FoldedText
            let places: [Int]
        }
        var found = Found(text: self, places: places)
        withUnsafeMutablePointer(to: &found) { found in
            _ = cwf_words(encoded, size, isQuery, found) { context, word in
                guard let found = context?.assumingMemoryBound(to: Found.self), let word = word?.pointee else {
                    return 1
                }
                found.pointee.text.append(
                    word, characters: found.pointee.places[Int(word.start)]..<found.pointee.places[Int(word.end)])
                return 0
            }
        }
        self = found.text
    }

    /// Creates the words of a text that is searched for.
    package init(query text: String) { self.init(Array(text.unicodeScalars), isQuery: true) }

    private mutating func append(_ word: cwf_word, characters: Range<Int>) {
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: word.text, count: Int(word.size)))
        words.append(Word(bytes: start..<bytes.count, characters: characters, isSingle: word.is_single))
    }

    /// The folded text of a word.
    package func text(of word: Word) -> ArraySlice<UInt8> { bytes[word.bytes] }
}
