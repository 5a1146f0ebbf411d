import DashboardFrame
import RaceModel
import Races
import TerminalUI

/// The groups of a live page, and the abilities of the pane that shows them.
struct LiveScene {
    var report: LiveReport
    /// The reports until this one, for trends.
    var history = LiveHistory()
    var roster = LiveRoster()
    var jerseys: [Jersey] = []
    var now: Instant
    var columns = 80
    /// Whether screen-reader mode is on.
    var isLinear = false
    var hasUnicode = true
    var hasColors = true
    /// The rider whom the user looks for, as ``Rider/key``.
    var wanted: String?

    var groups: [LiveGroup] { report.groups ?? [] }

    /// A group's sign on the bar, the profile and the map, in the order of the groups: P for the peloton, otherwise the
    /// letters from A.
    var letters: [String] {
        let peloton = report.peloton
        var others = "ABCDEFGHIJKLMNOQRSTUVWXYZ".makeIterator()
        return groups.indices.map { $0 == peloton ? "P" : others.next().map { String($0) } ?? "·" }
    }

    func group(of rider: String) -> Int? { groups.firstIndex { $0.riders?.contains(rider) == true } }

    /// Returns the riders of a group in the order in which they are named: favourites, wearers of jerseys, the wanted
    /// rider, others.
    func riders(of group: LiveGroup) -> [String] {
        let riders = group.riders ?? []
        let first =
            roster.favourites.filter(riders.contains) + roster.wearers.map(\.rider).filter(riders.contains)
            + riders.filter { $0 == wanted }
        var seen: Set<String> = []
        return (first + riders).filter { seen.insert($0).inserted }
    }

    /// Whether a rider is always named: a favourite, or the one whom the user looks for.
    func isNamed(_ rider: String) -> Bool { rider == wanted || roster.favourites.contains(rider) }

    /// Returns a rider's name with the sign of a favourite before it.
    func marked(_ name: DisplayText, _ rider: String) -> DisplayText {
        roster.favourites.contains(rider) ? RowSign.favourite.before(name, isLinear: isLinear) : name
    }

    // MARK: Signs of jerseys

    /// The sign of a jersey, whose colour ``color(of:in:)`` returns, or its name if the terminal has no colours.
    func jersey(_ list: Classification) -> DisplayText {
        let jersey = jerseys.of(list)
        guard hasSigns else { return DisplayText(jersey?.name ?? list.name) }
        // A white dot is invisible on a white ground.
        if jersey.flatMap(JerseyColor.of).map(JerseyColor.isWhite) == true { return hasUnicode ? "○" : "o" }
        return hasUnicode ? "●" : "*"
    }

    /// Whether jerseys are shown as coloured signs instead of names.
    var hasSigns: Bool { !isLinear && hasColors }

    // MARK: Links

    /// The factor of the classification in the number of a link. The rest is the number of the rider from 1.
    private static let jerseyStep: Int32 = 100_000

    /// Returns the number of the link to a rider, or 0 for one who is not listed.
    func link(to rider: String) -> Int32 { roster.index(of: rider).map { Int32(clamping: $0 + 1) } ?? 0 }

    func link(to rider: String, jersey list: Classification) -> Int32 {
        link(to: rider) + LiveScene.jerseyStep * Int32(clamping: list.rawValue)
    }

    static func rider(of link: Int32) -> Int? {
        let number = Int(link % jerseyStep)
        return number > 0 ? number - 1 : nil
    }

    /// Returns the colour of a link, which is that of a jersey, or `nil`.
    ///
    /// - Parameter ground: The background, if it is known. The colour stands out from it.
    static func color(of link: Int32, in jerseys: [Jersey], on ground: RGB? = nil) -> Color? {
        guard link >= jerseyStep, let list = Classification(rawValue: Int(link / jerseyStep)),
            let color = jerseys.of(list).flatMap(JerseyColor.of), !JerseyColor.isWhite(color)
        else { return nil }
        return ground.map { JerseyColor.standingOut(color, from: $0) } ?? color
    }
}
