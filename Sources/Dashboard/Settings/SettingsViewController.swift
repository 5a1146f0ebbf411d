import ModelCore
import TerminalUI

/// The root view controller of the Settings segment: the list of settings, and one setting beside it.
@MainActor
final class SettingsViewController: SplitViewController, SegmentRootController {
    let list: SettingListViewController

    init(_ services: SettingServices) {
        list = SettingListViewController(services)
        super.init(primary: list, placeholder: MessageViewController("No setting selected."))
        title = "Settings"
    }

    /// The name of the selected setting.
    var state: String? { list.selectedName }

    func show(_ state: String) { list.select(state) }

    func go(to place: Place) {
        guard case .setting(let name) = place else { return focus(.primary) }
        list.select(name)
        focus(.secondary)
    }

    func settingDidChange() { list.settingDidChange() }
}
