import DashboardFrame
import ModelCore
import TerminalUI

/// The commands for the place with the focus, whichever segment shows it.
@MainActor
final class PlaceActions {
    private let access: LibraryAccess
    private let navigation: NavigationController
    /// Shows a place in another pane, or `nil` if there can be none.
    private let openPane: (@MainActor (Place, NewPane) async -> String?)?

    init(
        access: LibraryAccess, navigation: NavigationController,
        openPane: (@MainActor (Place, NewPane) async -> String?)?
    ) {
        self.access = access
        self.navigation = navigation
        self.openPane = openPane
    }

    // Places are read only when a command needs one, since the commands are made for every key.
    var commands: [Command] {
        let shown = ShownPlace.nearest(to: navigation.window?.focusedController)
        return [
            Command(PlaceCommands.addSegment, isEnabled: shown != nil) { [weak self] in
                guard let self else { return }
                guard let place = shown?.place()?.forSegment else {
                    return self.access.status.show("Only lists and races can be segments.")
                }
                self.toggleSegment(place)
            }
        ] + paneCommands(shown)
    }

    /// The commands for other panes, which are only offered inside tmux.
    private func paneCommands(_ shown: ShownPlace?) -> [Command] {
        guard openPane != nil else { return [] }
        return [
            Command(PlaceCommands.openPane, isEnabled: shown != nil) { [weak self] in
                guard let self else { return }
                self.open(shown, in: .side(of: self.navigation.window?.size ?? .zero))
            },
            Command(PlaceCommands.openWindow, isEnabled: shown != nil) { [weak self] in
                self?.open(shown, in: .window)
            },
        ]
    }

    private func open(_ shown: ShownPlace?, in pane: NewPane) {
        guard let openPane, let shown, let place = shown.place() else {
            return access.status.show("Nothing is selected.")
        }
        // The other program finds the reading position in the library.
        shown.keepPlace()
        Task { [access] in
            if let problem = await openPane(place, pane) { access.status.show(failure: problem) }
        }
    }

    private func toggleSegment(_ place: Place) {
        let list = access.segmentPlaces
        let name = access.read(place.text) { try PlaceNames($0).title(of: place) }
        guard list.places.contains(place) else {
            access.setSegments(list.adding(place))
            return access.status.show(DisplayText("\(name) is segment \(list.places.count + 1)."))
        }
        guard let rest = list.removing(place) else { return access.status.show("The last segment stays.") }
        access.setSegments(rest)
        access.status.show(DisplayText("\(name) is no longer a segment."))
    }
}
