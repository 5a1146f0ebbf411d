import ModelCore

extension FeedListViewController: PlaceShowing {
    var shownPlace: Place? { selectedRow?.place.map { .list($0) } }
}

extension EntryListViewController: PlaceShowing {
    var shownPlace: Place? {
        selectedEntryID.map { .entry($0, in: place) } ?? place.map { .list($0) }
    }
}
