import RaceModel
import TerminalUI

/// The type of a stage, derived from the words in its race file.
package enum StageKind: CaseIterable, Hashable {
    case flat, hilly, mountain, timeTrial, teamTimeTrial

    /// Parses words such as "individual time trial", "Hilly" or "mountain". Returns `nil` for others.
    package init?(_ words: String?) {
        guard let words = words?.lowercased() else { return nil }
        if let trial = TimeTrial(words) {
            self = trial == .ofTeams ? .teamTimeTrial : .timeTrial
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

    /// Returns a sign of one cell.
    package func glyph(hasUnicode: Bool) -> Glyph {
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

    /// The type in words.
    package var name: DisplayText {
        switch self {
        case .flat: "Flat"
        case .hilly: "Hilly"
        case .mountain: "Mountain"
        case .timeTrial: "Time trial"
        case .teamTimeTrial: "Team time trial"
        }
    }

    /// The colour of the sign.
    package var role: ThemeRole {
        switch self {
        case .flat: .good
        case .hilly: .warm
        case .mountain: .failure
        case .timeTrial, .teamTimeTrial: .cool
        }
    }
}
