import DashboardFrame
import ModelCore
import TerminalUI

/// Shows and hides the inspector: as a column in wide panes, as a popover in others. What is open stays so in a pane that
/// changes its size.
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

    private func toggle() {
        guard let window = navigation.window else { return }
        if navigation.extras.side != nil, SideColumn.hasRoom(in: window) { return navigation.extras.side = nil }
        let inspector = InspectorViewController(access: access) { [weak self] in self?.shown }
        inspector.sizeDidChange = { [weak self, weak inspector] in
            guard let self, let inspector, let window = self.navigation.window else { return }
            self.move(inspector, in: window)
        }
        show(inspector, in: window)
    }

    private func show(_ inspector: InspectorViewController, in window: Window) {
        guard !SideColumn.hasRoom(in: window) else { return navigation.extras.side = inspector }
        navigation.extras.side = nil
        inspector.popoverPresentationController.sourceView = window.focusedView ?? navigation.view
        navigation.present(inspector)
    }

    /// Shows an open inspector as the size of the pane allows. A column waits below what is presented.
    private func move(_ inspector: InspectorViewController, in window: Window) {
        let presented = window.presentedViewController
        if presented === inspector {
            guard SideColumn.hasRoom(in: window) else { return }
            inspector.dismiss()
            show(inspector, in: window)
        } else if navigation.extras.side === inspector, presented == nil, !SideColumn.hasRoom(in: window) {
            show(inspector, in: window)
        }
    }
}
