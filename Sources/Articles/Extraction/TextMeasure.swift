import Platform

/// The length of a text with white space collapsed and trimmed.
///
/// The measures of parts add up to that of the whole, so an element's measure is the sum of its texts'.
struct TextMeasure {
    /// The numbers of characters in UTF-16 and of commas in many scripts.
    private(set) var length = 0
    private(set) var commas = 0
    private var beginsWithBlank = false
    private var endsWithBlank = false

    init() {}

    init(_ text: String) {
        var isBlank = false
        for scalar in text.unicodeScalars {
            let isASCII = scalar.value < 0x80
            if isASCII
                ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value)
                : scalar.properties.isWhitespace || scalar == "\u{FEFF}"
            {
                isBlank = true
                if length == 0 { beginsWithBlank = true }
                continue
            }
            if isBlank, length > 0 { length += 1 }
            isBlank = false
            length += scalar.value > 0xFFFF ? 2 : 1
            switch scalar.value {
            case 0x2C, 0x60C, 0xFE50, 0xFE10, 0xFE11, 0x2E41, 0x2E34, 0x2E32, 0xFF0C: commas += 1
            default: break
            }
        }
        endsWithBlank = isBlank
    }

    static func + (left: TextMeasure, right: TextMeasure) -> TextMeasure {
        var sum = left
        guard right.length > 0 else {
            sum.endsWithBlank = left.endsWithBlank || right.beginsWithBlank || right.endsWithBlank
            if left.length == 0 { sum.beginsWithBlank = left.beginsWithBlank || sum.endsWithBlank }
            return sum
        }
        guard left.length > 0 else {
            sum = right
            sum.beginsWithBlank = left.beginsWithBlank || left.endsWithBlank || right.beginsWithBlank
            return sum
        }
        sum.length += right.length + (left.endsWithBlank || right.beginsWithBlank ? 1 : 0)
        sum.commas += right.commas
        sum.endsWithBlank = right.endsWithBlank
        return sum
    }
}

extension PageTree {
    func measure(_ node: Node) -> TextMeasure {
        var sum = TextMeasure()
        visit(node) { present in
            if !isElement(present) { sum = sum + self[present].measure }
            return true
        }
        return sum
    }

    func length(_ node: Node) -> Int { measure(node).length }

    /// Returns the share of the text in links, from 0 to 1. Links inside the page count less.
    func linkDensity(_ node: Node) -> Double {
        let whole = length(node)
        guard whole > 0 else { return 0 }
        var links = 0.0
        for link in all(node, .a) {
            let target = attribute("href", link) ?? ""
            links += Double(length(link)) * (target.hasPrefix("#") && target.utf8.count > 1 ? 0.3 : 1)
        }
        return links / Double(whole)
    }

    /// Returns the share of the text in some elements. Text in several of them counts for each.
    func density(_ node: Node, of tags: Set<HTMLTag>) -> Double {
        var sum = 0
        let whole = add(node, tags, to: &sum)
        return whole.length > 0 ? Double(sum) / Double(whole.length) : 0
    }

    /// Measures a node and adds the lengths of some elements in it, looking at each text once. The depth is limited by
    /// ``isTooDeep(_:)``.
    private func add(_ node: Node, _ tags: Set<HTMLTag>, to sum: inout Int) -> TextMeasure {
        var measure = TextMeasure()
        var child = self[node].first
        while child != PageTree.none {
            if isElement(child) {
                let own = add(child, tags, to: &sum)
                if tags.contains(tag(child)) { sum += own.length }
                measure = measure + own
            } else {
                measure = measure + self[child].measure
            }
            child = self[child].next
        }
        return measure
    }

    func isBlank(_ node: Node) -> Bool { length(node) == 0 }
}
