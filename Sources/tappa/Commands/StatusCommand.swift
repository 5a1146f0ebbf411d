import ArgumentParser
import Configuration
import Foundation
import ModelCore

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

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibraryWithRaces().library
        do {
            let feeds = try library.subscriptions()
            let line = format.replacing("{unread}", with: String(try library.unreadCount()))
                .replacing("{feeds}", with: String(feeds.count))
                .replacing("{pending}", with: String(try library.pendingCount()))
                .replacing("{stage}", with: try stage(library))
                .replacing("{errors}", with: String(feeds.filter { $0.error != nil }.count))
            // tmux reads # as the beginning of a format.
            printLine(line.replacing("#", with: "##"))
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
