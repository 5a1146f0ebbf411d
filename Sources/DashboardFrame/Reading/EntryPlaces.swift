import ModelCore

extension EntryViewController: PlaceShowing {
    var shownPlace: Place? { .entry(entryID, in: sequence?.place) }
}
