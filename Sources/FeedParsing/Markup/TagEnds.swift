/// Finds the ends of tags in a text.
///
/// A tag may have no end, and a search for it then reaches the end of the text. What such a search has found out is
/// kept, so that no offset is visited more than a few times, however many tags have no end.
struct TagEnds {
    private let bytes: [UInt8]
    /// The offset of the last `>`, or -1.
    private let last: Int
    /// For each offset the ``Place``s in which a search for an end failed there, as bits. Empty before the first.
    private var failures: [UInt8] = []

    /// What an offset is part of.
    private enum Place: UInt8 {
        case tag = 1
        case quotes = 2
        case apostrophes = 4
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        last = bytes.withUnsafeBufferPointer { $0.lastIndex(of: UInt8(ascii: ">")) ?? -1 }
    }

    /// Returns the offset after the next `>`, in quotes or not.
    func next(from start: Int) -> Int? {
        guard start <= last else { return nil }
        return bytes.place(of: UInt8(ascii: ">"), from: start).map { $0 + 1 }
    }

    /// Returns the offset after a tag. A `>` in quotes doesn't end it, unless the quotes are never closed.
    mutating func end(ofTag start: Int) -> Int? {
        guard start + 1 < bytes.count, TagEnds.beginsTag(bytes[start + 1]), start < last else { return nil }
        return search(from: start + 1, notesFailure: false) ?? next(from: start)
    }

    /// Returns the offset after the next `>` outside of quotes.
    ///
    /// - Parameter notesFailure: Whether the search is known to fail, so that its way has to be noted.
    private mutating func search(from start: Int, notesFailure: Bool) -> Int? {
        let isFirst = failures.isEmpty
        var place = Place.tag
        var index = start
        while index <= last {
            if notesFailure || !isFirst {
                if failures[index] & place.rawValue != 0 { return nil }
                if notesFailure { failures[index] |= place.rawValue }
            }
            switch (bytes[index], place) {
            case (UInt8(ascii: ">"), .tag): return index + 1
            case (UInt8(ascii: "\""), .tag): if followsValueSign(index) { place = .quotes }
            case (UInt8(ascii: "'"), .tag): if followsValueSign(index) { place = .apostrophes }
            case (UInt8(ascii: "\""), .quotes), (UInt8(ascii: "'"), .apostrophes): place = .tag
            default: break
            }
            index += 1
        }
        if !notesFailure {
            if isFirst { failures = [UInt8](repeating: 0, count: last + 1) }
            _ = search(from: start, notesFailure: true)
        }
        return nil
    }

    private func followsValueSign(_ index: Int) -> Bool {
        bytes[index - 1] == UInt8(ascii: "=") || bytes[index - 1].isBlank
    }

    private static func beginsTag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!") || byte.isLetter
    }
}
