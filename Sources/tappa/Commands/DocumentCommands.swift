import ArgumentParser
import ArticleRendering
import FeedParsing
import Foundation
import TerminalText

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

/// Prints an article as text.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Print an article's HTML as readable text.")

    @Argument(help: ArgumentHelp("A file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("Columns of a line, 1 to 1000.", valueName: "n"))
    var width = 80

    @Option(help: ArgumentHelp("The address that relative links are resolved against.", valueName: "url"))
    var base: String?

    func validate() throws {
        guard (1...1000).contains(width) else { throw ValidationError("--width is a number from 1 to 1000.") }
    }

    func run() throws {
        let html = String(decoding: try readInput(file), as: UTF8.self)
        let article = HTMLRenderer.render(html, base: base)
        for paragraph in article.paragraphsWithLinks {
            for line in paragraph.lines(columns: width) { print(line.string) }
        }
    }
}
