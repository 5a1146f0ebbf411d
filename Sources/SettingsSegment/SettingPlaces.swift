import DashboardFrame
import ModelCore

extension SettingListViewController: PlaceShowing {
    package var placeShown: ShownPlace? {
        selectedName.map { name in ShownPlace(subject: name, place: { .setting(name) }) }
    }
}

extension PlaceShowing where Self: SettingPage {
    var placeShown: ShownPlace? {
        let name = definition.name
        return ShownPlace(subject: name, place: { .setting(name) })
    }
}

extension SettingViewController: PlaceShowing {}
extension SegmentListViewController: PlaceShowing {}
