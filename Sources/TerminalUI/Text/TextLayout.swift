/// The lines of a text in a width. Each paragraph is wrapped on first use, so the cost of a text depends on what is
/// visible, however long it is.
@MainActor
struct TextLayout {
    /// A line of a paragraph or of its attachments.
    struct Line {
        var paragraph: Int
        /// The content; empty in lines of an attachment.
        var content: StyledLine
        /// The width of a prefix such as a bullet.
        var prefixColumns: Int
        /// The byte offsets of the line in the paragraph's text without spaces. A line without text, such as that of an
        /// attachment, counts as one byte, so that it has a position too.
        var offsets: Range<Int>
        /// The byte offset in the paragraph's text, without spaces, at which the line ends.
        var textEnd: Int
        /// The width in which it was laid out, which for tables may be more than that of the text.
        var room: Int
        /// Whether it ends with a hyphen that is not part of the text.
        var isHyphenated = false
        /// Whether it is longer than its width, because its paragraph isn't wrapped.
        var isCut = false
    }

    /// The position of a line: a paragraph, and a line in it.
    struct Position: Comparable {
        var paragraph: Int
        var line: Int

        static let start = Position(paragraph: 0, line: 0)

        static func < (left: Position, right: Position) -> Bool {
            (left.paragraph, left.line) < (right.paragraph, right.line)
        }
    }

    let paragraphs: [TextParagraph]
    /// The widths of all text before each paragraph, and in total. They measure the text without wrapping it.
    private let weights: [Int]
    /// The shares of the text, from 0 to 1, at which headings below its beginning start.
    let headings: [Double]
    private(set) var columns = 0
    private(set) var tableColumns = 0
    /// Whether the screen is read from top to bottom (``Window/isLinear``).
    private(set) var isLinear = false
    private(set) var attachments: [TextAttachment] = []
    /// The wrapped paragraphs. The cache is cleared when it is large, such as after scrolling far.
    private var blocks: [Int: [Line]] = [:]
    private static let maximumBlocks = 4_000
    /// The minimum weight of a paragraph, which is about a line.
    private static let minimumWeight = 60

    init(_ paragraphs: [TextParagraph]) {
        self.paragraphs = paragraphs
        var weights = [0]
        weights.reserveCapacity(paragraphs.count + 1)
        var headings: [Int] = []
        var sum = 0
        for paragraph in paragraphs {
            if sum > 0, paragraph.spans.first?.role.contains(.heading) == true { headings.append(sum) }
            sum += max(TextLayout.minimumWeight, paragraph.spans.reduce(0) { $0 + $1.text.columns })
            weights.append(sum)
        }
        self.weights = weights
        self.headings = headings.map { Double($0) / Double(sum) }
    }

    /// Sets widths and mode.
    ///
    /// - Parameter tableColumns: The maximum width of tables, or `nil` for that of the text.
    /// - Returns: Whether anything changed.
    @discardableResult
    mutating func wrap(columns: Int, tableColumns: Int? = nil, isLinear: Bool = false) -> Bool {
        let tableColumns = max(columns, tableColumns ?? columns)
        guard columns != self.columns || tableColumns != self.tableColumns || isLinear != self.isLinear else {
            return false
        }
        self.columns = columns
        self.tableColumns = tableColumns
        self.isLinear = isLinear
        blocks.removeAll(keepingCapacity: true)
        return true
    }

    /// Replaces the attachments, or updates their heights.
    mutating func attach(_ attachments: [TextAttachment]) {
        self.attachments = attachments
        blocks.removeAll(keepingCapacity: true)
    }

    var wrappedCount: Int { blocks.count }

    // MARK: Paragraphs

    /// Returns the lines of a paragraph and its attachments, at least one.
    mutating func lines(of paragraph: Int) -> [Line] {
        if let block = blocks[paragraph] { return block }
        let source = isLinear ? paragraphs[paragraph].readLineByLine : paragraphs[paragraph]
        var (offset, textEnd) = (0, 0)
        var lines: [Line] = []
        let room = max(columns, source.tableColumns(fitting: tableColumns) ?? 0)
        for wrapped in source.wrappedLines(columns: room) {
            let length = max(1, wrapped.textBytes)
            textEnd += wrapped.textBytes
            lines.append(
                Line(
                    paragraph: paragraph, content: wrapped.line, prefixColumns: wrapped.prefixColumns,
                    offsets: offset..<offset + length, textEnd: textEnd, room: room,
                    isHyphenated: wrapped.isHyphenated,
                    isCut: wrapped.line.columns > room && !paragraphs[paragraph].wraps))
            offset += length
        }
        for index in attachments.indices where attachments[index].paragraph == paragraph {
            for _ in 0..<height(of: index) {
                lines.append(
                    Line(
                        paragraph: paragraph, content: StyledLine(), prefixColumns: 0, offsets: offset..<offset + 1,
                        textEnd: textEnd, room: columns))
                offset += 1
            }
        }
        if blocks.count >= TextLayout.maximumBlocks { blocks.removeAll(keepingCapacity: true) }
        blocks[paragraph] = lines
        return lines
    }

    private func height(of attachment: Int) -> Int { max(0, attachments[attachment].height(columns)) }

    // MARK: Ways

    private var last: Int { paragraphs.count - 1 }

    /// Returns the position some lines further down or up, limited to the last or first line.
    mutating func position(_ start: Position, movedBy count: Int) -> Position {
        guard !paragraphs.isEmpty else { return .start }
        var position = Position(paragraph: max(0, min(start.paragraph, last)), line: start.line)
        position.line = max(0, min(position.line, lines(of: position.paragraph).count - 1)) + count
        while position.line < 0, position.paragraph > 0 {
            position.paragraph -= 1
            position.line += lines(of: position.paragraph).count
        }
        while true {
            let height = lines(of: position.paragraph).count
            guard position.line >= height else { break }
            guard position.paragraph < last else {
                position.line = height - 1
                break
            }
            position.paragraph += 1
            position.line -= height
        }
        position.line = max(0, position.line)
        return position
    }

    /// Returns the first visible line when the end of the text is at the bottom.
    mutating func lastTop(height: Int) -> Position {
        position(Position(paragraph: last, line: .max / 2), movedBy: 1 - max(1, height))
    }

    /// Returns up to a number of lines from a position on.
    mutating func lines(from position: Position, count: Int) -> [Line] {
        var result: [Line] = []
        var position = position
        while result.count < count, position.paragraph < paragraphs.count {
            let block = lines(of: position.paragraph)
            result += block.dropFirst(position.line).prefix(max(0, count - result.count))
            position = Position(paragraph: position.paragraph + 1, line: 0)
        }
        return result
    }

    /// Returns the lines of each attachment relative to a position, or `nil` for those further away than `reach`.
    mutating func places(from top: Position, within reach: Int) -> [Range<Int>?] {
        guard !attachments.isEmpty, !paragraphs.isEmpty else { return attachments.map { _ in nil } }
        let first = position(top, movedBy: -reach)
        // Where the text of each nearby paragraph ends and its attachments start.
        var starts: [Int: Int] = [:]
        var line = -first.line
        var (paragraph, topLine) = (first.paragraph, 0)
        while paragraph <= last {
            let height = lines(of: paragraph).count
            if paragraph == top.paragraph { topLine = line + top.line }
            if paragraph > top.paragraph, line - topLine > reach { break }
            starts[paragraph] = line + height - attachedLines(of: paragraph)
            line += height
            paragraph += 1
        }
        return attachments.indices.map { index in
            let paragraph = attachments[index].paragraph
            guard let start = starts[paragraph] else { return nil }
            let end = start + height(of: index)
            starts[paragraph] = end
            return start - topLine..<end - topLine
        }
    }

    private func attachedLines(of paragraph: Int) -> Int {
        attachments.indices.reduce(0) { $0 + (attachments[$1].paragraph == paragraph ? height(of: $1) : 0) }
    }

    // MARK: Places

    /// Returns the line that contains a place of the text.
    mutating func position(at place: TextView.Place) -> Position {
        guard !paragraphs.isEmpty else { return .start }
        guard place.paragraph <= last else { return Position(paragraph: last, line: .max / 2) }
        let paragraph = max(0, place.paragraph)
        let lines = lines(of: paragraph)
        let line = lines.indices.last { lines[$0].offsets.lowerBound <= place.offset } ?? 0
        return Position(paragraph: paragraph, line: line)
    }

    /// Returns the place at which a line starts.
    mutating func place(at position: Position) -> TextView.Place {
        guard position.paragraph <= last else { return TextView.Place(paragraph: 0, offset: 0) }
        let lines = lines(of: position.paragraph)
        let line = lines[max(0, min(position.line, lines.count - 1))]
        return TextView.Place(paragraph: position.paragraph, offset: line.offsets.lowerBound)
    }

    // MARK: The whole

    /// Returns the weights of the text before and after some lines from a position.
    mutating func weights(from top: Position, lines: Int) -> Range<Int> {
        var end = position(top, movedBy: lines - 1)
        end.line += 1
        return weight(before: top)..<weight(before: end)
    }

    /// Returns the weight of the text before a line.
    mutating func weight(before position: Position) -> Int {
        guard position.paragraph <= last else { return totalWeight }
        let (start, end) = (weights[position.paragraph], weights[position.paragraph + 1])
        let height = lines(of: position.paragraph).count
        return start + (end - start) * min(position.line, height) / height
    }

    var totalWeight: Int { weights[paragraphs.count] }

    /// Returns the line before which the text has a weight.
    mutating func position(afterWeight weight: Int) -> Position {
        guard !paragraphs.isEmpty else { return .start }
        let paragraph = min(weights.lastIndex(notAbove: weight), last)
        let start = weights[paragraph]
        let height = lines(of: paragraph).count
        let line = (weight - start) * height / (weights[paragraph + 1] - start)
        return Position(paragraph: paragraph, line: max(0, min(height - 1, line)))
    }
}
