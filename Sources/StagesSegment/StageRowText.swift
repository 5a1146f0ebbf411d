import TerminalUI

/// The second line of a stage's row: its day, a bar for its distance or its small profile, and the winner.
struct StageRowText: Equatable {
    struct Parts {
        /// The day, after words such as "tomorrow".
        var words: [String]
        var distance: DisplayText
        /// The width of the longest distance of the race.
        var distanceColumns: Int
        /// The bar or profile, or `nil` without space for one.
        var bar: String?
        var winner: String?
        /// Whether the winner is a team, which has no last name.
        var isWonByTeam = false
    }

    var line: DisplayText
    /// The columns of the bar.
    var bar: Range<Int>?
    /// The text at the right end.
    var end: DisplayText

    /// The indentation below the number of the stage, and the width of a day such as "Sun 23 May".
    private static let indent = 3
    static let dayColumns = 10
    /// The minimum space for a shortened name.
    private static let minimumOfWinner = 5

    /// - Parameter room: The width of the line.
    init(_ parts: Parts, room: Int) {
        let words = DisplayText(parts.words.joined(separator: " · "))
        let distance = parts.distance
        line = .blanks(StageRowText.indent) + words
        if let bar = parts.bar {
            let start = StageRowText.indent + max(StageRowText.dayColumns, words.columns) + 2
            let gap = max(0, parts.distanceColumns - distance.columns) + 1
            let end = distance.isEmpty ? .empty : .blanks(gap) + distance
            let whole = line.padded(to: start) + DisplayText(bar) + end
            if whole.columns <= room {
                line = whole
                let finish = start + DisplayText(bar).columns
                self.bar = start..<max(finish, start)
            }
        }
        if self.bar == nil, !distance.isEmpty {
            let whole = line + (words.isEmpty ? "" : " · ") + distance
            if whole.columns <= room || words.isEmpty { line = whole }
        }
        end = StageRowText.winner(parts, room: room - line.columns - 2)
    }

    /// Returns as much of a winner's last name, or of a team's name, as fits.
    private static func winner(_ parts: Parts, room: Int) -> DisplayText {
        guard let name = parts.winner else { return .empty }
        let last = parts.isWonByTeam ? DisplayText(name) : StandingText.short(name, among: [name])
        return last.columns <= room || room >= minimumOfWinner ? last.truncated(to: room) : .empty
    }

    /// The width of bars, and the distance that fills one. All races have the same scale.
    private static let barColumns = 8, longest = 240.0

    /// Returns a bar for a distance, in halves of cells.
    static func bar(_ distance: Double) -> String {
        let maximum = barColumns * 2
        let halves = Int(clamping: (distance / longest * Double(maximum)).rounded()).limited(1, maximum)
        return padded(String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : ""))
    }

    /// Returns a small profile with the width of a bar.
    static func padded(_ drawing: String) -> String {
        drawing + String(repeating: " ", count: max(0, barColumns - drawing.count))
    }
}
