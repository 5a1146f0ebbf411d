import ArgumentParser
import FeedParsing
import Foundation
import ModelCore

/// Takes over subscriptions from another program.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Follow the feeds of an OPML file, newsboat's urls or newsraft's feeds file.")

    @Argument(help: ArgumentHelp("The file, or - for the standard input.", valueName: "file"))
    var file: String

    @Flag(help: "Do not ask, however many there are.")
    var yes = false

    @OptionGroup var options: LibraryOptions

    /// More than this many feeds are asked about (limits of what comes from outside).
    private static let unasked = 1000

    func run() throws {
        let bytes = Array(try readInput(file))
        let list: [ListedSubscription]
        do {
            let reading = try SubscriptionFiles().read(bytes)
            list = reading.list
            for problem in reading.problems { printError("\(file): \(problem)") }
            if list.isEmpty, !reading.problems.isEmpty {
                throw fail("\(file): no feed could be read", ExitStatus.badData)
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            throw fail("\(file): \(error)", ExitStatus.badData)
        }
        if list.count > ImportCommand.unasked, !yes {
            guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
                throw fail("\(file) has \(list.count) feeds; use --yes to follow them all", ExitStatus.badData)
            }
            printLine("\(file) has \(list.count) feeds. Follow them all? y/n")
            guard readLine()?.lowercased().hasPrefix("y") == true else { return }
        }
        let library = try options.openLibrary()
        let now = Int64(Date().timeIntervalSince1970)
        let receipt = try library.carryOut(.subscribe(list.map { NewSubscription($0) }, now: now))
        let known = receipt.subscriptions.count - receipt.count
        printLine("added \(receipt.count)" + (known > 0 ? ", already there: \(known)" : ""))
    }
}

/// Prints the subscriptions for other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the subscriptions as OPML 2.0.")

    @OptionGroup var options: LibraryOptions

    func run() throws {
        let library = try options.openLibrary()
        do {
            let date = Timestamp.rfc822(Int64(Date().timeIntervalSince1970))
            let text = OPMLWriter.write(try library.subscriptionList(), title: "tappa", date: date)
            FileHandle.standardOutput.write(Data(text.utf8))
        } catch {
            throw fail("\(error)", error.exitCode)
        }
    }
}
