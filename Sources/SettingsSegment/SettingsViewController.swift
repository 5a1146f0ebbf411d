import DashboardFrame
import ModelCore
import TerminalUI

/// The root view controller of the Settings segment: the list of settings, and one setting beside it.
@MainActor
package final class SettingsViewController: SplitViewController, SegmentRootController {
    let list: SettingListViewController

    package init(_ services: SettingServices) {
        list = SettingListViewController(services)
        super.init(primary: list, placeholder: MessageViewController("No setting selected."))
        title = "Settings"
    }

    /// The name of the selected setting.
    package var state: String? { list.selectedName }

    package func show(_ state: String) { list.select(state) }

    package func go(to place: Place) {
        guard case .setting(let name) = place else { return focus(.primary) }
        list.select(name)
        focus(.secondary)
    }

    package func settingDidChange() { list.settingDidChange() }
}
