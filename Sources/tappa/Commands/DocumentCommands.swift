import ArgumentParser
import FeedParsing
import Foundation

/// Reads a file, or standard input for `-`.
func readInput(_ file: String) throws -> Data {
    if file == "-" { return FileHandle.standardInput.readDataToEndOfFile() }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) else {
        throw fail("there is no file \(file)", ExitStatus.noInput)
    }
    // Pipes and devices have no size to go by: they are read to their end.
    guard !isDirectory.boolValue, let handle = FileHandle(forReadingAtPath: file) else {
        throw fail("\(file) cannot be read", ExitStatus.inputOutput)
    }
    do {
        return try handle.readToEnd() ?? Data()
    } catch {
        throw fail("\(file) cannot be read", ExitStatus.inputOutput)
    }
}

/// Prints a feed as JSON Feed.
struct ParseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Print a feed of any format as JSON Feed 1.1.")

    @Argument(help: ArgumentHelp("A file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The address that relative links are resolved against.", valueName: "url"))
    var base: String?

    @Option(help: ArgumentHelp("The HTTP content type, with its charset.", valueName: "type"))
    var contentType: String?

    func run() throws {
        let data = try readInput(file)
        do {
            let reading = try FeedParser.parse(Array(data), contentType: contentType, base: base)
            let json = try JSONFeedWriter.write(reading)
            printJSON(encoded: json + Data("\n".utf8))
            for problem in reading.problems { printError("tappa: \(file): \(problem)") }
        } catch let error as FeedError {
            throw fail("\(file): \(error)", ExitStatus.badData)
        }
    }
}
