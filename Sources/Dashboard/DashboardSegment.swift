import Foundation
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

    /// All segments in the order of the bar. The setting `appearance.start` offers their names.
    package static let all: [DashboardSegment] = [.stages, .feeds, .settings]
}

/// The root view controller of a segment. It can be released and restored, in this run or the next.
@MainActor
protocol SegmentRootController: SplitViewController, RestorableSegment {
    /// The data needed to restore what is shown.
    associatedtype State: Codable

    /// The current state, or `nil` if there is nothing to restore.
    var state: State? { get }
    /// Restores a state as far as its content still exists.
    func show(_ state: State)
    /// Called when a setting has changed.
    func settingDidChange()
    /// Reloads lists that depend on more than the library.
    func reloadLists()
}

extension SegmentRootController {
    func settingDidChange() {}
    func reloadLists() {}

    /// The state as JSON text.
    var kept: String? {
        state.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Restores a state from JSON text, ignoring it if it can't be read.
    func show(kept: String) {
        if let state = try? JSONDecoder().decode(State.self, from: Data(kept.utf8)) { show(state) }
    }

    var segmentState: Any { kept as Any }

    func restore(_ state: Any) {
        if let kept = state as? String { show(kept: kept) }
    }
}
