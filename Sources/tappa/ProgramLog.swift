import ArgumentParser
import Foundation
import Logging
import TerminalText

/// What the program notes of a run: in a file of the state directory, with nothing private in it.
enum ProgramLog {
    /// How much is noted, of the levels of swift-log.
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

    /// The option of the commands that note something.
    struct Options: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The log level (\(FileLocations.logWords)): debug, info, warning or error.",
                valueName: "level"))
        var logLevel = Level.warning

        /// A log for a command; its file is opened when there is something to note.
        func logger(_ label: String) -> Logger {
            var logger = Logger(label: label) { (label: String) -> any LogHandler in
                if let file = FileLog(label: label) { return file }
                return SwiftLogNoOpLogHandler()
            }
            logger.logLevel = logLevel.level
            return logger
        }
    }

    /// A sentence without what is private: of addresses the host alone stays, and the home folder is `~`.
    static func withoutPrivateParts(_ sentence: String) -> String {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let text = home.count > 1 ? sentence.replacing(home, with: "~") : sentence
        var result = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let authority = rest.prefix { !"/?# \t'\"".contains($0) }
            rest = rest[authority.endIndex...]
            // What stands before an @ is a name and a password.
            result += authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            let path = rest.prefix { !" \t'\"".contains($0) }
            rest = rest[path.endIndex...]
            if path.count > 1 { result += "/…" }
        }
        return Sanitizer.sanitize(result + rest)
    }
}
