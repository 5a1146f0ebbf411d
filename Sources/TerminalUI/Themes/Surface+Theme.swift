extension Surface {
    /// Dims an area behind something else. Pictures stay as they are, because they have their own backgrounds.
    @MainActor
    func dim(_ area: Rect, _ theme: Theme) {
        let grounds = theme.grounds
        var known: [Style: Style] = [:]
        restyle(area) { style in
            guard grounds.contains(style.background), !style.isPicture else { return style }
            if let known = known[style] { return known }
            let faded = theme.fading?.faded(style) ?? Surface.dimmed(style, theme)
            known[style] = faded
            return faded
        }
    }

    /// Returns a style without accent and bold, for themes that can't be mixed. It isn't dim, because some terminals
    /// darken dim text, which on a light ground makes it stronger.
    @MainActor
    private static func dimmed(_ style: Style, _ theme: Theme) -> Style {
        Style(
            foreground: theme[.text].foreground, background: style.background,
            attributes: style.attributes.intersection([.reverse, .underline]))
    }

    /// Darkens the ground under a shadow. Words stay readable, and pictures that the terminal draws stay as they are.
    @MainActor
    func shade(_ area: Rect, _ theme: Theme) {
        guard let fading = theme.fading else { return }
        let grounds = theme.grounds
        restyle(area) { style in
            // Other grounds belong to pictures, of which both colours are pixels.
            grounds.contains(style.background) ? fading.shaded(style) : fading.darkened(style)
        }
    }

    /// Draws a box with the corners of the given symbols.
    public func drawBorder(_ box: Rect, symbols: Symbols, style: Style) {
        guard box.width >= 2, box.height >= 2 else { return }
        let (left, right, top, bottom) = (box.minX, box.maxX - 1, box.minY, box.maxY - 1)
        for row in [top, bottom] {
            fill(Rect(x: left + 1, y: row, width: box.width - 2, height: 1), with: symbols.horizontal, style: style)
        }
        for column in [left, right] {
            fill(Rect(x: column, y: top + 1, width: 1, height: box.height - 2), with: symbols.vertical, style: style)
        }
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
        for (corner, place) in zip(symbols.corners, corners) {
            draw(corner, at: Point(x: place.0, y: place.1), style: style)
        }
    }
}
