import DashboardFrame
import ModelCore
import TerminalUI

/// Shows and hides the inspector: as a column in wide panes, as a popover in others.
@MainActor
final class InspectorController {
    private let access: LibraryAccess
    private let navigation: NavigationController

    init(access: LibraryAccess, navigation: NavigationController) {
        self.access = access
        self.navigation = navigation
    }

    /// What is open or selected, also below a popover.
    private var shown: ShownPlace? {
        var controller: ViewController = navigation
        while let child = controller.focusedChild { controller = child }
        return ShownPlace.nearest(to: controller)
    }

    var commands: [Command] {
        [Command(PlaceCommands.inspect) { [weak self] in self?.toggle() }]
    }

    private func make() -> InspectorViewController {
        InspectorViewController(access: access) { [weak self] in self?.shown }
    }

    private func toggle() {
        guard let window = navigation.window else { return }
        if SideColumn.hasRoom(in: window) {
            navigation.extras.side = navigation.extras.side == nil ? make() : nil
            return
        }
        let inspector = make()
        inspector.popoverPresentationController.sourceView = window.focusedView ?? navigation.view
        navigation.present(inspector)
    }
}
