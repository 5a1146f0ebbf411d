import FeedParsing
import Foundation

/// What of another program's configuration is read, and what of it is shown.
extension NewsboatConfiguration {
    /// The maximum size of a file in bytes, of a line, and the maximum number of lines of all files.
    private static let (maximumBytes, maximumLine, maximumLines) = (1 << 20, 4 << 10, 2000)

    /// Returns each line within the limits, and reports the others.
    mutating func limitedLines(_ text: String) -> [Line] {
        if text.utf8.count > NewsboatConfiguration.maximumBytes {
            left.append("what follows the first \(NewsboatConfiguration.maximumBytes >> 20) MiB of a file: too long")
        }
        let head = ImportedText.limited(text, to: NewsboatConfiguration.maximumBytes)
        let fitting = NewsboatConfiguration.lines(head).filter { line in
            let isFitting = line.words.reduce(0) { $0 + $1.utf8.count + 1 } <= NewsboatConfiguration.maximumLine
            if !isFitting {
                left.append(
                    "\(ImportedText.shown(line.words[0])): longer than \(NewsboatConfiguration.maximumLine >> 10) KiB")
            }
            return isFitting
        }
        let room = max(0, NewsboatConfiguration.maximumLines - lineCount)
        if fitting.count > room {
            left.append("what follows the first \(NewsboatConfiguration.maximumLines) lines: too many")
        }
        lineCount += min(fitting.count, room)
        return Array(fitting.prefix(room))
    }

    /// Returns the text of a line without what may be a secret: the credentials of addresses, and what follows a name
    /// such as `ttrss-password` or `--token`.
    package static func shown(_ words: [String]) -> String {
        let line = ImportedText.withoutCredentials(words.joined(separator: " "))
        let name = line.split { $0.isWhitespace || "=:;,\"'?&".contains($0) }.first { part in
            part.endIndex < line.endIndex && isSecretive(String(part))
        }
        if let name { return line[..<name.endIndex] + " …" }
        // Credentials of a proxy or for a server, without a scheme.
        let login = line.split(whereSeparator: \.isWhitespace).first { word in
            word.firstIndex(of: "@").map { word[..<$0].contains(":") && !word[..<$0].contains("//") } ?? false
        }
        return login.map { line[..<$0.startIndex] + "…" } ?? line
    }

    private static func isSecretive(_ name: String) -> Bool {
        ["-u", "--user"].contains(name) || ImportedText.isSecretive(name)
    }
}
