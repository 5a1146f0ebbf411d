/// Removes from text everything that a terminal would interpret or that would misalign columns.
///
/// All text from outside passes through it, whether as a ``DisplayText`` or as a line on standard output. It removes C0
/// and C1 controls, DEL, line and paragraph separators, bidirectional controls, tag characters, noncharacters, soft
/// hyphens, zero-width spaces, and kitty's placeholder for pictures. Joiners and variation selectors remain only inside
/// emoji, and a base character keeps at most eight marks. Tabs and line breaks become single spaces.
public enum Sanitizer {
    /// The maximum number of marks on a base character.
    public static let maximumMarks = 8

    /// Returns a text that is safe to print to a terminal on one line.
    public static func sanitize(_ text: String) -> String {
        var text = text
        let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
        if isPlain { return text }
        var result = String.UnicodeScalarView()
        var filter = ScalarFilter()
        for scalar in text.unicodeScalars { filter.pass(scalar) { result.append($0) } }
        return String(result)
    }

    enum Kind {
        case plain, mark, joiner, space, dropped
    }

    static func classify(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF:
            return .plain
        case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029:
            return .space
        case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F,
            0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF, 0xE0000...0xE0FFF, 0x10EEEE:
            return .dropped
        case 0x200C, 0x200D, 0xFE00...0xFE0F:
            return .joiner
        default:
            if scalar.value & 0xFFFE == 0xFFFE { return .dropped }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return .mark
            case .control, .surrogate, .lineSeparator, .paragraphSeparator, .format: return .dropped
            default: return .plain
            }
        }
    }
}

struct ScalarFilter {
    private var previous: Unicode.Scalar?
    private var marks = 0
    private var pendingJoiners: [Unicode.Scalar] = []

    var hasJoiner: Bool { !pendingJoiners.isEmpty }

    /// Passes on the visible part of the next scalar, and of those that waited for it.
    @inline(__always)
    mutating func pass(_ scalar: Unicode.Scalar, to output: (Unicode.Scalar) -> Void) {
        switch Sanitizer.classify(scalar) {
        case .dropped: return
        case .space:
            if !pendingJoiners.isEmpty { pendingJoiners.removeAll() }
            if previous != " " { output(" ") }
            previous = " "
            marks = 0
        case .joiner:
            guard let base = previous, base.properties.isEmoji, base.value > 0xFF else { return }
            marks += 1
            guard marks <= Sanitizer.maximumMarks else { return }
            // A selector belongs to the emoji before it, a joiner only to two.
            if Glyph.variationSelectors.contains(scalar.value), pendingJoiners.isEmpty {
                output(scalar)
            } else {
                pendingJoiners.append(scalar)
            }
        case .mark:
            marks += 1
            if marks <= Sanitizer.maximumMarks, previous != nil { output(scalar) }
        case .plain:
            if !pendingJoiners.isEmpty {
                if scalar.properties.isEmoji { for joiner in pendingJoiners { output(joiner) } }
                pendingJoiners.removeAll()
            }
            output(scalar)
            previous = scalar
            marks = 0
        }
    }

    /// Records a printable ASCII scalar that bypassed the filter.
    @inline(__always)
    mutating func passed(_ scalar: Unicode.Scalar) {
        if !pendingJoiners.isEmpty { pendingJoiners.removeAll() }
        previous = scalar
        marks = 0
    }
}
