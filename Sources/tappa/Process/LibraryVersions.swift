import FeedParsing
import Fetching
import LibraryKernel
import ModelCore
import Pictures
import TerminalUI

/// The versions of the libraries that the program uses on this machine.
enum LibraryVersions {
    /// A line for each library.
    static var lines: [String] {
        [FeedParser.libraryVersion, ProgramVersion.libcurl ?? "libcurl is missing"] + Library.libraryVersions
            + [NcursesTerminal.libraryVersion] + PictureDecoder.libraryVersions
    }

    /// The output of `--version`, starting with the program's own.
    static var all: [String] {
        ["tappa \(ProgramVersion.number) of \(ProgramVersion.date)"] + (BuildID.current.map { ["build \($0)"] } ?? [])
            + lines
    }
}
