import TerminalUI

/// Signs beside the words of rows; where the screen is read out (``Window/isLinear``), what they mean.
enum RowSign {
    /// Something could not be done.
    case failure
    /// Something was done that was not quite as it should be.
    case problem
    /// A group whose rows are hidden, or shown.
    case closed, open
    /// A search that is kept as a list.
    case search
    /// What is chosen among others.
    case chosen

    /// The sign before a row's words.
    func before(_ words: DisplayText, isLinear: Bool) -> DisplayText {
        (isLinear ? word + ": " : sign + " ") + words
    }

    /// The sign behind them.
    func behind(_ words: DisplayText, isLinear: Bool) -> DisplayText {
        isLinear ? (words.isEmpty ? word : words + ", " + word) : words + " " + sign
    }

    private var sign: DisplayText {
        switch self {
        case .failure: "!"
        case .problem: "△"
        case .closed: "▸"
        case .open: "▾"
        case .search: "⌕"
        case .chosen: "✓"
        }
    }

    private var word: DisplayText {
        switch self {
        case .failure: "failed"
        case .problem: "problem"
        case .closed: "closed"
        case .open: "open"
        case .search: "search"
        case .chosen: "chosen"
        }
    }
}
