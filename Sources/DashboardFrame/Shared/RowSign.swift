import TerminalUI

/// Signs in rows, and the words for them in screen-reader mode (``Window/isLinear``).
package enum RowSign {
    /// An error.
    case failure
    /// A warning.
    case problem
    /// A collapsed or expanded group.
    case closed, open
    /// A saved search.
    case search
    /// The chosen item among others.
    case chosen
    /// A race, team or rider whom the user has marked.
    case favourite
    /// What is played.
    case played

    /// The sign of a feed that is being reloaded.
    package static let reloading: DisplayText = "⟳"

    /// Returns the sign before a row's text.
    package func before(_ words: DisplayText, isLinear: Bool) -> DisplayText {
        (isLinear ? word + ": " : sign + " ") + words
    }

    /// Returns the sign after a row's text.
    package func behind(_ words: DisplayText, isLinear: Bool) -> DisplayText {
        isLinear ? (words.isEmpty ? word : words + ", " + word) : words + " " + sign
    }

    /// The sign itself.
    package var sign: DisplayText {
        switch self {
        case .failure: "!"
        case .problem: "△"
        case .closed: "▸"
        case .open: "▾"
        case .search: "⌕"
        case .chosen: "✓"
        case .favourite: "●"
        case .played: "▶"
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
        case .favourite: "favourite"
        case .played: "playing"
        }
    }
}
