import ArgumentParser
import Configuration
import Foundation
import ModelCore
import TerminalText

/// Prints one line for a status bar.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print one line for tmux's status bar.",
        discussion:
            """
            In the format {unread}, {feeds} and {errors} stand for numbers, {stage} for today's stage or the next, {pending} \
            for changes that wait to be sent to servers.
            """)

    @Option(help: ArgumentHelp("The line, with names in braces.", valueName: "format"))
    var format = "{unread} unread"

    @Flag(help: "Go on, and print the line anew whenever it has changed.")
    var follow = false

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibraryWithRaces(toleratesMistakes: true).library
        let first = try line(library)
        write(first)
        guard follow else { return try options.end(mistakesOf: options.configurationFile(tolerates: true)) }
        guard let path = library.path else { throw fail("a library in memory does not change", ExitStatus.usage) }
        try wait(for: URL(fileURLWithPath: path), library, first)
    }

    /// Prints the line at each change of the library, by whatever program, and when a day or a minute has made another of it.
    private func wait(for url: URL, _ library: Library, _ first: String) throws -> Never {
        let hasChanged = DispatchSemaphore(value: 0)
        let name = url.lastPathComponent
        let watch = DirectoryWatch([url.deletingLastPathComponent().path], on: .global()) { names in
            if names.contains(where: { $0.hasPrefix(name) }) { hasChanged.signal() }
        }
        guard watch != nil else { throw fail("the kernel does not tell of changes here", ExitStatus.unavailable) }
        var last = first
        while true {
            _ = hasChanged.wait(timeout: .now() + .seconds(60))
            // What comes together is told together.
            usleep(100_000)
            while hasChanged.wait(timeout: .now()) == .success {}
            let now = try line(library)
            guard now != last else { continue }
            last = now
            write(now)
        }
    }

    /// Whoever listens has it at once.
    private func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private func line(_ library: Library) throws -> String {
        do {
            let feeds = try library.subscriptions()
            let line = format.replacing("{unread}", with: String(try library.unreadCount()))
                .replacing("{feeds}", with: String(feeds.count))
                .replacing("{pending}", with: String(try library.pendingCount()))
                .replacing("{stage}", with: try stage(library))
                .replacing("{errors}", with: String(feeds.filter { $0.error != nil }.count))
            // tmux reads # as the beginning of a format.
            return Sanitizer.sanitize(line.replacing("#", with: "##"))
        } catch {
            throw fail("\(error)", error.exitCode)
        }
    }
}

extension StatusCommand {
    /// Today's stage, or the next one of any race and in how many days it is; empty when none is to come.
    private func stage(_ library: Library) throws(LibraryError) -> String {
        guard format.contains("{stage}") else { return "" }
        // The day that it is here.
        let now = Int64(Date().timeIntervalSince1970)
        var local = tm()
        var seconds = time_t(now)
        localtime_r(&seconds, &local)
        let today = CalendarDay(number: (now + Int64(local.tm_gmtoff)) / 86_400)
        guard let coming = try library.nextStage(from: today) else { return "" }
        let text = "\(coming.raceName) \(coming.stage.number): \(coming.stage.route)"
        let days = coming.day.number - today.number
        return (days == 0 ? "today: " : days == 1 ? "tomorrow: " : "in \(days) days: ") + text
    }
}
