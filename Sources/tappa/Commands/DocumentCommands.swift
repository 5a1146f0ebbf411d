import ArgumentParser
import FeedParsing
import Fetching
import Foundation
import LibraryKernel
import Platform

/// The maximum size of a compressed file's content in bytes.
private let maximumContent = 64 << 20

/// Reads a file, or standard input for `-`. The content of a compressed file (gzip) takes its place.
func inputData(_ file: String) throws(UserFile.Problem) -> Data {
    let data = file == "-" ? try UserFile.standardInput() : try UserFile.read(file)
    guard data.starts(with: CompressedDocument.signature) else { return data }
    let name = file == "-" ? "Standard input" : file
    do throws(FetchError) {
        let content = try CompressedDocument.content(of: Array(data), maximum: maximumContent)
        guard !content.isCut else { throw .failed("the compressed document is incomplete or damaged") }
        return Data(content.bytes)
    } catch {
        let reason = if case .failed(let reason) = error { reason } else { "\(error)" }
        throw UserFile.Problem(description: "\(name): \(reason)", fault: EBADMSG)
    }
}

/// Reads a file, or standard input for `-`, and ends the command with a message if that fails.
func readInput(_ file: String) throws -> Data {
    do throws(UserFile.Problem) {
        return try inputData(file)
    } catch {
        throw fail(error.inTheMiddle, error.exitCode)
    }
}

extension UserFile.Problem {
    /// 66 if there is no such file, 65 if its content is damaged, and 74 if it can't be read.
    var exitCode: ExitCode {
        switch fault {
        case ENOENT, ENOTDIR: ExitStatus.noInput
        case EBADMSG: ExitStatus.badData
        default: ExitStatus.inputOutput
        }
    }

    /// The description as it continues a sentence that starts with the program's name.
    var inTheMiddle: String {
        let isSentence = ["No such", "File exists", "Permission denied", "No program", "Standard input"].contains {
            description.hasPrefix($0)
        }
        return isSentence ? description.prefix(1).lowercased() + description.dropFirst() : description
    }
}

struct ParseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse", abstract: "Print a feed of any format as JSON Feed 1.1.")

    @Argument(help: ArgumentHelp("A file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The base address of relative links.", valueName: "url"))
    var base: String?

    @Option(help: ArgumentHelp("The HTTP content type with charset.", valueName: "type"))
    var contentType: String?

    func run() throws {
        do {
            // No variable for the data, which would keep a second copy of the file until the end.
            let reading = try FeedParser.parse(Array(try readInput(file)), contentType: contentType, base: base)
            try printJSON(JSONFeedDocument(reading))
            for problem in reading.problems { printError("tappa: \(file): \(problem)") }
        } catch let error as FeedError {
            throw fail("\(file): \(error)", ExitStatus.badData)
        }
    }
}
