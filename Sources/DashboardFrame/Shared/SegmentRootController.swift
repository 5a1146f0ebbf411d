import Foundation
import ModelCore
import TerminalUI

/// The root view controller of a segment. It can be released and restored, in this run or the next.
@MainActor
package protocol SegmentRootController: SplitViewController, RestorableSegment {
    /// The data needed to restore what is shown.
    associatedtype State: Codable

    /// The current state, or `nil` if there is nothing to restore.
    var state: State? { get }
    /// Restores a state as far as its content still exists.
    func show(_ state: State)
    /// Shows a place of the segment that exists.
    func go(to place: Place)
    /// Called when a setting has changed.
    func settingDidChange()
    /// Reloads lists that depend on more than the library.
    func reloadLists()
}

extension SegmentRootController {
    package func go(to place: Place) {}
    package func settingDidChange() {}
    package func reloadLists() {}

    /// The state as JSON text.
    package var kept: String? {
        state.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Restores a state from JSON text, ignoring it if it can't be read.
    package func show(kept: String) {
        if let state = try? JSONDecoder().decode(State.self, from: Data(kept.utf8)) { show(state) }
    }

    package var segmentState: Any { kept as Any }

    package func restore(_ state: Any) {
        if let kept = state as? String { show(kept: kept) }
    }
}
