import Feeds
import ModelCore
import TerminalUI

/// The other programs that the dashboard starts. Each returns an error message or `nil`.
package struct ExternalPrograms {
    /// Opens a link in the user's browser.
    package var openLink: @MainActor (String) async -> String? = { _ in nil }
    /// Plays an enclosure.
    package var play: Play = { _, _, _, _ in "No player is available." }
    /// Returns a command that passes an entry to a command line for the shell.
    package var pipe: @MainActor (_ line: String) -> EntryCommand? = { _ in nil }
    /// Runs a user command by name for a new entry.
    package var runOnArrival: @Sendable (_ command: String, EntryDetail) async -> String? = { _, _ in nil }
    /// Notifies the user of new entries and of races.
    package var notify: Notify = { _, _, _ in nil }
    /// Returns whether a terminal shows the pane, as far as that can be known.
    package var isPaneShown: @Sendable () async -> Bool = { true }

    /// Shows a place in another pane of the terminal multiplexer, or `nil` outside one.
    package var openPane: (@MainActor (Place, NewPane) async -> String?)?
    package init() {}

    /// Shows a notification about what is at a place.
    package typealias Notify = @MainActor (_ title: String, _ body: String, _ place: Place) async -> String?

    /// Plays from a position in seconds. `keep` receives the positions that the player reports, on any thread.
    package typealias Play =
        @MainActor (
            _ address: String, _ player: String, _ start: Int, _ keep: @escaping @Sendable (PlayedEnclosure) -> Void
        ) async -> String?
}

/// Where the terminal multiplexer makes a pane.
package enum NewPane: Hashable, Sendable {
    case below
    case beside
    /// In a window of its own.
    case window

    /// The side on which a pane of this size has more space. A cell is about twice as high as wide.
    package static func side(of size: Size) -> NewPane {
        size.width >= 100 && size.width > size.height * 2 ? .beside : .below
    }
}
