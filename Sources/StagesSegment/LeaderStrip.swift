import RaceModel
import TerminalUI

/// The leaders of a race as a strip: a run of blocks for each, with the numbers of the stages and their names below.
struct LeaderStrip {
    struct Name: Equatable {
        var text: DisplayText
        var column: Int
        var line: Int
    }

    private let stages: [Stage]
    let leaders: [String]
    let runs: [(leader: String?, stages: Range<Int>)]
    /// The width of a stage.
    let width: Int
    /// The leaders' names below the strip.
    private(set) var names: [Name] = []

    static let maximumLines = 3
    private static let maximumWidth = 3

    /// - Parameter room: The width of the strip.
    init(_ stages: [Stage], room: Int) {
        self.stages = stages
        leaders = StandingText.leaders(stages)
        runs = StandingText.runs(stages)
        width = (room / max(1, stages.count)).limited(1, LeaderStrip.maximumWidth)
        names = placedNames(in: room)
    }

    /// Returns the columns of a run. Gaps separate runs even without colours.
    func columns(of run: Range<Int>) -> Range<Int> {
        let start = run.lowerBound * width
        let finish = start + max(1, run.count * width - (width > 1 ? 1 : 0))
        return start..<max(finish, start)
    }

    /// Returns the indexes of the stages whose numbers are shown: all, or those that don't touch each other and the
    /// given one.
    func numbered(_ index: Int) -> [Int] {
        let step = width >= 3 ? 1 : width == 2 ? 2 : 5
        return stages.indices.filter { $0 == index || $0 % step == 0 && (step == 1 || abs($0 - index) * width > 2) }
    }

    /// Returns each leader's name below the start of the longest run, on the first line with enough space.
    private func placedNames(in room: Int) -> [Name] {
        var places: [(name: DisplayText, column: Int)] = leaders.compactMap { leader in
            let longest = runs.filter { $0.leader == leader }.max { $0.stages.count < $1.stages.count }
            return longest.map {
                (name: StandingText.short(leader, among: leaders), column: columns(of: $0.stages).lowerBound)
            }
        }
        places.sort { $0.column < $1.column }
        var ends = [Int](repeating: 0, count: LeaderStrip.maximumLines)
        var names: [Name] = []
        for (name, column) in places {
            let start = max(0, min(column, room - name.columns))
            guard name.columns <= room, let line = ends.firstIndex(where: { $0 <= start }) else { continue }
            ends[line] = start + name.columns + 1
            names.append(Name(text: name, column: start, line: line))
        }
        return names
    }

    /// Ten hues with about the same contrast on dark and light backgrounds, neighbours far apart.
    static let hues = [
        RGB(0xD5, 0x4D, 0x4D), RGB(0x29, 0x83, 0xB1), RGB(0x95, 0x78, 0x23), RGB(0xAB, 0x54, 0xD7),
        RGB(0x21, 0x8E, 0x45), RGB(0xD3, 0x43, 0x97), RGB(0x20, 0x89, 0x86), RGB(0xBF, 0x62, 0x2D),
        RGB(0x5C, 0x75, 0xD9), RGB(0x64, 0x86, 0x20),
    ]
    /// The colours of terminals with sixteen.
    private static let roles: [ThemeRole] = [.accent, .warm, .cool, .good, .failure]

    /// Returns a leader's own style, or that of stages without a leader.
    @MainActor
    func style(of leader: String?, in theme: Theme, _ depth: TerminalCapabilities.ColorDepth) -> Style {
        guard let place = leader.flatMap({ leaders.firstIndex(of: $0) }) else { return theme[.rule] }
        return LeaderStrip.style(ofRider: place, in: theme, depth)
    }

    /// Returns the style of the rider with an index in a list.
    @MainActor
    static func style(ofRider place: Int, in theme: Theme, _ depth: TerminalCapabilities.ColorDepth) -> Style {
        guard depth > .sixteen else {
            return theme[LeaderStrip.roles[place % LeaderStrip.roles.count]].removing(.bold)
        }
        var style = theme[.text]
        let hue = LeaderStrip.hues[place % LeaderStrip.hues.count]
        style.foreground = .rgb(hue.red, hue.green, hue.blue)
        return style
    }
}
