import TerminalText

/// A drawing in the page, represented by its title or text.
struct Drawing {
    /// The depth of open elements in it, and that of the element whose text is read.
    private var depth = 0
    private var reading: Int?
    private var words: [String] = []
    private var text: [UInt8] = []
    private var hasTitle = false
    private var isTitle = false

    private static let maximumWords = 40
    private static let longestText = 400

    /// Starts an element inside the drawing.
    mutating func begin(_ tag: HTMLTag) {
        depth += 1
        guard reading == nil, !hasTitle, tag == .title || tag == .desc || tag == .text else { return }
        reading = depth
        isTitle = tag == .title
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard reading != nil else { return }
        text += bytes.prefix(max(0, Drawing.longestText - text.count))
    }

    /// Ends an element, and returns whether it was inside the drawing and not the drawing itself.
    mutating func end() -> Bool {
        guard depth > 0 else { return false }
        if reading == depth {
            let found = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            if !found.isEmpty, words.count < Drawing.maximumWords {
                words.append(found.joined(separator: " "))
                hasTitle = isTitle
            }
            text = []
            reading = nil
        }
        depth -= 1
        return true
    }

    /// The sign in the place of the drawing, or `nil` if it has no text.
    var sign: StyledSpan? {
        guard !words.isEmpty else { return nil }
        return StyledSpan(DisplayText("[drawing: \(words.joined(separator: ", ").prefix(200))]"), .secondary)
    }
}
