import DashboardFrame
import LibraryKernel
import RaceModel
import Races
import TerminalUI

/// The climbs of a stage in rows: those of the race file, otherwise those found in the profile. Below each one are the
/// gradients of its kilometres.
struct ClimbTable {
    private let rows: [[DisplayText]]
    private let gradients: [[Double]]
    private static let head: [DisplayText] = ["km", "Climb", "Category", "Length", "Mean", "Summit"]
    /// The columns with text instead of numbers.
    private static let words = 1...2
    /// The width of a gradient.
    private static let gradientColumns = 3

    init(_ profile: StageProfile, _ climbs: [Climb]) {
        let found = profile.climbs.map { climb in
            Climb(km: climb.end, length: climb.end - climb.start, gradient: climb.gradient)
        }
        let shown = (climbs.isEmpty ? found : climbs).sorted { $0.km < $1.km }
        rows = shown.map { climb in
            [
                DisplayText(DecimalText.short(climb.km)), DisplayText(climb.name ?? ""),
                DisplayText(climb.category ?? ""), climb.length.map { StageText.distance($0) } ?? .empty,
                climb.gradient.map { DisplayText(DecimalText.long($0) + " %") } ?? .empty,
                DisplayText("\(Int(clamping: climb.elevation ?? profile.height(at: climb.km))) m"),
            ]
        }
        gradients = shown.map { climb in
            guard !profile.isSketch, let length = climb.length, length >= 1, length < profile.length else { return [] }
            return stride(from: climb.km - length, to: climb.km - 0.5, by: 1).map { start in
                let end = min(start + 1, climb.km)
                return (profile.height(at: end) - profile.height(at: start)) / ((end - start) * 10)
            }
        }
    }

    /// Returns the lines that fit into a size: without gradients in a low one, and none in a lower one.
    func lines(in size: Size) -> [[RoleText]] {
        guard !rows.isEmpty, rows.count < size.height else { return [] }
        let used = ClimbTable.head.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let widths = ClimbTable.head.indices.map { column in
            (rows + [ClimbTable.head]).map { $0[column].columns }.max() ?? 0
        }
        func line(_ row: [DisplayText], _ role: ThemeRole) -> [RoleText] {
            [
                RoleText(
                    used.map { column in
                        let blanks = DisplayText.blanks(widths[column] - row[column].columns)
                        return (ClimbTable.words.contains(column) ? row[column] + blanks : blanks + row[column]) + "  "
                    }.reduce(.empty, +), role)
            ]
        }
        let hasGradients = rows.count + gradients.count { !$0.isEmpty } < size.height
        var lines = [line(ClimbTable.head, .secondary)]
        for (row, gradients) in zip(rows, gradients) {
            lines.append(line(row, .text))
            guard hasGradients, !gradients.isEmpty else { continue }
            let room = (size.width - widths[0]) / ClimbTable.gradientColumns
            lines.append(
                [RoleText(.blanks(widths[0] - 1) + "%", .secondary)]
                    + gradients.prefix(max(0, room)).map { gradient in
                        let number = DisplayText(String(Int(clamping: gradient.rounded())))
                        return RoleText(
                            .blanks(ClimbTable.gradientColumns - number.columns) + number,
                            StageProfileView.role(gradient))
                    })
        }
        return lines
    }
}
