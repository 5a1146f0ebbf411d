import DashboardFrame
import LibraryKernel
import Races
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

extension StageLiveText {
    /// The shortest part of the road that the bar shows, in kilometres, and its margins as a share.
    private static let (minimumSpan, margin) = (2.0, 0.08)
    /// The width from which the caption is beside the bar, and the maximum width of the bar.
    private static let (minimumForCaption, maximumForBar) = (50, 70)

    /// Returns the marks of the groups whose positions are known, or none once the report is too old.
    static func marks(_ scene: LiveScene, of distance: Double?) -> [LiveMark] {
        guard let distance, scene.report.freshness(at: scene.now) != .old else { return [] }
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
        let isBeside = scene.columns >= minimumForCaption
        let width = min(maximumForBar, scene.columns - (isBeside ? caption.columns + 2 : 0))
        guard width >= 8 else { return [TextParagraph(caption, .secondary)] }
        let bar = cells(marks, on: road, width: width - 2, scene)
        let ends: (DisplayText, DisplayText) = scene.hasUnicode ? ("├", "┤") : ("|", "|")
        let spans = [StyledSpan(ends.0, .secondary)] + bar + [StyledSpan(ends.1, .secondary)]
        if isBeside { return [TextParagraph(spans + [StyledSpan("  " + caption, .secondary)], wraps: false)] }
        return [TextParagraph(spans, wraps: false), TextParagraph(caption, .secondary)]
    }

    /// Returns the profile of a stage with the letters of the groups on it, or a sign at the position of the race.
    static func profile(_ profile: StageProfile, _ marks: [LiveMark], km: Double?, size: Size) -> [TextParagraph] {
        guard profile.length > 0, size.width >= 10 else { return [] }
        let blocks = Array(" ▁▂▃▄▅▆▇█")
        let heights = (0..<size.width).map { column in
            profile.height(at: profile.length * (Double(column) + 0.5) / Double(size.width))
        }
        let (bottom, _, high) = profile.scale(minimum: 400)
        let levels = heights.map { height in
            let share = (height - bottom) / (high - bottom)
            return 1 + Int(clamping: share * Double(size.height * 8 - 1)).limited(0, size.height * 8 - 1)
        }
        var grid = (0..<max(0, size.height)).map { row in
            levels.map { blocks[($0 - (size.height - 1 - row) * 8).limited(0, 8)] }
        }
        func column(_ km: Double) -> Int {
            Int(clamping: (km / profile.length * Double(size.width)).rounded(.down)).limited(0, size.width - 1)
        }
        var signs: Set<Int> = []
        func place(_ sign: Character, at column: Int) {
            let row = max(0, size.height - 1 - (levels[column] + 7) / 8)
            grid[row][column] = sign
            signs.insert(row * size.width + column)
        }
        var free = size.width
        for mark in marks.sorted(by: { $0.km > $1.km }) {
            let wanted = min(column(mark.km), free - 1)
            guard wanted >= 0 else { break }
            place(mark.letter.first ?? "·", at: wanted)
            free = wanted
        }
        if marks.isEmpty, let km { place("▼", at: column(km)) }
        let ridden = km.map(column) ?? 0
        return grid.enumerated().map { row, characters in
            var spans: [StyledSpan] = []
            for (column, character) in characters.enumerated() {
                let role: TextRole =
                    signs.contains(row * size.width + column) ? .strong : column < ridden ? [] : .secondary
                if spans.last?.role == role {
                    spans[spans.count - 1].text = spans[spans.count - 1].text + DisplayText(String(character))
                } else {
                    spans.append(StyledSpan(DisplayText(String(character)), role))
                }
            }
            return TextParagraph(spans, wraps: false)
        }
    }

    /// Returns the part of the road between the last and the first group with a margin, in whole kilometres.
    static func road(_ positions: [Double], of distance: Double) -> ClosedRange<Double> {
        let (low, high) = (positions.min() ?? 0, positions.max() ?? 0)
        let more = max((high - low) * margin, (minimumSpan - (high - low)) / 2, 0)
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
            var token = [StyledSpan(DisplayText(mark.letter), .strong)] + signs(of: scene.groups[mark.group], scene)
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
