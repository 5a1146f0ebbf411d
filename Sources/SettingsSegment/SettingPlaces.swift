import ModelCore

extension SettingListViewController: PlaceShowing {
    var shown: ShownPlace? { selectedName.map { name in ShownPlace(subject: name, place: { .setting(name) }) } }
}

extension PlaceShowing where Self: SettingPage {
    var shown: ShownPlace? {
        let name = definition.name
        return ShownPlace(subject: name, place: { .setting(name) })
    }
}

extension SettingViewController: PlaceShowing {}
extension SegmentListViewController: PlaceShowing {}
