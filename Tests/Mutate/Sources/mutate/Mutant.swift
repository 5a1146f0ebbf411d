/// A deliberate fault: one place of one file that does something else while the mutant is in force.
struct Mutant {
    /// What is done to the text of the file; `#` stands for the mutant's number. No edit changes the number of lines.
    struct Edit {
        /// Bytes from the beginning of the file.
        var offset: Int
        /// Bytes that go.
        var length = 0
        var text: String
        /// Whether it opens or closes what is wrapped; both ends of several mutants may meet in one place.
        var isClosing = false
    }

    /// The module's name, that of its folder.
    var module: String
    /// The path from the project's root.
    var file: String
    /// The lines it spans, from 1, and those of the function it stands in.
    var lines: ClosedRange<Int>
    var function: ClosedRange<Int>
    /// The bytes that are wrapped.
    var range: Range<Int>
    var edits: [Edit]
    /// What is done, in words: "`a < b` becomes `a <= b`".
    var description: String
    /// Whether a statement is left out, which may harm lines that come after it.
    var leavesOut = false
}

extension Mutant {
    /// A number that is the same for the same place in the same file, wherever other lines have gone to, so that a seed
    /// chooses the same mutants again.
    func rank(seed: UInt64, occurrence: Int) -> UInt64 {
        var hash: UInt64 = 14_695_981_039_346_656_037 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
        for byte in "\(file)|\(description)|\(occurrence)".utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        hash ^= hash >> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ (hash >> 33)
    }
}
