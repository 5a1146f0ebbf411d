/// The selection of text with the mouse, by characters, words or lines.
package struct TextSelection<Place: Comparable> {
    private let anchor: Range<Place>
    /// The selected range.
    package private(set) var range: Range<Place>

    /// Starts a selection with what a press selects: nothing, a word or a line.
    init(_ unit: Range<Place>) {
        anchor = unit
        range = unit
    }

    /// Extends the selection to what is under the pointer.
    mutating func extend(to unit: Range<Place>) {
        range = min(anchor.lowerBound, unit.lowerBound)..<max(anchor.upperBound, unit.upperBound)
    }
}

/// A view with text that can be selected by a drag, a double click (words) or a triple click (lines), which also copies
/// it (row TXT-02).
@MainActor
package protocol SelectableText: View {
    /// A position in the text.
    associatedtype Spot: Comparable
    /// The selection.
    var selection: TextSelection<Spot>? { get set }
    /// Returns what a number of clicks at a cell selects: an empty range, the word, or the line.
    func unit(at cell: Point, clicks: Int) -> Range<Spot>
    /// Returns the text in a range.
    func text(in range: Range<Spot>) -> String
    /// Scrolls when the pointer was dragged beyond the view's edge.
    func scrollWhileSelecting(by lines: Int)
}

extension SelectableText {
    /// Handles the events of a drag: starts and extends the selection, and copies it at the end.
    ///
    /// - Returns: Whether the event belonged to a drag.
    package func select(by event: MouseEvent) -> Bool {
        let place = event.location
        switch event.action {
        case .press(.left):
            selection = TextSelection(unit(at: place, clicks: event.clicks))
        case .drag(.left):
            guard selection != nil else { return false }
            if place.y < 0 { scrollWhileSelecting(by: place.y) }
            if place.y >= bounds.height { scrollWhileSelecting(by: place.y - bounds.height + 1) }
            let inside = Point(x: place.x, y: max(0, min(place.y, bounds.height - 1)))
            selection?.extend(to: unit(at: inside, clicks: event.clicks))
        case .release:
            guard let range = selection?.range else { return false }
            if range.isEmpty { selection = nil }
            let text = text(in: range)
            if !text.isEmpty { window?.copy(selected: text) }
        default: return false
        }
        setNeedsDisplay()
        return true
    }
}

extension Collection where Element == Character, Index == Int {
    /// Returns the word around an index: letters, digits and characters of addresses and names, otherwise the single
    /// character.
    package func word(around index: Int) -> Range<Int> {
        guard indices.contains(index) else { return endIndex..<endIndex }
        func isWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "-_.'’@/:~?&=%+#".contains(character)
        }
        guard isWord(self[index]) else { return index..<index + 1 }
        var (start, end) = (index, index + 1)
        while start > startIndex, isWord(self[start - 1]) { start -= 1 }
        while end < endIndex, isWord(self[end]) { end += 1 }
        // The full stop at the end of a sentence doesn't belong to the word.
        while end - 1 > Swift.max(index, start), ".:?'’".contains(self[end - 1]) { end -= 1 }
        return start..<end
    }
}

extension DisplayText {
    /// Returns the columns of the word around a column.
    func word(aroundColumn column: Int) -> Range<Int> {
        var starts: [Int] = []
        var end = 0
        for glyph in glyphs {
            starts.append(end)
            end += glyph.columns
        }
        guard column < end, let index = starts.lastIndex(where: { $0 <= column }) else { return end..<end }
        let characters = glyphs.map { Character(String(String.UnicodeScalarView($0.scalars))) }
        let word = characters.word(around: index)
        return starts[word.lowerBound]..<(word.upperBound < starts.count ? starts[word.upperBound] : end)
    }
}
