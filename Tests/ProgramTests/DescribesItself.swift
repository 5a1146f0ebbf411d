import CommonTesting
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import Testing

@testable import tappa

/// The program's descriptions of itself: versions, help, the status line, its log.
@Suite struct DescribesItself: ProgramSuite {
    let temporary = TemporaryFolder()

    @Test func definesTheVersionOnce() throws {
        let told = tappa("--version").output.split(separator: "\n").map(String.init)
        let number = try #require(told.first?.split(separator: " ").dropFirst().first)
        #expect(told.first?.wholeMatch(of: /tappa \d+\.\d+\.\d+( of \d{4}-\d\d-\d\d)?/) != nil)
        for library in ["libxml2 ", "libcurl/", "SQLite 3", "PCRE2 ", "Zstandard ", "ncurses ", "libspng ", "libwebp "]
        {
            #expect(told.contains { $0.hasPrefix(library) && $0.contains(".") }, "\(library)")
        }
        #expect(tappa("list", "--version").output.contains(number))
    }

    @Test func helpHasExamples() throws {
        for command in [[], ["add"], ["reload"], ["search"], ["import"], ["status"], ["config"], ["show"]] {
            #expect(tappa(command + ["--help"]).output.contains("Examples:\n  tappa"), "\(command)")
        }
    }

    /// The quick and the complete path print the same; only requested parts are looked up.
    @Test func printsTheSameStatusEitherWay() async throws {
        let folder = TemporaryFolder()
        let database = folder.url.appendingPathComponent("library.sqlite").path
        do {
            let library = try Library(path: database)
            _ = try await library.follow("https://one.example/feed")
        }
        let configuration = folder.url.appendingPathComponent("config.toml").path
        try Data("[feeds]\nrefresh = 30\n".utf8).write(to: URL(fileURLWithPath: configuration))
        for format in ["{unread} unread", "{feeds}/{errors}/{pending} #x", "none", ""] {
            let plain = tappa("status", "--format", format, "--database", database)
            let whole = tappa("status", "--format", format, "--database", database, "--config", configuration)
            #expect(plain.output == whole.output && plain.code == 0 && whole.code == 0, "\(format)")
            if format.contains("{feeds}") { #expect(plain.output == "1/0/0 ##x\n", "the named library has one feed") }
        }
        #expect(tappa("status", "--format", "{feeds}", "--database", database).output == "1\n")
        // Errors in the configuration come after the line, on both paths.
        try home.write("[feeds]\nrefesh = 30\n", to: ".config/tappa/config.toml")
        for words in [["--format", "{feeds}"], ["--format={feeds}"]] {
            let told = tappa(["status"] + words + ["--database", database])
            #expect(told.output == "1\n" && told.code == 0 && told.errors.contains("feeds.refresh"), "\(words)")
        }
        #expect(tappa("status", "--format").code == 64)
        #expect(tappa("status", "--fromat", "x").code == 64)
    }

    @Test func logsNothingPrivate() throws {
        let cases = [
            ("https://user:word@example.org/feed?token=1 is refused", "https://example.org/… is refused"),
            ("see 'http://h.example/a b' and file:///home/x", "see 'http://h.example/… b' and file:///…"),
            ("nothing", "nothing"), ("https://h.example", "https://h.example"),
        ]
        for (sentence, expected) in cases { #expect(ProgramLog.withoutPrivateParts(sentence) == expected) }
        let log = home.appendingPathComponent(".local/state/tappa/tappa.log").path
        let database = home.appendingPathComponent("l.sqlite").path
        let feed = "http://alice:secret@127.0.0.1:1/private-path"
        _ = tappa("add", "--as-is", feed, "--database", database)
        try OtherProgram.makeFeedsDue(at: database)
        _ = tappa("reload", "--database", database)
        let noted = try String(contentsOfFile: log, encoding: .utf8)
        #expect(noted.contains("warning reload: http://127.0.0.1:1/…"))
        #expect(!noted.contains("secret") && !noted.contains("private-path") && !noted.contains("info"))
        try OtherProgram.makeFeedsDue(at: database)
        _ = tappa("reload", "--log-level", "info", "--database", database)
        #expect(
            try String(contentsOfFile: log, encoding: .utf8).contains("info reload: 1 feed, 0 new entries, 1 failed"))
    }
}
