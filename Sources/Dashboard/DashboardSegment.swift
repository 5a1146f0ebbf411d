import DashboardFrame
import FeedsSegment
import LibraryKernel
import ModelCore
import SettingsSegment
import StagesSegment
import TerminalUI

/// A segment of the dashboard, with everything that the rest of the program needs to know about it.
package struct DashboardSegment: Sendable {
    /// The name in settings, on the command line and in the saved state of a pane: the text of its place.
    package let name: String
    let title: DisplayText
    /// Returns the badge beside the title, or `nil` for none.
    let badge: @MainActor @Sendable (LibraryAccess) -> DisplayText?
    /// Returns the number beside the title if that may take long, so that it is read in the background.
    var counter: (@Sendable (Library) throws -> Int?)?
    /// The parts of the library whose changes renew the badge.
    let badgeParts: Set<LibraryPart>
    let make: @MainActor @Sendable (DashboardServices) -> any SegmentRootController
    /// The class of the segment's root view controller, or `nil` for a segment that the user has added.
    let root: ObjectIdentifier?
    /// The place that the segment shows, or `nil` for one without a place.
    let place: Place?
    /// Whether the bar leaves it out, unless it is selected.
    var isHidden = false

    /// Creates a segment that always exists.
    init<Root: SegmentRootController>(
        _ name: String, _ title: DisplayText,
        badge: @escaping @MainActor @Sendable (LibraryAccess) -> DisplayText? = { _ in nil },
        badgeParts: Set<LibraryPart> = [],
        make: @escaping @MainActor @Sendable (DashboardServices) -> Root
    ) {
        self.name = name
        self.title = title
        self.badge = badge
        self.badgeParts = badgeParts
        self.make = make
        root = ObjectIdentifier(Root.self)
        place = SegmentName(rawValue: name).map { .segment($0) }
    }

    /// Creates a segment that shows a list or a race, or returns `nil` for other places.
    init?(_ place: Place, title: String) {
        switch place {
        case .list(let list):
            badgeParts = [.subscriptions, .marks, .listedEntries, .search]
            counter = { try PlaceNames($0).counter(of: list) }
            make = { EntriesViewController(list, services: $0.feeds) }
        case .race(let name, nil):
            badgeParts = [.races]
            make = { StagesViewController(services: $0.races, entries: $0.entries, race: name) }
        default: return nil
        }
        name = place.text
        self.title = DisplayText(title).truncated(to: 24)
        badge = { _ in nil }
        root = nil
        self.place = place
    }

    /// The segments that always exist, in the standard order of the bar.
    package static let all = SegmentName.allCases.map(DashboardSegment.segment)

    private static func segment(_ name: SegmentName) -> DashboardSegment {
        let title = DisplayText(name.title)
        return switch name {
        case .stages:
            DashboardSegment(
                name.rawValue, title, make: { StagesViewController(services: $0.races, entries: $0.entries) })
        case .feeds:
            DashboardSegment(
                name.rawValue, title, badge: FeedsViewController.badge, badgeParts: [.subscriptions],
                make: { FeedsViewController(services: $0.feeds) })
        case .settings: DashboardSegment(name.rawValue, title, make: { SettingsViewController($0.settings) })
        }
    }

    /// Returns the segments in the order of the settings, followed by those that the bar leaves out.
    @MainActor
    static func arranged(_ all: [DashboardSegment], _ access: LibraryAccess) -> [DashboardSegment] {
        let setting = access.settings[SettingKey<String>.segments.name]
        guard setting.origin != .standard, let list = PlaceList(setting.value) else { return all }
        let shown = list.places.compactMap { place in
            all.first { $0.place == place }
                ?? DashboardSegment(place, title: access.read(place.text) { try PlaceNames($0).title(of: place) })
        }
        let hidden = all.filter { segment in !shown.contains { $0.name == segment.name } }
        return shown
            + hidden.map { segment in
                var segment = segment
                segment.isHidden = segment.place != nil
                return segment
            }
    }
}
