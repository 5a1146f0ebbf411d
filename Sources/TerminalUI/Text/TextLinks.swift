/// Letters at the visible links, which the user types to follow one (row TXT-03).
struct LinkHints {
    /// A link with its letters.
    struct Item {
        var link: Int32
        var letters: [Character]
        /// The cell at which it starts.
        var cell: Point
    }

    var items: [Item]
    var typed: [Character] = []
    /// The scroll position for which the letters are valid.
    var top: TextLayout.Position
    var columns: Int

    private static let letters = Array("asdfghjklewruiopvcmnxtbzyq")

    /// Assigns each place a letter, or two if there are more places than letters.
    init(_ places: [(link: Int32, cell: Point)], top: TextLayout.Position, columns: Int) {
        let letters = LinkHints.letters
        let isShort = places.count <= letters.count
        items = places.prefix(letters.count * letters.count).enumerated().map { index, place in
            let label = isShort ? [letters[index]] : [letters[index / letters.count], letters[index % letters.count]]
            return Item(link: place.link, letters: label, cell: place.cell)
        }
        self.top = top
        self.columns = columns
    }

    /// The links whose letters start with the typed ones.
    var matching: [Item] { items.filter { $0.letters.starts(with: typed) } }
}

/// The links of a text view, which clicks and letters follow (row TXT-03).
@MainActor
package final class TextLinks {
    private unowned let view: TextView
    /// The letters at the visible links while the user chooses one.
    private(set) var hints: LinkHints?
    private var pressedLink: Int32 = 0
    /// Whether digits follow the links with these numbers.
    package var hasDigits: () -> Bool = { false }

    init(_ view: TextView) { self.view = view }

    func endHints() { hints = nil }

    /// Hides letters of links that are elsewhere now.
    func endOutdatedHints() {
        if let hints, hints.top != view.top || hints.columns != view.margins.textColumns { self.hints = nil }
    }

    /// The visible links without duplicates, with the cells at which they start.
    private var linksInSight: [(link: Int32, cell: Point)] {
        var places: [(link: Int32, cell: Point)] = []
        var last: Int32 = 0
        let margins = view.margins
        for (row, line) in view.shown.enumerated() {
            let margin = margins.left(of: line)
            var column = margin - view.offset(of: line)
            for span in line.content.spans {
                // A link may continue on the next line.
                if span.link != 0, span.link != last, column < margin + line.room {
                    places.append((span.link, Point(x: max(margin, column), y: row)))
                }
                if span.text.columns > 0, column - margin + view.offset(of: line) >= line.prefixColumns {
                    last = span.link
                }
                column += span.text.columns
            }
        }
        return places
    }

    /// Returns the link at a cell, or 0 for none.
    private func link(at cell: Point) -> Int32 {
        guard view.shown.indices.contains(cell.y) else { return 0 }
        let line = view.shown[cell.y]
        var column = view.margins.left(of: line) - view.offset(of: line)
        for span in line.content.spans {
            if cell.x >= column, cell.x < column + span.text.columns { return span.link }
            column += span.text.columns
        }
        return 0
    }

    /// Shows letters at all visible links, if there are any.
    func showHints() -> Bool {
        view.window?.layoutIfNeeded()
        let places = linksInSight
        guard view.onFollow != nil, !places.isEmpty else { return false }
        hints = LinkHints(places, top: view.top, columns: view.margins.textColumns)
        view.window?.focus(view)
        view.setNeedsDisplay()
        return true
    }

    /// Follows the link with the number of a digit, if there is one.
    private func follow(digit press: KeyPress) -> Bool {
        guard let number = press.digit.flatMap(Int32.init(exactly:)), number > 0, let onFollow = view.onFollow,
            hasDigits(), view.paragraphs.contains(where: { $0.spans.contains { $0.link == number } })
        else { return false }
        onFollow(number, false)
        return true
    }

    /// Handles a key while links have letters, and digits.
    func choose(by press: KeyPress) -> Bool {
        guard var present = hints else { return follow(digit: press) }
        view.setNeedsDisplay()
        guard case .character(let character) = press.key, press.modifiers.isDisjoint(with: [.control, .alt]),
            let small = character.lowercased().first
        else {
            hints = nil
            // Esc only ends the choice.
            return press.key == .escape
        }
        present.typed.append(small)
        let matching = present.matching
        guard let first = matching.first else {
            hints = nil
            return true
        }
        guard first.letters.count == present.typed.count else {
            hints = present
            return true
        }
        hints = nil
        view.onFollow?(first.link, character.isUppercase)
        return true
    }

    func follow(by event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left):
            hints = nil
            pressedLink = event.clicks == 1 ? link(at: event.location) : 0
            return false
        case .release:
            let pressed = pressedLink
            pressedLink = 0
            guard let onFollow = view.onFollow, pressed != 0, link(at: event.location) == pressed,
                view.selection?.range.isEmpty != false
            else { return false }
            view.selection = nil
            view.setNeedsDisplay()
            onFollow(pressed, false)
            return true
        default: return false
        }
    }

    /// Draws the letters before their links, and what to do with them in the last line.
    func drawHints(in surface: Surface) {
        guard let hints else { return }
        for item in hints.matching {
            let letters = DisplayText(String(item.letters.dropFirst(hints.typed.count)))
            surface.draw(
                letters, at: Point(x: max(0, item.cell.x - letters.columns), y: item.cell.y),
                style: view.theme.style(for: .match, base: view.theme[.text]).adding([.bold, .reverse]))
        }
        guard view.bounds.height > 1 else { return }
        let line = Rect(x: 0, y: view.bounds.height - 1, width: view.bounds.width, height: 1)
        surface.fill(line, style: view.theme[.footer])
        let words: DisplayText = "A letter opens its link. Esc cancels."
        surface.draw(
            words.truncated(to: line.width - 2), at: Point(x: 1, y: line.minY), style: view.theme[.footer])
    }
}

extension TextView {
    /// Shows letters at all visible links. The next typed letters follow one; any other key ends it.
    ///
    /// - Returns: Whether a link is visible.
    @discardableResult
    public func showLinkHints() -> Bool { links.showHints() }
}
