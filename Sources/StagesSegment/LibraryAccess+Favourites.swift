import DashboardFrame
import Races
import TerminalUI

extension LibraryAccess {
    /// Marks a race, team or rider as a favourite, or no longer.
    ///
    /// - Parameter name: The identifier of a race, or the name of a team or rider.
    func toggleFavourite(_ kind: Favourites.Kind, _ name: String, title: String) {
        let isMarked = !read(Favourites()) { try $0.races.favourites() }.contains(kind, name)
        submitStep(
            Favourites.mark(kind, name, isMarked),
            message: DisplayText("\(title) is \(isMarked ? "a" : "no longer a") favourite."))
    }
}
