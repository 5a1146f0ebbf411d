/// The horizontal position of a text in its view.
struct TextMargins {
    /// The width of the view.
    let width: Int
    /// The maximum width of lines.
    let maximumColumns: Int
    /// The margin at both sides.
    let margin: Int
    /// Whether text narrower than the view is centred.
    let isCentered: Bool

    private var minimumMargin: Int { width >= 20 ? margin : 0 }

    /// The width of the text.
    var textColumns: Int { max(1, min(maximumColumns, width - 2 * minimumMargin)) }

    /// The maximum width of tables, which may use the whole view.
    var tableColumns: Int { max(textColumns, width - 2 * minimumMargin) }

    /// The column where the text starts.
    var left: Int { isCentered ? (width - textColumns) / 2 : minimumMargin }

    /// Returns the column where a line starts. A table that is wider than centred text is centred too.
    func left(of line: TextLayout.Line) -> Int { line.room > textColumns ? min(left, (width - line.room) / 2) : left }
}
