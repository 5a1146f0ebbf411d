import ArgumentParser
import CSpawn
import Fetching
import LibraryKernel
import TerminalUI

/// The command line of tappa; without a command it shows the dashboard.
@main
struct Tappa: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tappa",
        abstract: "An RSS reader and bike-race tracker for the terminal.",
        discussion: """
            Without a command it shows the dashboard. The commands work in pipes. Exit codes: 0 done, 64 usage, \
            65 bad data, 66 no such input, 69 unavailable, 74 input or output failed.

            Examples:
              tappa                                  the dashboard
              tappa add https://example.org/         follow the feed of a site
              tappa import ~/.newsboat               import everything from newsboat
              tappa reload --quiet                   fetch all feeds, as timers do
              tappa status                           one line for tmux's status bar
              tappa search 'title:giro age:<7d'      find entries of this week
            """,
        version: ProgramVersion.number,
        subcommands: [
            DashboardCommand.self, OpenCommand.self, AddCommand.self, RemoveCommand.self, ListCommand.self,
            ReloadCommand.self,
            ImportCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self, SearchCommand.self,
            ShowCommand.self, MarkCommand.self, TagCommand.self, PruneCommand.self, RulesCommand.self, SaveCommand.self,
            DownloadsCommand.self, AccountCommand.self,
            ParseCommand.self, RenderCommand.self, StagesCommand.self, RaceCommand.self, StatusCommand.self,
            ConfigCommand.self, ManualCommand.self, DoctorCommand.self, CheckCommand.self, RecoverCommand.self,
            ResetTerminalCommand.self,
            DecodePictureCommand.self,
        ],
        defaultSubcommand: DashboardCommand.self)

    /// Parses the command by itself if possible, since loading all commands takes too long for a status line. The full
    /// parser reports errors, because it knows all names.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        if named == nil, let word = arguments.first, !word.hasPrefix("-"), word != "help" {
            throw fail("no such command: '\(word)'; 'tappa help' lists all", ExitStatus.usage)
        }
        let (type, own): (any ParsableCommand.Type, [String]) =
            if let named { (named, Array(arguments.dropFirst())) } else { (DashboardCommand.self, arguments) }
        let asksForHelp = own.contains {
            ["-h", "--help", "--help-hidden", "help"].contains($0) || $0.hasPrefix("--generate")
        }
        if !asksForHelp, type.configuration.subcommands.isEmpty, let command = try? type.parseAsRoot(own) {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// The program's name and arguments. Swift finds none if a preloaded library has changed the environment.
    private static var arguments: [String] {
        guard CommandLine.arguments.isEmpty else { return CommandLine.arguments }
        let bytes = FileReading.bytes("/proc/self/cmdline", maximum: 4 << 20) ?? []
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    static func main() {
        ResourceLimits.openStandardStreams()
        do {
            do {
                try run(Array(arguments.dropFirst()))
            } catch let error as LibraryError {
                throw fail("\(error)", error.exitCode)
            }
            OpenLibraries.close()
            end(with: .success)
        } catch {
            OpenLibraries.close()
            let code = exitCode(for: error)
            let message = fullMessage(for: error)
            if code.isSuccess {
                if !message.isEmpty { printText(Signs.shown(message)) }
            } else if !message.isEmpty {
                // The message quotes arguments, which may come from elsewhere.
                for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
                    printError(String(line))
                }
            }
            end(with: code)
        }
    }

    private static func run(_ arguments: [String]) throws {
        if arguments == ["--version"] { return LibraryVersions.all.forEach(printLine) }
        if CompletionScript.write(for: arguments) { return }
        try ResourceLimits.check()
        if try StatusLine.printPlainly(arguments) { return }
        var command = try parse(arguments)
        // Otherwise each of many threads would keep its peak memory: a day of keys tripled it. A reload ends before
        // that matters, and its threads would wait for one another.
        if !(command is ReloadCommand) { csp_keep_memory_small() }
        try command.run()
    }

    /// Ends the process at once. `exit` would first tear down C libraries that other threads may still be using, such
    /// as libcurl.
    private static func end(with code: ExitCode) -> Never {
        var code = code
        if let fault = StandardOutput.flush(), code.isSuccess {
            // If the reader has closed the pipe, there is nothing to report.
            if fault != EPIPE { printError("tappa: can't write the output: \(String(cString: strerror(fault)))") }
            code = ExitStatus.inputOutput
        }
        _exit(code.rawValue)
    }
}
