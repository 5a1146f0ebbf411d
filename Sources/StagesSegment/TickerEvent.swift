import TerminalUI

/// What happened in a message of the ticker, derived from the word of its source.
package enum TickerEvent: CaseIterable, Hashable {
    case attack, crash, withdrawal, climb, sprint, finish

    /// Parses words such as "attack", "inter_sprint" or "final_10k". Returns `nil` for others.
    init?(_ words: String?) {
        guard let words = words?.lowercased() else { return nil }
        let events = words.split { !$0.isLetter }.lazy.compactMap { TickerEvent.events[String($0)] }
        guard let event = events.first else { return nil }
        self = event
    }

    /// The events by the words for them.
    private static let events: [String: TickerEvent] = [
        "attack": .attack, "break": .attack, "breakaway": .attack, "escape": .attack,
        "crash": .crash, "fall": .crash, "incident": .crash, "mechanical": .crash, "puncture": .crash,
        "abandon": .withdrawal, "withdrawal": .withdrawal, "withdrawals": .withdrawal,
        "climb": .climb, "elevation": .climb, "summit": .climb,
        "sprint": .sprint,
        "final": .finish, "finish": .finish, "flame": .finish, "victory": .finish, "winner": .finish,
    ]

    private var texts: (sign: Unicode.Scalar, plainSign: Unicode.Scalar, name: DisplayText) {
        switch self {
        case .attack: ("↑", ">", "Attack")
        case .crash: ("✕", "x", "Crash or puncture")
        case .withdrawal: ("⊘", "-", "Withdrawal")
        case .climb: ("▲", "^", "Climb")
        case .sprint: ("◇", "s", "Sprint")
        case .finish: ("⚑", "f", "Finish")
        }
    }

    /// Returns a sign of one cell.
    package func glyph(hasUnicode: Bool) -> Glyph { Glyph(hasUnicode ? texts.sign : texts.plainSign) ?? .replacement }

    /// The event in words.
    package var name: DisplayText { texts.name }

    /// Whether it is bad news for a rider.
    package var isBad: Bool { self == .crash || self == .withdrawal }
}
