import DashboardFrame
import LibraryKernel
import TerminalUI

/// A mark of a group on the bar, the profile and the map.
struct LiveMark: Hashable {
    /// A letter, or the same sign for all groups after the last letter.
    var letter: String
    /// The index of the group.
    var group: Int
    /// The position in kilometres from the start.
    var km: Double
    /// The position as latitude and longitude in degrees, if it is known.
    var place: [Double]?
}

/// The bar of the groups.
extension StageLiveText {
    /// The shortest part of the road that the bar shows, in kilometres, and its margins as a share.
    private static let (leastSpan, margin) = (2.0, 0.08)
    /// The width from which the caption is beside the bar, and the maximum width of the bar.
    private static let (leastForCaption, mostForBar) = (50, 70)

    /// Returns the marks of the groups whose positions are known, or none once the report is too old.
    static func marks(_ scene: LiveScene, of distance: Double?) -> [LiveMark] {
        guard let distance, scene.report.freshness(at: scene.now) != .folded else { return [] }
        return zip(scene.groups, scene.letters).enumerated().compactMap { index, pair in
            let (group, letter) = pair
            return group.kmToGo.map {
                LiveMark(letter: letter, group: index, km: max(0, distance - $0), place: group.place)
            }
        }
    }

    /// Returns a bar of the road on which the groups are, with a caption such as "km 101–111 of 161".
    ///
    /// - Parameter hasAge: Whether the caption says how old the groups are.
    static func bar(_ scene: LiveScene, of distance: Double?, hasAge: Bool = false) -> [TextParagraph] {
        let marks = marks(scene, of: distance)
        guard !scene.isLinear, let distance, distance > 0, marks.count > 1 else { return [] }
        let road = road(marks.map(\.km), of: distance)
        let (first, last) = (Int(clamping: road.lowerBound), Int(clamping: road.upperBound))
        let age = hasAge ? scene.report.instant.map { DisplayText(", as of ") + DateText.clock($0) } ?? .empty : .empty
        let caption = DisplayText("km \(first)–\(last) of \(DecimalText.short(distance))") + age
        let isBeside = scene.columns >= leastForCaption
        let width = min(mostForBar, scene.columns - (isBeside ? caption.columns + 2 : 0))
        guard width >= 8 else { return [TextParagraph(caption, .secondary)] }
        let bar = cells(marks, on: road, width: width - 2, scene)
        let ends: (DisplayText, DisplayText) = scene.hasUnicode ? ("├", "┤") : ("|", "|")
        let spans = [StyledSpan(ends.0, .secondary)] + bar + [StyledSpan(ends.1, .secondary)]
        if isBeside { return [TextParagraph(spans + [StyledSpan("  " + caption, .secondary)], wraps: false)] }
        return [TextParagraph(spans, wraps: false), TextParagraph(caption, .secondary)]
    }

    /// Returns the part of the road between the last and the first group with a margin, in whole kilometres.
    static func road(_ positions: [Double], of distance: Double) -> ClosedRange<Double> {
        let (low, high) = (positions.min() ?? 0, positions.max() ?? 0)
        let more = max((high - low) * margin, (leastSpan - (high - low)) / 2, 0)
        let first = max(0, (low - more).rounded(.down))
        let last = max(first + 1, min(distance.rounded(.up), (high + more).rounded(.up)))
        return first...last
    }

    /// Returns the line of the bar: letters where the groups are, each with the signs of the jerseys in it.
    private static func cells(_ marks: [LiveMark], on road: ClosedRange<Double>, width: Int, _ scene: LiveScene)
        -> [StyledSpan]
    {
        let line: DisplayText = scene.hasUnicode ? "─" : "-"
        var cells = Array(repeating: StyledSpan(line, .secondary), count: width)
        var free = width
        for mark in marks.sorted(by: { $0.km > $1.km }) {
            let share = (mark.km - road.lowerBound) / (road.upperBound - road.lowerBound)
            let wanted = Int(clamping: (share * Double(width - 1)).rounded()).limited(0, width - 1)
            var token = [StyledSpan(DisplayText(mark.letter), .strong)]
            token += signs(of: scene.groups[mark.group], scene)
            // A group that has no place of its own moves back.
            if min(wanted + token.count, free) - token.count < 0 { token = [token[0]] }
            let start = min(wanted, free - token.count)
            guard start >= 0 else { continue }
            for (place, span) in token.enumerated() where start + place < width { cells[start + place] = span }
            free = start
        }
        return cells
    }
}
