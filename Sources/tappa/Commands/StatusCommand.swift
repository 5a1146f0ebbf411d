import ArgumentParser
import Configuration
import Foundation
import LibraryKernel
import Platform

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print a line for a status bar.",
        discussion:
            """
            Fields of the format:
            \(StatusLine.fields.map { "  \($0.name)  \($0.meaning)" }.joined(separator: "\n"))

            Examples:
              tappa status
              tappa status --format '{unread} new, {errors} failed'
              tappa status --follow            a line at each change
            """)

    @Option(help: ArgumentHelp("The format, with fields in braces.", valueName: "format"))
    var format = StatusLine.standardFormat

    @Flag(help: "Keep running and print a new line whenever it changes.")
    var follow = false

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if let name = StatusLine(format: format).unknownField {
            let known = StatusLine.fields.map(\.name).joined(separator: ", ")
            throw ValidationError("'\(name)' isn't a field of the format; the fields are \(known).")
        }
    }

    func run() throws {
        try options.requireNamedLibrary()
        let line = StatusLine(format: format)
        // Only requested fields are read, because a status line is printed every few seconds, all day.
        let library = try line.asksForStage ? options.openLibraryWithRaces().library : options.openForReading()
        let first = try line.text(library)
        printText(first)
        guard follow else { return }
        guard let path = library.path else { throw fail("--follow needs a library file", ExitStatus.usage) }
        try wait(for: URL(fileURLWithPath: path), library, line, first)
    }

    /// Prints the line after each change of the library by any program, and when the day or minute changes it. Ends
    /// when the output is closed.
    private func wait(for url: URL, _ library: Library, _ line: StatusLine, _ first: String) throws {
        let hasChanged = Semaphore()
        let name = url.lastPathComponent
        let watch = DirectoryWatch([url.deletingLastPathComponent().path], on: .global()) { names in
            if names.contains(where: { $0.hasPrefix(name) }) { hasChanged.signal() }
        }
        guard watch != nil else { throw fail("this system doesn't report file changes", ExitStatus.unavailable) }
        var last = first
        while StandardOutput.flush() == nil {
            // Without a dashboard, nobody else shows what was held back.
            let next = (try? library.races.nextRelease()) ?? nil
            let pause = next.map { $0.seconds(since: .now).limited(1, 60) } ?? 60
            hasChanged.wait(atMost: .seconds(pause))
            if next != nil { try? runBlocking { try await library.releaseHeldStages(at: .now) } }
            // Combines changes within a short time.
            Stopwatch.pause(for: .milliseconds(100))
            while hasChanged.wait(atMost: .zero) {}
            let now = try line.text(library)
            guard now != last else { continue }
            last = now
            printText(now)
        }
    }
}
