/// The symbols for bars, rules and borders.
public struct Symbols: Equatable, Sendable {
    /// The horizontal and vertical rule, and their junction.
    public let horizontal: Glyph, vertical: Glyph, teeDown: Glyph
    /// The corners of a box: upper left, upper right, lower left, lower right.
    public let corners: [Glyph]
    /// The arrows of popovers: up, down, left, right.
    public let arrowUp: Glyph, arrowDown: Glyph, arrowLeft: Glyph, arrowRight: Glyph
    /// The mark of the selected row.
    public let selection: Glyph
    /// The mark of unread entries.
    public let dot: Glyph
    /// The mark of rows with a change that is not stored yet.
    public let pending: Glyph
    /// The mark of rows that an action applies to.
    public let check: Glyph
    /// The mark of the row that the detail shows.
    public let shown: Glyph
    /// The marks of a line that continues to the right and to the left.
    public let more: Glyph, before: Glyph
    /// The marks for hiding a column to the left and to the right.
    public let toLeft: DisplayText, toRight: DisplayText
    /// The item for those that don't fit into a bar.
    public let overflow: DisplayText
    /// The marks before the title of a collapsed and of an expanded group.
    public let collapsed: DisplayText, expanded: DisplayText
    /// The mark before the title of the previous level.
    public let back: DisplayText
    /// The ends of the selected segment.
    public let segmentLeft: DisplayText, segmentRight: DisplayText
    /// The completed and remaining part of a progress bar.
    public let progressDone: Glyph, progressOpen: Glyph
    /// The mark of a heading on the remaining part of a reading rule.
    public let progressMark: Glyph
    /// The thumb of a scroll indicator. It stays inside its cell, because some terminals don't clear what extends
    /// beyond.
    public let scrollThumb: Glyph
    /// The block of which strips and bars of colour are made.
    public let bar: Glyph
    /// The frames of an activity indicator.
    public let activity: [Glyph]
    /// Whether the screen is read from top to bottom (``Window/isLinear``). Then words replace marks.
    public var isLinear = false

    /// Lines and symbols in Unicode that every terminal font contains.
    public static let unicode = Symbols(
        horizontal: glyph("─"), vertical: glyph("│"), teeDown: glyph("┬"),
        corners: [glyph("╭"), glyph("╮"), glyph("╰"), glyph("╯")], arrowUp: glyph("△"), arrowDown: glyph("▽"),
        arrowLeft: glyph("◁"), arrowRight: glyph("▷"), selection: glyph("▌"), dot: glyph("●"), pending: glyph("…"),
        check: glyph("✓"), shown: glyph("▸"), more: glyph("›"), before: glyph("‹"),
        toLeft: "«", toRight: "»", overflow: "⋯", collapsed: "▸ ", expanded: "▾ ", back: "‹ ",
        segmentLeft: "▐", segmentRight: "▌", progressDone: glyph("━"), progressOpen: glyph("─"),
        progressMark: glyph("┴"),
        scrollThumb: glyph("┃"), bar: glyph("▀"), activity: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".unicodeScalars.map(glyph))

    /// ASCII only.
    public static let ascii = Symbols(
        horizontal: glyph("-"), vertical: glyph("|"), teeDown: glyph("+"),
        corners: [glyph("+"), glyph("+"), glyph("+"), glyph("+")], arrowUp: glyph("^"), arrowDown: glyph("v"),
        arrowLeft: glyph("<"), arrowRight: glyph(">"), selection: glyph(">"), dot: glyph("*"), pending: glyph("~"),
        check: glyph("x"), shown: glyph(">"), more: glyph(">"), before: glyph("<"),
        toLeft: "<<", toRight: ">>", overflow: "...", collapsed: "+ ", expanded: "- ", back: "< ",
        segmentLeft: "[", segmentRight: "]", progressDone: glyph("="), progressOpen: glyph("-"),
        progressMark: glyph("+"),
        scrollThumb: glyph("#"), bar: glyph("="), activity: "|/-\\".unicodeScalars.map(glyph))

    /// No lines, and marks that screen readers can read.
    public static let linear: Symbols = {
        let blank = glyph(" ")
        return Symbols(
            horizontal: blank, vertical: blank, teeDown: blank, corners: [blank, blank, blank, blank], arrowUp: blank,
            arrowDown: blank, arrowLeft: blank, arrowRight: blank, selection: glyph(">"), dot: blank,
            pending: glyph("~"), check: glyph("x"), shown: blank, more: glyph(">"), before: glyph("<"), toLeft: "<",
            toRight: ">", overflow: "more", collapsed: "closed: ", expanded: "open: ", back: "back: ", segmentLeft: "[",
            segmentRight: "]", progressDone: blank,
            progressOpen: blank, progressMark: blank, scrollThumb: blank, bar: blank, activity: [glyph("~")],
            isLinear: true)
    }()

    private static func glyph(_ scalar: Unicode.Scalar) -> Glyph { Glyph(scalar) ?? .replacement }
}
