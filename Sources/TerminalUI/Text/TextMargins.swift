/// The horizontal position of a text in its view.
struct TextMargins {
    let width: Int
    let maximumColumns: Int
    /// The margin at both sides.
    let margin: Int
    /// Whether text narrower than the view is centred.
    let isCentered: Bool

    private var minimumMargin: Int { width >= 20 ? margin : 0 }
    /// The maximum width. Long texts, which are centred, don't touch the scroll indicator in the margin.
    private var room: Int { width - 2 * minimumMargin - (isCentered && width >= 20 ? 1 : 0) }

    var textColumns: Int { max(1, min(maximumColumns, room)) }

    /// The maximum width of tables, which may use the whole view.
    var tableColumns: Int { max(textColumns, room) }

    /// The column where the text starts.
    var left: Int {
        isCentered ? min((width - textColumns) / 2, minimumMargin + (room - textColumns + 1) / 2) : minimumMargin
    }

    /// Returns the column where a line starts. A table that is wider than centred text is centred too.
    func left(of line: TextLayout.Line) -> Int {
        line.room > textColumns ? min(left, minimumMargin + (room - line.room) / 2) : left
    }
}
