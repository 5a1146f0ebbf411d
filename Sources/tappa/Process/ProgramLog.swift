import ArgumentParser
import Foundation
import Logging
import TerminalText
import WebAddresses

/// The log of the program, in the state directory and without private data.
enum ProgramLog {
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case debug, info, warning, error

        var level: Logger.Level {
            switch self {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        }
    }

    /// The options of commands that write to the log.
    struct Options: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The log level (\(FileLocations.logWords)): debug, info, warning or error.",
                valueName: "level"))
        var logLevel = Level.warning

        /// Returns a logger for a command. The file is opened with the first line.
        func logger(_ label: String) -> Logger {
            var logger = Logger(label: label) { (label: String) -> any LogHandler in
                if let file = FileLog(label: label) { return file }
                return SwiftLogNoOpLogHandler()
            }
            logger.logLevel = logLevel.level
            return logger
        }
    }

    /// Returns a message without private parts: addresses are reduced to their host, and the home directory becomes
    /// `~`.
    static func withoutPrivateParts(_ sentence: String) -> String {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let text = home.count > 1 ? sentence.replacing(home, with: "~") : sentence
        var result = ""
        var rest = text[...]
        while let found = WrittenAddress(rest)?.afterScheme {
            result += rest[..<found.startIndex]
            rest = found
            let end = rest.firstIndex { " \t'\"".contains($0) } ?? rest.endIndex
            let address = WrittenAddress(afterSlashes: rest[..<end])
            rest = rest[end...]
            // The part before an @ contains credentials.
            result += address.hostAndPort
            if address.rest.utf8.count > 1 { result += "/…" }
        }
        return Sanitizer.sanitize(result + rest)
    }
}
