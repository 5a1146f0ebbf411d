import FeedParsing
import Fetching
import ModelCore
import Pictures
import TerminalUI

/// The libraries that the program stands on, with the versions that it found here.
enum LibraryVersions {
    /// A line for each library.
    static var lines: [String] {
        [FeedParser.libraryVersion, ProgramVersion.libcurl ?? "libcurl is missing"] + Library.libraryVersions
            + [NcursesTerminal.libraryVersion] + PictureDecoder.libraryVersions
    }

    /// What `--version` prints: the program's own first.
    static func tell() {
        printLine("tappa \(ProgramVersion.number)")
        for line in lines { printLine(line) }
    }
}
