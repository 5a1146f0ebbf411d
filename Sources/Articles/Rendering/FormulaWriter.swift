import TerminalText

/// Writes formulas in TeX: between `\(` and `\)`, `\[` and `\]` or `$$` in text, and in MathJax's scripts.
final class FormulaWriter {
    private let paragraphs: ParagraphWriter
    /// An incomplete formula with its opening delimiter, or empty outside of formulas.
    private var formula: [UInt8] = []
    /// The formula in the current script so far, or `nil` outside of such scripts.
    private var script: [UInt8]?

    private struct Delimiters {
        var open: [UInt8]
        var close: [UInt8]

        init(_ open: String, _ close: String) { (self.open, self.close) = (Array(open.utf8), Array(close.utf8)) }

        static let all = [Delimiters("\\(", "\\)"), Delimiters("\\[", "\\]"), Delimiters("$$", "$$")]
    }

    /// The maximum length of a formula in bytes. Anything longer stays text.
    private static let longestFormula = 2_000

    init(_ paragraphs: ParagraphWriter) { self.paragraphs = paragraphs }

    /// Appends text that may contain formulas. An incomplete one is kept until the rest of it arrives.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = formula + bytes
        formula = []
        var start = 0
        var index = 0
        // The next end of each kind of formula, so that many unclosed formulas cost nothing.
        var ends: [Int?] = Delimiters.all.map { _ in nil }
        while index + 1 < text.count {
            guard let kind = FormulaWriter.delimiters(text, at: index) else {
                index += 1
                continue
            }
            let content = index + 2
            if ends[kind].map({ $0 < content }) ?? true {
                ends[kind] = FormulaWriter.place(of: Delimiters.all[kind].close, in: text, from: content) ?? text.count
            }
            let end = ends[kind] ?? text.count
            if end == text.count, end - index <= FormulaWriter.longestFormula {
                text[start..<index].withUnsafeBufferPointer { paragraphs.append($0) }
                formula = Array(text[index...])
                return
            }
            guard end < text.count, end - content <= FormulaWriter.longestFormula,
                text[content..<end].contains(where: { $0 > 0x20 })
            else {
                index = content
                continue
            }
            text[start..<index].withUnsafeBufferPointer { paragraphs.append($0) }
            paragraphs.append(TeXText.plain(String(decoding: text[content..<end], as: UTF8.self)))
            index = end + 2
            start = index
        }
        text[start...].withUnsafeBufferPointer { paragraphs.append($0) }
    }

    /// Appends the text of a formula that never ended, because an element or the page ended first.
    func abandon() {
        guard !formula.isEmpty else { return }
        let text = formula
        formula = []
        text.withUnsafeBufferPointer { paragraphs.append($0) }
    }

    /// Whether text may contain a formula. Code never does.
    func mayBegin(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard paragraphs.preformatted == 0, !paragraphs.role.contains(.code) else { return false }
        return !formula.isEmpty || bytes.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "$") }
    }

    var isInScript: Bool { script != nil }

    func beginScript() { script = [] }

    func readScript(_ bytes: UnsafeBufferPointer<UInt8>) {
        let room = max(0, FormulaWriter.longestFormula - (script?.count ?? 0))
        script?.append(contentsOf: bytes.prefix(room))
    }

    func endScript() {
        guard let source = script else { return }
        script = nil
        paragraphs.append(TeXText.plain(String(decoding: source, as: UTF8.self)))
    }

    /// Returns the kind of formula that begins at an offset. A backslash before it makes it text.
    private static func delimiters(_ text: [UInt8], at index: Int) -> Int? {
        guard text[index] == UInt8(ascii: "\\") || text[index] == UInt8(ascii: "$"),
            index == 0 || text[index - 1] != UInt8(ascii: "\\")
        else { return nil }
        return Delimiters.all.firstIndex { text[index] == $0.open[0] && text[index + 1] == $0.open[1] }
    }

    private static func place(of pair: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        (start..<max(start, text.count - 1)).first { text[$0] == pair[0] && text[$0 + 1] == pair[1] }
    }
}
