import RaceModel
import Races
import TerminalUI

/// The strip of the leaders through a race: a run of blocks for each, the numbers of the stages, and names.
@MainActor
final class LeaderStripView: View {
    private let race: Race
    /// The stage whose number is emphasised.
    private let index: Int
    /// The strip that was last needed, and its width.
    private var shown: (room: Int, strip: LeaderStrip)?

    init(_ race: Race, index: Int) {
        self.race = race
        self.index = index
        super.init()
    }

    private var jersey: String { race.leaderJersey ?? "leader" }

    private var jerseyColor: Color? {
        traits.capabilities.colors > .none ? JerseyColor.of(jersey).map { visible($0) } : nil
    }

    /// Returns the strip for a width, with the column where it starts after the name of the jersey.
    private func strip(in width: Int) -> (start: Int, strip: LeaderStrip) {
        let start = 1 + (jerseyColor == nil ? 0 : 3) + DisplayText(jersey).columns + 2
        let room = width - start - 1
        if let shown, shown.room == room { return (start, shown.strip) }
        let strip = LeaderStrip(race.stages, room: room)
        shown = (room, strip)
        return (start, strip)
    }

    /// Returns the height of blocks, stage numbers and names.
    override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: limit.width, height: 2 + (strip(in: limit.width).strip.names.map { $0.line + 1 }.max() ?? 0))
    }

    override func draw(in surface: Surface) {
        let (left, strip) = strip(in: bounds.width)
        if let jerseyColor {
            surface.fill(
                Rect(x: 1, y: 0, width: 2, height: 1), with: symbols.bar, style: Style(foreground: jerseyColor))
        }
        let name = DisplayText(jersey)
        surface.draw(name, at: Point(x: left - 2 - name.columns, y: 0), style: theme[.secondary])
        for run in strip.runs {
            let columns = strip.columns(of: run.stages)
            let style = strip.style(of: run.leader, in: theme, traits.capabilities.colors)
            surface.fill(
                Rect(x: left + columns.lowerBound, y: 0, width: columns.count, height: 1),
                with: run.leader == nil ? symbols.horizontal : symbols.bar, style: style)
            // xterm draws the last block beyond its cell. A blank of the same style is written again when it changes.
            surface.fill(Rect(x: left + columns.upperBound, y: 0, width: 1, height: 1), style: style)
        }
        for stage in strip.numbered(index) {
            surface.draw(
                DisplayText(race.stages[stage].name), at: Point(x: left + stage * strip.width, y: 1),
                style: stage == index ? theme[.accent].adding(.reverse) : theme[.secondary])
        }
        for name in strip.names {
            surface.draw(name.text, at: Point(x: left + name.column, y: 2 + name.line), style: theme[.text])
        }
    }
}

/// A line with the jerseys of a race and their wearers.
@MainActor
final class JerseysView: View {
    struct Wearer {
        var jersey: Jersey?
        var list: Classification
        var name: String
    }

    var wearers: [Wearer] = []

    override func draw(in surface: Surface) {
        let hasSigns = traits.capabilities.colors > .none && !symbols.isLinear
        let colors = wearers.map { hasSigns ? $0.jersey.flatMap(JerseyColor.of) : nil }
        let shown = zip(wearers, colors).map { wearer, color in
            StandingText.Wearer(
                jersey: wearer.jersey?.name ?? wearer.list.name, name: wearer.name, hasSign: color != nil,
                isTeam: wearer.list.isOfTeams)
        }
        var left = 1
        for (color, words) in zip(colors, StandingText.words(for: shown, columns: bounds.width - 2)) {
            guard left + (color == nil ? 0 : 3) + words.columns <= bounds.width else { return }
            if let color {
                surface.fill(
                    Rect(x: left, y: 0, width: 2, height: 1), with: symbols.bar,
                    style: Style(foreground: visible(color)))
                left += 3
            }
            left = surface.draw(words, at: Point(x: left, y: 0), style: theme[.text]) + 2
        }
    }
}
