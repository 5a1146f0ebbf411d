/// The line of an entry that is read, as it is kept: the paragraph and the bytes of it above that line.
struct ReadingPlace: Equatable {
    var paragraph: Int
    var offset: Int

    init(paragraph: Int, offset: Int) {
        self.paragraph = paragraph
        self.offset = offset
    }

    /// Reads `12:340`; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2, parts.allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(paragraph: parts[0], offset: parts[1])
    }

    var text: String { "\(paragraph):\(offset)" }
}
