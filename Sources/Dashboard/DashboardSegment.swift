import Foundation
import ModelCore
import TerminalUI

/// A segment of the dashboard: one value says all that the rest of the program has to know of it.
package struct DashboardSegment: Sendable {
    /// The name in the settings, on the command line and in what a pane keeps.
    package let name: String
    let title: DisplayText
    /// What stands beside its title; `nil`: nothing.
    let badge: @MainActor @Sendable (DashboardContext) -> DisplayText?
    let make: @MainActor @Sendable (DashboardContext) -> any SegmentRootController
    /// The class of its root.
    let root: ObjectIdentifier

    init<Root: SegmentRootController>(
        _ name: String, _ title: DisplayText,
        badge: @escaping @MainActor @Sendable (DashboardContext) -> DisplayText? = { _ in nil },
        make: @escaping @MainActor @Sendable (DashboardContext) -> Root
    ) {
        self.name = name
        self.title = title
        self.badge = badge
        self.make = make
        root = ObjectIdentifier(Root.self)
    }

    /// All of them, in the order of the bar. The setting `appearance.start` offers their names.
    package static let all: [DashboardSegment] = [.stages, .feeds, .settings]
}

/// The root of a segment: it can be let go and made again as it was, in this run and in the next one.
@MainActor
protocol SegmentRootController: SplitViewController, RestorableSegment {
    /// What has to be known to show the same again.
    associatedtype State: Codable

    /// What is shown; `nil`: nothing worth keeping.
    var state: State? { get }
    /// Shows what was shown, if it is still there.
    func show(_ state: State)
    /// Hears that a setting has another value.
    func settingDidChange()
    /// Reads lists anew that depend on more than the library.
    func reloadLists()
}

extension SegmentRootController {
    func settingDidChange() {}
    func reloadLists() {}

    /// The state as JSON text.
    var kept: String? {
        state.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Shows what a text keeps; one that cannot be read is passed over.
    func show(kept: String) {
        if let state = try? JSONDecoder().decode(State.self, from: Data(kept.utf8)) { show(state) }
    }

    var segmentState: Any { kept as Any }

    func restore(_ state: Any) {
        if let kept = state as? String { show(kept: kept) }
    }
}
