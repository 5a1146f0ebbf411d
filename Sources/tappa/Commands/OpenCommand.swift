import ArgumentParser
import Foundation
import ModelCore

struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a place in the dashboard.",
        discussion: """
            A place is one of \(Place.forms). An entry's number is its id; entry:ID@LIST opens it in another list than that \
            of its feed. The rows of --json have their place.

            In tmux, a dashboard of the same library in the same window goes there. Otherwise, or with --new, a dashboard \
            starts there.

            Examples:
              tappa open unread
              tappa open 'search:giro is:unread'
              tappa open race:giro-2026/12
            """)

    @Flag(help: "Start another dashboard.")
    var new = false

    @Argument(help: ArgumentHelp("The place.", valueName: "place"), transform: OpenCommand.place)
    var place: Place

    @OptionGroup var options: LibraryOptions

    @OptionGroup var logging: ProgramLog.Options

    private static func place(_ text: String) throws -> Place {
        do throws(Place.Problem) { return try Place(text) } catch {
            throw ValidationError("\(error.description.prefix(1).uppercased() + error.description.dropFirst()).")
        }
    }

    func run() throws {
        if !new, !options.inMemory, try isShownElsewhere() { return }
        var dashboard = try DashboardCommand.parse([])
        dashboard.options = options
        dashboard.logging = logging
        try MainActor.assumeIsolated { [dashboard] in try dashboard.show(place: place) }
    }

    /// Whether a dashboard in another pane of the window has gone there.
    private func isShownElsewhere() throws -> Bool {
        guard let own = TmuxPane.own else { return false }
        for pane in own.neighbours {
            switch PlaceSocket(library: options.path, server: own.server, pane: pane).send(place) {
            case .nobody: continue
            case .done: return true
            case .busy: throw fail("the dashboard in pane \(pane) doesn't answer", ExitStatus.unavailable)
            case .refused(let reason): throw fail(reason, ExitStatus.noInput)
            }
        }
        return false
    }
}
