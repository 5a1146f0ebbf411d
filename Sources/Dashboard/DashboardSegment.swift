import LibraryKernel
import ModelCore
import TerminalUI

/// A segment of the dashboard, with everything that the rest of the program needs to know about it.
package struct DashboardSegment: Sendable {
    /// The name in settings, on the command line and in the saved state of a pane.
    package let name: String
    let title: DisplayText
    /// Returns the badge beside the title, or `nil` for none.
    let badge: @MainActor @Sendable (LibraryAccess) -> DisplayText?
    /// The parts of the library whose changes renew the badge.
    let badgeParts: Set<LibraryPart>
    let make: @MainActor @Sendable (DashboardServices) -> any SegmentRootController
    /// The class of the segment's root view controller.
    let root: ObjectIdentifier

    /// - Parameters:
    ///   - badge: Returns the badge.
    ///   - badgeParts: The parts of the library that the badge depends on.
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
    }

    /// All segments in the order of the bar.
    package static let all = SegmentName.allCases.map(DashboardSegment.segment)

    private static func segment(_ name: SegmentName) -> DashboardSegment {
        switch name {
        case .stages:
            DashboardSegment(
                name.rawValue, "Stages", make: { StagesViewController(services: $0.races, entries: $0.entries) })
        case .feeds:
            DashboardSegment(
                name.rawValue, "Feeds", badge: FeedsViewController.badge, badgeParts: [.subscriptions],
                make: { FeedsViewController(services: $0.feeds) })
        case .settings: DashboardSegment(name.rawValue, "Settings", make: { SettingsViewController($0.settings) })
        }
    }
}
