import ArgumentParser
import Foundation
import LibraryKernel
import ModelCore

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a complete copy of the library to a file.",
        discussion: """
            Dashboards can keep running; the copy is consistent. It doesn't contain passwords, which are in a file next to the \
            library.
            """)

    @Argument(help: ArgumentHelp("The new file; it must not exist.", valueName: "file"))
    var file: String

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let target = UserFile.absolute(file)
        guard !FileManager.default.fileExists(atPath: target) else {
            throw fail("file exists: \(target)", ExitStatus.inputOutput)
        }
        let library = try options.openLibrary()
        do {
            let size = try library.backUp(to: target)
            printLine("wrote \(target), \(ByteCount.text(Int64(size)))")
        } catch {
            throw fail("can't write the backup: \(error)", error.exitCode)
        }
        let damaged = try LibraryCheck.damagedTexts(library)
        guard damaged.isEmpty else {
            throw fail(
                "the copy is as damaged as the library: \(damaged.joined(separator: ", ")); "
                    + "'tappa recover' copies what is readable into a new one", ExitStatus.badData)
        }
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the library with a backup.",
        discussion: """
            The previous library is renamed and stays next to it. Quit dashboards first; those that still run stop storing changes. \
            tappa disables and lists feeds that run programs, and settings that name programs or folders.
            """)

    @Argument(help: ArgumentHelp("A file written by 'tappa backup'.", valueName: "file"))
    var file: String

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if options.inMemory { throw ValidationError("--in-memory has no library file to restore to.") }
    }

    func run() throws {
        let source = UserFile.expanded(file)
        guard FileManager.default.fileExists(atPath: source) else {
            throw fail("no such file: \(source)", ExitStatus.noInput)
        }
        let path = options.path
        PrivateFile.makeFolder(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, isOwn: options.database == nil)
        try LibraryReplacement.alone(at: path) { try replace(path, by: source) }
    }

    private func replace(_ path: String, by source: String) throws {
        let target = path + ".restored"
        OpenedDatabase.delete(target)
        let counts: Library.Restored
        do {
            counts = try Library.copy(backup: source, to: target)
        } catch {
            OpenedDatabase.delete(target)
            throw fail("\(source) is not a usable backup: \(error)", error.exitCode)
        }
        let previous = try LibraryReplacement.replace(path, by: target, as: "previous")
        printLine(
            "\(path) has \(counts.feeds.counted("feed")) and \(counts.entries.countedEntries)"
                + (previous.map { "; the previous library is now \($0)" } ?? ""))
        if let message = counts.switchedOff.message { printError("tappa: \(message)") }
    }
}
