import DashboardFrame
import ModelCore

extension SettingListViewController: PlaceShowing {
    package var shown: ShownPlace? { selectedName.map { name in ShownPlace(subject: name, place: { .setting(name) }) } }
}

extension PlaceShowing where Self: SettingPage {
    package var shown: ShownPlace? {
        let name = definition.name
        return ShownPlace(subject: name, place: { .setting(name) })
    }
}

extension SettingViewController: PlaceShowing {}
extension SegmentListViewController: PlaceShowing {}
