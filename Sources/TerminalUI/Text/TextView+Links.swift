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

extension TextView {
    /// The visible links without duplicates, with the cells at which they start.
    private var linksInSight: [(link: Int32, cell: Point)] {
        var places: [(link: Int32, cell: Point)] = []
        var last: Int32 = 0
        for (row, line) in shown.enumerated() {
            let margin = leftEdge(of: line)
            var column = margin - offset(of: line)
            for span in line.content.spans {
                // A link may continue on the next line.
                if span.link != 0, span.link != last, column < margin + line.room {
                    places.append((span.link, Point(x: max(margin, column), y: row)))
                }
                if span.text.columns > 0, column - margin + offset(of: line) >= line.prefixColumns {
                    last = span.link
                }
                column += span.text.columns
            }
        }
        return places
    }

    /// Returns the link at a cell, or 0 for none.
    private func link(at cell: Point) -> Int32 {
        guard shown.indices.contains(cell.y) else { return 0 }
        let line = shown[cell.y]
        var column = leftEdge(of: line) - offset(of: line)
        for span in line.content.spans {
            if cell.x >= column, cell.x < column + span.text.columns { return span.link }
            column += span.text.columns
        }
        return 0
    }

    /// Shows letters at all visible links. The next typed letters follow one; any other key ends it.
    ///
    /// - Returns: Whether a link is visible.
    @discardableResult
    public func showLinkHints() -> Bool {
        window?.layoutIfNeeded()
        let places = linksInSight
        guard onFollow != nil, !places.isEmpty else { return false }
        hints = LinkHints(places, top: top, columns: textColumns)
        window?.focus(self)
        setNeedsDisplay()
        return true
    }

    /// Handles a key while links have letters.
    func choose(by press: KeyPress) -> Bool {
        guard var present = hints else { return false }
        setNeedsDisplay()
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
        onFollow?(first.link, character.isUppercase)
        return true
    }

    /// Follows the clicked link.
    func follow(by event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left):
            hints = nil
            pressedLink = event.clicks == 1 ? link(at: event.location) : 0
            return false
        case .release:
            let pressed = pressedLink
            pressedLink = 0
            guard let onFollow, pressed != 0, link(at: event.location) == pressed, selection?.range.isEmpty != false
            else { return false }
            selection = nil
            setNeedsDisplay()
            onFollow(pressed, false)
            return true
        default: return false
        }
    }

    func drawHints(in surface: Surface) {
        guard let hints else { return }
        for item in hints.matching {
            let letters = DisplayText(String(item.letters.dropFirst(hints.typed.count)))
            surface.draw(
                letters, at: item.cell, style: theme.style(for: .match, base: theme[.text]).adding([.bold, .reverse]))
        }
    }
}
