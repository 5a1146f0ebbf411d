import Feeds
import ModelCore
import TerminalUI

/// Navigates between the segments of the dashboard, for screens and background work that don't know each other.
@MainActor
package protocol DashboardRouter: AnyObject {
    /// Shows a stage of a race in the Stages segment.
    func showStage(_ number: Int, of race: String)
    /// Shows the results of a search in the Feeds segment.
    func showSearch(_ query: SearchQuery, named name: String)
    /// Shows the entries that were read last in the Feeds segment.
    func showRecentlyRead()
    /// Shows a place, or a message if it doesn't exist.
    func open(_ place: Place)
    /// Shows the place of a command with a row that it works on.
    func goToPlace(of command: CommandDefinition)
    /// Performs a command that is offered at the focus.
    func perform(_ command: CommandDefinition)
    /// Presents a controller over the current segment.
    func present(_ controller: ViewController)
    /// Follows the race at an address.
    func followRace(at address: String) async
    /// Applies the new value of a setting.
    func settingDidChange(_ name: String)
}
