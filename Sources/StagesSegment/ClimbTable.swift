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
        // Columns without values have no heading.
        let head = ClimbTable.head.indices.map { column in
            rows.contains { !$0[column].isEmpty } ? ClimbTable.head[column] : .empty
        }
        let aligned = DisplayText.aligned([head] + rows, trailing: Set(head.indices).subtracting(ClimbTable.words))
        let first = ([head] + rows).map { $0[0].columns }.max() ?? 0
        let hasGradients = rows.count + gradients.count { !$0.isEmpty } < size.height
        var lines = [[RoleText(aligned[0], .secondary)]]
        for (row, gradients) in zip(aligned.dropFirst(), gradients) {
            lines.append([RoleText(row)])
            guard hasGradients, !gradients.isEmpty else { continue }
            let room = (size.width - first) / ClimbTable.gradientColumns
            lines.append(
                [RoleText(.blanks(first - 1) + "%", .secondary)]
                    + gradients.prefix(max(0, room)).map { gradient in
                        let number = DisplayText(String(Int(clamping: gradient.rounded())))
                        return RoleText(
                            number.padded(to: ClimbTable.gradientColumns, isTrailing: true),
                            StageProfileView.role(gradient))
                    })
        }
        return lines
    }
}
