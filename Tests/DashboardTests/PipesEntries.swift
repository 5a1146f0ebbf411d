import Feeds
import ModelCore
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Passing an entry to a typed program, and sequences that change settings.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct PipesEntries {
    private static let definition = CommandDefinition(
        "user.own", "own", keys: ["Z"], group: "Your commands", place: "entries", needs: "an entry")

    @Test func passesTheEntryToATypedProgram() async throws {
        let dashboard = try await DashboardScreen(
            120, 30,
            adjust: { environment in
                environment.programs.pipe = { line in
                    EntryCommand(PipesEntries.definition) { target, markdown in
                        guard case .entry(let entry) = target else { return .failed("no entry") }
                        return .output("<\(line)> \(markdown(entry).prefix(20))")
                    }
                }
            })
        let screen = dashboard.screen
        #expect(screen.press("enter", "|", shows: "Pipe to program"))
        screen.type("wc -l", then: "enter")
        #expect(await screen.wait(for: "<wc -l> # Undated"))
        // The last line is suggested and replaced by typing; nothing typed runs nothing.
        // A key beside Esc closes the output.
        screen.press("q")
        #expect(!screen.text.contains("<wc -l>"))
        #expect(screen.press("|", shows: "wc -l"))
        screen.type("sort", then: "enter")
        #expect(await screen.wait(for: "<sort> # Undated"))
        screen.press("esc", "|", "ctrl-u", "enter")
        #expect(!screen.text.contains("<> #"))
    }

    @Test func changesSettingsInASequence() async throws {
        let own = EntryCommand(
            PipesEntries.definition,
            steps: [
                .set(name: "feeds.order", value: "oldest first"), .perform("entry.toggleStar"), .perform("no.such"),
            ]
        ) { _, _ in .done }
        let dashboard = try await DashboardScreen(120, 30, adjust: { $0.configuration.entryCommands = [own] })
        #expect(dashboard.screen.press("enter", "Z", shows: "own: no.such isn't available here"))
        try await dashboard.settle()
        #expect(dashboard.settings["feeds.order"].value == "oldest first")
        #expect(try dashboard.library.entries.count(in: EntryQuery(.starred)) == 1)
    }
}
