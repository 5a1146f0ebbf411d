/// A deliberate fault: one place in one file that behaves differently while the mutant is active.
struct Mutant {
    /// An edit of the file's text; `#` is replaced by the mutant's number. No edit changes the number of lines.
    struct Edit {
        /// The offset in bytes.
        var offset: Int
        /// The number of bytes to remove.
        var length = 0
        var text: String
        /// Whether it opens or closes the wrapped code; the ends of several mutants may share a position.
        var isClosing = false
    }

    /// The name of the module, which is that of its folder.
    var module: String
    /// The path from the project's root.
    var file: String
    /// The lines of the mutant, from 1, and those of the function around it.
    var lines: ClosedRange<Int>
    var function: ClosedRange<Int>
    /// The wrapped bytes.
    var range: Range<Int>
    var edits: [Edit]
    /// A description: "`a < b` becomes `a <= b`".
    var description: String
    /// Whether it removes a statement, which may break the lines after it.
    var leavesOut = false
    /// Whether it changes a whole decision, such as a guard or a branch, and not only a constant or an operator.
    var isDecision = false
}

extension Mutant {
    /// A number that stays the same when other lines of the file move, so that a seed selects the same mutants again.
    func rank(seed: UInt64, occurrence: Int) -> UInt64 {
        var hash: UInt64 = 14_695_981_039_346_656_037 ^ (seed &* 0x9E37_79B9_7F4A_7C15)
        for byte in "\(file)|\(description)|\(occurrence)".utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        hash ^= hash >> 33
        hash = hash &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ (hash >> 33)
    }
}
