import ModelCore

extension SettingListViewController: PlaceShowing {
    var shownPlace: Place? { selectedName.map { .setting($0) } }
}

extension SettingViewController: PlaceShowing {
    var shownPlace: Place? { .setting(definition.name) }
}
