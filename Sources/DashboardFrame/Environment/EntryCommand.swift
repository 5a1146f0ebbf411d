import Feeds
import TerminalUI

/// A command that the user defined: a program that receives an entry, or a sequence of commands.
package struct EntryCommand {
    /// The result of a command.
    package enum Result: Sendable {
        case done
        /// The output to show.
        case output(String)
        /// The error as a sentence.
        case failed(String)
    }

    package var definition: CommandDefinition
    /// What to do in order. If empty, the command runs its program.
    package let steps: [Step]
    /// Whether the program receives a list at once.
    package let acceptsList: Bool
    /// Runs the program. It receives an entry's text as Markdown if it asks for that.
    package let run: @MainActor (Target, _ markdown: @MainActor (EntryDetail) -> String) async -> Result

    /// A part of a sequence.
    package enum Step {
        /// The identifier of a command to perform.
        case perform(String)
        /// A setting to change.
        case set(name: String, value: String)
    }

    /// What the program receives.
    package enum Target {
        case entry(EntryDetail)
        case list([EntryDetail], title: String)
    }

    package init(
        _ definition: CommandDefinition, steps: [Step] = [], acceptsList: Bool = false,
        run: @escaping @MainActor (Target, _ markdown: @MainActor (EntryDetail) -> String) async -> Result
    ) {
        self.definition = definition
        self.steps = steps
        self.acceptsList = acceptsList
        self.run = run
    }
}
