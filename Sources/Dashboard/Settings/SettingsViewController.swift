import TerminalUI

extension DashboardSegment {
    /// Settings beside one of them.
    static let settings = DashboardSegment("settings", "Settings", make: SettingsViewController.init)
}

/// The room of the Settings segment.
@MainActor
final class SettingsViewController: SplitViewController, SegmentRootController {
    let list: SettingListViewController

    init(context: DashboardContext) {
        list = SettingListViewController(context: context)
        super.init(primary: list, placeholder: MessageViewController("No setting selected."))
        title = "Settings"
    }

    /// The name of the chosen setting.
    var state: String? { list.selectedName }

    func show(_ state: String) { list.select(state) }

    func settingDidChange() { list.settingDidChange() }
}
