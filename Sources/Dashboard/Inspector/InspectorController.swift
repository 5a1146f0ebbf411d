import ModelCore
import TerminalUI

/// Shows and hides the inspector: as a column in wide panes, as a popover in others.
@MainActor
final class InspectorController {
    private let access: LibraryAccess
    private let navigation: NavigationController
    private weak var application: Application?

    init(access: LibraryAccess, navigation: NavigationController) {
        self.access = access
        self.navigation = navigation
    }

    func attach(to application: Application) {
        self.application = application
        let own = navigation.additionalCommands
        navigation.additionalCommands = { [weak self] in own() + (self?.commands ?? []) }
    }

    /// The nearest view controller around the focus that has facts, also below a popover.
    private var inspectable: (any Inspectable)? {
        var controller: ViewController? = navigation
        while let child = controller?.focusedChild { controller = child }
        while let present = controller {
            if let found = present as? any Inspectable { return found }
            controller = present.parent
        }
        return nil
    }

    private var commands: [Command] {
        let isColumn = navigation.sideViewController != nil
        return [
            Command(PlaceCommands.inspect, isEnabled: isColumn || inspectable?.inspectedSubject != nil) { [weak self] in
                self?.toggle()
            }
        ]
    }

    private func make() -> InspectorViewController {
        InspectorViewController(access: access) { [weak self] in self?.inspectable }
    }

    private func toggle() {
        if navigation.hasRoomForSide {
            navigation.sideViewController = navigation.sideViewController == nil ? make() : nil
            return
        }
        let inspector = make()
        inspector.popoverPresentationController.sourceView = application?.window.focusedView ?? navigation.view
        navigation.present(inspector)
    }
}
