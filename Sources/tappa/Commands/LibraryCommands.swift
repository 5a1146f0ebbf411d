import ArgumentParser
import Foundation
import LibraryKernel
import ModelCore

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the library for damage.",
        discussion:
            "Reads all pages, indexes, counters and values. Changes nothing. If there is damage, run 'tappa recover'.")

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        let findings = try LibraryCheck.run(library)
        guard findings.isEmpty else {
            for finding in findings { printLine(finding) }
            throw fail(
                "the library is damaged; 'tappa recover' copies what is readable into a new one", ExitStatus.badData)
        }
        printLine("no damage found")
    }
}

struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Copy what is readable in a damaged library into a new one.",
        discussion: """
            The new library takes the place of the damaged one, which is kept beside it under another name. With --output the \
            new one is written there and the damaged one stays where it is. Libraries that were set aside can be named with \
            --database. Feeds that run programs, and settings that name programs or folders, are disabled and listed.
            """)

    @Option(help: ArgumentHelp("Where to write the new library.", valueName: "file"))
    var output: String?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if options.inMemory { throw ValidationError("--in-memory has no library file to recover.") }
    }

    func run() throws {
        let path = options.path
        guard ["", "-wal"].contains(where: { FileManager.default.fileExists(atPath: path + $0) }) else {
            throw fail("no such library: \(path)", ExitStatus.noInput)
        }
        let target = output.map { UserFile.absolute($0) } ?? path + ".recovered"
        try LibraryReplacement.alone(at: path) {
            // What a killed command left there is incomplete.
            if output == nil { OpenedDatabase.delete(target) }
            try recover(path, into: target)
        }
    }

    private func recover(_ path: String, into target: String) throws {
        guard !FileManager.default.fileExists(atPath: target) else {
            throw fail("file exists: \(target)", ExitStatus.inputOutput)
        }
        let found: LibraryRecovery.Outcome
        do {
            found = try LibraryRecovery.recover(path, into: target)
        } catch {
            OpenedDatabase.delete(target)
            throw fail("can't recover anything: \(error)", error.exitCode)
        }
        for table in found.tables where table.rows > 0 || table.isPartial {
            printFields([table.table, "\(table.rows)", table.isPartial ? "in part" : "whole"])
        }
        if let message = found.switchedOff.message { printError("tappa: \(message)") }
        guard output == nil else { return printLine("written to \(target)") }
        let damaged = try LibraryReplacement.replace(path, by: target, as: "damaged")
        printLine("\(path) is the new library" + (damaged.map { "; the damaged one is now \($0)" } ?? ""))
    }
}
