import ArgumentParser
import Foundation
import ModelCore

/// Writes a copy of the library.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a copy of the library that stands alone.",
        discussion: """
            It may be made while dashboards run: it is the library of one moment. Passwords are not in it; they lie in a file \
            beside the library, or where their commands have them.
            """)

    @Argument(help: ArgumentHelp("Where to write it; nothing may be there.", valueName: "file"))
    var file: String

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let target = UserFile.expanded(file)
        guard !FileManager.default.fileExists(atPath: target) else {
            throw fail("there is already a file \(target)", ExitStatus.inputOutput)
        }
        let library = try options.openLibrary()
        do {
            let size = try library.backUp(to: target)
            printLine("wrote \(target), \(ByteCount.text(Int64(size)))")
        } catch {
            throw fail("the backup could not be written: \(error)", error.exitCode)
        }
    }
}

/// Puts a copy of the library into its place.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup into the place of the library.",
        discussion: """
            The library that was there is kept beside it under another name. Dashboards that run on it have to be left first; \
            they notice, and change nothing any more. Feeds that run programs, and settings that name programs or folders, are \
            switched off and listed.
            """)

    @Argument(help: ArgumentHelp("A file that 'tappa backup' has written.", valueName: "file"))
    var file: String

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if options.inMemory { throw ValidationError("--in-memory has nothing to restore into.") }
    }

    func run() throws {
        let source = UserFile.expanded(file)
        guard FileManager.default.fileExists(atPath: source) else {
            throw fail("there is no file \(source)", ExitStatus.noInput)
        }
        let path = options.database ?? FileLocations.database
        PrivateFile.makeFolder(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, isOwn: options.database == nil)
        let target = path + ".restored"
        for suffix in ["", "-wal", "-shm"] { unlink(target + suffix) }
        let counts: Library.Restored
        do {
            counts = try Library.copy(backup: source, to: target)
        } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(target + suffix) }
            throw fail("\(source) is no backup that can be used: \(error)", error.exitCode)
        }
        let isThere = ["", "-wal"].contains { FileManager.default.fileExists(atPath: path + $0) }
        var aside: String?
        if isThere {
            guard let name = Quarantine.library(path, isOwn: true, as: "previous") else {
                throw fail("the library \(path) could not be set aside", ExitStatus.inputOutput)
            }
            aside = name
        }
        guard rename(target, path) == 0 else {
            throw fail("the backup is \(target); it could not take the place of \(path)", ExitStatus.inputOutput)
        }
        for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
        printLine(
            "\(path) has \(counts.feeds.counted("feed")) and \(counts.entries.countedEntries)"
                + (aside.map { "; the one before is kept as \($0)" } ?? ""))
        if let message = counts.switchedOff.message { printError("tappa: \(message)") }
    }
}
