import TerminalUI

/// What a stage is like, as its race's file calls it in words.
enum StageKind: Hashable {
    case flat, hilly, mountain, timeTrial, teamTimeTrial

    /// Reads the words: `individual time trial`, `Hilly`, `mountain`; `nil` for others.
    init?(_ words: String?) {
        guard let words = words?.lowercased() else { return nil }
        if words.contains("team") && words.contains("trial") {
            self = .teamTimeTrial
        } else if words.contains("trial") || words.contains("prologue") {
            self = .timeTrial
        } else if words.contains("mountain") {
            self = .mountain
        } else if words.contains("hill") || words.contains("medium") {
            self = .hilly
        } else if words.contains("flat") || words.contains("sprint") {
            self = .flat
        } else {
            return nil
        }
    }

    /// A sign of one cell.
    func glyph(hasUnicode: Bool) -> Glyph {
        let scalar: Unicode.Scalar =
            switch self {
            case .flat: hasUnicode ? "▬" : "-"
            case .hilly: hasUnicode ? "◆" : "~"
            case .mountain: hasUnicode ? "▲" : "^"
            case .timeTrial: hasUnicode ? "◷" : "t"
            case .teamTimeTrial: hasUnicode ? "◶" : "T"
            }
        return Glyph(scalar) ?? .replacement
    }

    /// The sign's colour.
    var role: ThemeRole {
        switch self {
        case .flat: .good
        case .hilly: .warm
        case .mountain: .failure
        case .timeTrial, .teamTimeTrial: .cool
        }
    }
}
