import ModelCore
import TerminalUI

/// A view controller that shows a place, or has one selected.
@MainActor
protocol PlaceShowing: ViewController {
    /// The place that is open or selected, or `nil` if nothing is.
    var shownPlace: Place? { get }
    /// Stores the reading position.
    func keepPlace()
}

extension PlaceShowing {
    func keepPlace() {}
}

/// The commands for the place with the focus, whichever segment shows it.
@MainActor
final class PlaceActions {
    private let access: LibraryAccess
    private let navigation: NavigationController
    /// Shows a place in another pane, or `nil` if there can be none.
    private let openPane: (@MainActor (Place, NewPane) async -> String?)?
    private weak var application: Application?

    init(
        access: LibraryAccess, navigation: NavigationController,
        openPane: (@MainActor (Place, NewPane) async -> String?)?
    ) {
        self.access = access
        self.navigation = navigation
        self.openPane = openPane
    }

    /// Connects the actions to an application.
    func attach(to application: Application) {
        self.application = application
        let own = navigation.additionalCommands
        navigation.additionalCommands = { [weak self] in own() + (self?.commands ?? []) }
    }

    /// The nearest view controller around the focus that shows a place.
    private var showing: (any PlaceShowing)? {
        var controller: ViewController? = application?.window.focusedController
        while let present = controller {
            if let showing = present as? any PlaceShowing { return showing }
            controller = present.parent
        }
        return nil
    }

    // Places are read only when a command needs one, since the commands are made for every key.
    private var commands: [Command] {
        let showing = showing
        return [
            Command(PlaceCommands.addSegment, isEnabled: showing != nil) { [weak self, weak showing] in
                guard let self, let showing else { return }
                guard let place = showing.shownPlace?.forSegment else {
                    return self.access.status.show("Only lists and races can be segments.")
                }
                self.toggleSegment(place)
            }
        ] + paneCommands(showing)
    }

    /// The commands for other panes, which are only offered inside tmux.
    private func paneCommands(_ showing: (any PlaceShowing)?) -> [Command] {
        guard openPane != nil else { return [] }
        return [
            Command(PlaceCommands.openPane, isEnabled: showing != nil) { [weak self, weak showing] in
                guard let self else { return }
                self.open(showing, in: .side(of: self.application?.window.size ?? .zero))
            },
            Command(PlaceCommands.openWindow, isEnabled: showing != nil) { [weak self, weak showing] in
                self?.open(showing, in: .window)
            },
        ]
    }

    private func open(_ showing: (any PlaceShowing)?, in pane: NewPane) {
        guard let openPane, let showing, let place = showing.shownPlace else {
            return access.status.show("Nothing is selected.")
        }
        // The other program finds the reading position in the library.
        showing.keepPlace()
        Task { [access] in
            if let problem = await openPane(place, pane) { access.status.show(failure: problem) }
        }
    }

    private func toggleSegment(_ place: Place) {
        let list = access.segmentPlaces
        let name = access.read(place.text) { try $0.title(of: place) }
        guard list.places.contains(place) else {
            access.setSegments(list.adding(place))
            return access.status.show(DisplayText("\(name) is segment \(list.places.count + 1)."))
        }
        guard let rest = list.removing(place) else { return access.status.show("The last segment stays.") }
        access.setSegments(rest)
        access.status.show(DisplayText("\(name) is no longer a segment."))
    }
}

extension LibraryAccess {
    /// The places of the segments in the bar.
    var segmentPlaces: PlaceList {
        PlaceList(settings[.segments]) ?? PlaceList(SegmentName.allCases.map { .segment($0) })
    }

    func setSegments(_ list: PlaceList) { set(list.text, for: SettingKey<String>.segments.name) }
}
