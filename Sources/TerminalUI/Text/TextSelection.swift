/// What is chosen of a text with the mouse: from where it was pressed to where it is now, by characters, words or lines.
struct TextSelection<Place: Comparable> {
    private let anchor: Range<Place>
    /// What is chosen.
    private(set) var range: Range<Place>

    /// Begins with what a press chooses: nothing, a word, a line.
    init(_ unit: Range<Place>) {
        anchor = unit
        range = unit
    }

    /// Takes in what is under the pointer now.
    mutating func extend(to unit: Range<Place>) {
        range = min(anchor.lowerBound, unit.lowerBound)..<max(anchor.upperBound, unit.upperBound)
    }
}

/// A view whose text can be chosen by a drag, a double click (words) and a triple click (lines), and is copied then
/// (row TXT-02).
@MainActor
protocol SelectableText: View {
    /// A place in the text.
    associatedtype Spot: Comparable
    /// What is chosen.
    var selection: TextSelection<Spot>? { get set }
    /// What is chosen by so many clicks at a cell: 1 an empty range, 2 the word around it, 3 the line.
    func unit(at cell: Point, clicks: Int) -> Range<Spot>
    /// The words of a range.
    func text(in range: Range<Spot>) -> String
    /// The pointer was dragged so many lines beyond the view's edge.
    func scrollWhileSelecting(by lines: Int)
}

extension SelectableText {
    /// Takes part of a drag: the choice begins, grows, and is copied at the end.
    ///
    /// - Returns: Whether it was one.
    func select(by event: MouseEvent) -> Bool {
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
    /// The word around a place: letters, digits and what stands in addresses and names; else the sign alone.
    func word(around index: Int) -> Range<Int> {
        guard indices.contains(index) else { return endIndex..<endIndex }
        func isWord(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "-_.'’@/:~?&=%+#".contains(character)
        }
        guard isWord(self[index]) else { return index..<index + 1 }
        var (start, end) = (index, index + 1)
        while start > startIndex, isWord(self[start - 1]) { start -= 1 }
        while end < endIndex, isWord(self[end]) { end += 1 }
        // The stop that ends a sentence is none of the word's.
        while end - 1 > Swift.max(index, start), ".:?'’".contains(self[end - 1]) { end -= 1 }
        return start..<end
    }
}

extension DisplayText {
    /// The columns of the word around one.
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
