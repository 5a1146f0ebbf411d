import ArgumentParser
import Feeds
import LibraryKernel
import ModelCore

struct PruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Delete entries above the limits of the settings.",
        discussion: """
            The limits are 'feeds.keep-days' and 'feeds.keep-entries'. Starred and read-later entries stay. Every reload deletes \
            such entries, unless more than half of a feed or of the library would go at once; this command deletes those, too. \
            --undo restores what was deleted last, within a week.
            """)

    @Flag(help: "Restore the entries that were deleted last.")
    var undo = false

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        guard undo else {
            let settings = try options.settings(library, file: try options.configurationFile())
            return printLine(
                "deleted " + (try PruneCommand.prune(library, settings, isConfirmed: true)).count.countedOldEntries)
        }
        guard let id = try library.lastRetention() else {
            throw fail("no deletion of old entries is left to undo", ExitStatus.noInput)
        }
        printLine("restored " + (try library.carryOut(.undo(id))).count.countedOldEntries)
    }

    /// Deletes the entries above the limits of the settings.
    @discardableResult
    static func prune(_ library: Library, _ settings: Settings, isConfirmed: Bool) throws -> Receipt {
        let change = RetainEntries(
            days: settings[.keepDays], entries: settings[.keepEntries], isConfirmed: isConfirmed, now: .now)
        return try library.carryOut(Change(change))
    }

    /// Deletes the entries above the limits after a reload, and prints which ones wait.
    static func pruneAfterReload(_ library: Library, _ settings: Settings) throws {
        guard settings[.keepDays] > 0 || settings[.keepEntries] > 0 else { return }
        let waiting = try prune(library, settings, isConfirmed: false).heldEntries
        if let sentence = waiting.sentence { printError("tappa: \(sentence) 'tappa prune' deletes them.") }
    }
}

extension Int {
    fileprivate var countedOldEntries: String { counted("old entry", "old entries") }
}
