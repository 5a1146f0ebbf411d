import FeedParsing
import Fetching
import LibraryKernel
import ModelCore
import Pictures
import TerminalUI

/// The versions of the libraries that the program uses on this machine.
enum LibraryVersions {
    static var lines: [String] {
        [FeedParser.libraryVersion, ProgramVersion.libcurl ?? "libcurl is missing"] + Library.libraryVersions
            + [NcursesTerminal.libraryVersion] + PictureDecoder.libraryVersions
    }

    /// The output of `--version`, starting with the program's own.
    static var all: [String] {
        let build = BuildID.current
        let date = build.flatMap(BuildID.date).map { " of \($0.text)" } ?? ""
        return ["tappa \(ProgramVersion.number)\(date)"] + (build.map { ["build \($0)"] } ?? []) + lines
    }
}
