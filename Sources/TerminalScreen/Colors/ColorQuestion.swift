import Platform

/// Queries a terminal for its colours: OSC 10 and 11 for text and background, OSC 4 for the sixteen
/// (<https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>, Operating System Commands).
///
/// The device attributes (DA1) are queried last. Nearly every terminal answers them, so a terminal that ignores the
/// rest need not be waited for.
struct ColorQuestion {
    private var foreground: RGB?
    private var background: RGB?
    private var ansi: [Int: RGB] = [:]
    /// The colours known before the query.
    private var previous: TerminalColors?
    private(set) var askedAt: ContinuousClock.Instant?

    /// The time after which a terminal counts as not answering.
    private static let answerTime = Duration.seconds(2)

    private static let requests: [String] = {
        let sixteen = (0..<16).map { ";\($0);?" }.joined()
        return ["\u{1B}]4\(sixteen)\u{07}", "\u{1B}]10;?\u{07}", "\u{1B}]11;?\u{07}"]
    }()

    static let bytes = Array((requests.joined() + "\u{1B}[c").utf8)

    /// The query for the terminal around tmux. It has no end mark, because tmux takes device attributes for itself.
    static let passedThrough = Array(
        requests.map { "\u{1B}Ptmux;\u{1B}\($0)\u{1B}\\" }.joined().utf8)

    /// Whether a terminal of this type understands the query. Others would print it.
    static func isSuitable(term: String, isInTmux: Bool, isInScreen: Bool) -> Bool {
        if isInTmux { return true }
        if isInScreen { return false }
        return isLikeXterm(term)
    }

    static func isLikeXterm(_ term: String) -> Bool {
        [
            "xterm", "rxvt", "kitty", "foot", "alacritty", "ghostty", "wezterm", "contour", "konsole", "st-", "iterm",
        ]
        .contains { term.lowercased().contains($0) }
    }

    var isAwaiting: Bool { askedAt.map { $0.duration(to: .now) < ColorQuestion.answerTime } ?? false }

    mutating func ask() {
        previous = colors ?? previous
        askedAt = .now
        (foreground, background, ansi) = (nil, nil, [:])
    }

    /// Processes an answer. The device attributes must be those that end this query.
    ///
    /// Answers after the end are used too: those of the terminal around tmux arrive after tmux's own.
    ///
    /// - Returns: The colours as far as known, from the end of the query on.
    mutating func take(_ report: TerminalReport) -> TerminalColors? {
        switch report {
        case .color(.foreground, let color): foreground = color
        case .color(.background, let color): background = color
        case .color(.ansi(let index), let color): ansi[index] = color
        case .attributes where askedAt != nil: askedAt = nil
        default: return nil
        }
        // Before the end, the colours of two schemes might be mixed.
        return isAwaiting ? nil : colors
    }

    /// The colours, once those of text and background are known.
    ///
    /// If these are the same as before, so are the sixteen that haven't arrived yet.
    private var colors: TerminalColors? {
        guard let foreground, let background else { return nil }
        var colors = TerminalColors(foreground: foreground, background: background, ansi: ansi)
        if let previous, previous.foreground == foreground, previous.background == background {
            colors.ansi.merge(previous.ansi) { own, _ in own }
        }
        return colors
    }
}
