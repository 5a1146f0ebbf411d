import CommonTesting
import Foundation
import LibraryTesting
import Testing

/// Every command of the guide's recipes runs for a new entry, with programs that note what they get.
@Suite(.timeLimit(.minutes(5))) struct RunsTheRecipes: ProgramSuite {
    let temporary = TemporaryFolder()

    /// The examples of configuration in the page, as one file.
    private static func recipes() throws -> String {
        let page = Program.sources.appendingPathComponent("Sources/tappa/Guide.docc/Recipes.md")
        return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```toml\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }.joined(separator: "\n")
    }

    @Test func runsEachCommand() throws {
        let recipes = try Self.recipes()
        let names = recipes.matches(of: /\[\[commands\]\]\nname = "([^"]+)"/).map { String($0.1) }
        #expect(names.count >= 10)
        try FileManager.default.createDirectory(
            at: home.appendingPathComponent("bin"), withIntermediateDirectories: true)
        for program in ["trans", "llm", "espeak-ng", "curl", "jq", "karakeep", "wallabag", "pandoc"] {
            _ = try temporary.script(
                "bin/" + program,
                "words=$(printf ' [%s]' \"$@\") text=$(cat); printf '%s\\n' \"\(program)$words < $text\" >>\"$HOME/notes\""
            )
        }
        let rule = "\n[[rules]]\nname = \"all\"\nwhen = \"title:new\"\nthen = ["
        try home.write(
            (recipes + rule + names.map { "\"run \($0)\"" }.joined(separator: ", ") + "]\n"),
            to: ".config/tappa/config.toml")
        let feed = """
            <rss version="2.0"><channel><title>News</title><item><guid>NUMBER</guid><title>It's "new"; $(touch pwned)</title>
            <link>https://a.example/?a=NUMBER&amp;b=2</link><description>&lt;p&gt;Its text&lt;/p&gt;</description></item>
            </channel></rss>
            """
        // Commands run for entries that arrive after the feed was added.
        try home.write(feed.replacing("NUMBER", with: "1"), to: "feed.xml")
        try home.write(feed.replacing("NUMBER", with: "2"), to: "next.xml")
        let start = "cd \"$HOME\"; PATH=\"$HOME/bin:$PATH\"; export PATH; \"$0\" "
        #expect(shell(start + "add --as-is \"file://$HOME/feed.xml\"").errors == "")
        #expect(shell(start + "reload").errors == "")
        try FileManager.default.removeItem(at: home.appendingPathComponent("feed.xml"))
        try FileManager.default.moveItem(
            at: home.appendingPathComponent("next.xml"), to: home.appendingPathComponent("feed.xml"))
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        #expect(shell(start + "reload").errors == "")
        let notes = try String(contentsOf: home.appendingPathComponent("notes"), encoding: .utf8)
        let title = #"It's "new"; $(touch pwned)"#
        let link = "https://a.example/?a=2&b=2"
        for expected in [
            "trans [-b] [:en] < ", "llm [Summarize this article in three sentences.] < ", "espeak-ng [--stdin] < ",
            "[--form-string] [url=\(link)] [https://readeck.example.org/api/bookmarks] < ",
            "jq [-n] [--arg] [url] [\(link)] [--arg] [title] [\(title)] [{url: $url, title: $title}] < ",
            "[--json] [@-] [https://links.example.org/api/bookmarks/] < ",
            "karakeep [bookmarks] [add] [--link] [\(link)] < ", "wallabag [add] [\(link)] < ",
            "[--netrc] [--data-urlencode] [url=\(link)] [--data-urlencode] [title=\(title)]",
            "[--data-urlencode] [url=\(link)] [https://web.archive.org/save]",
            "pandoc [--from=html] [--metadata=title:\(title)] [--output=\(home.path)/articles/",
        ] {
            #expect(notes.contains(expected), "\(expected)\n\(notes)")
        }
        #expect(notes.contains("Its text"))
        let folder = home.appendingPathComponent("Maildir/new")
        let mail = try #require(
            FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).first)
        let message = try String(contentsOf: mail, encoding: .utf8)
        #expect(message.hasPrefix("From: News <tappa@localhost>\nSubject: \(title)\nDate: "), "\(message)")
        #expect(message.contains("charset=utf-8\n\n<p>\(link)</p>\n") && message.contains("Its text"), "\(message)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/pwned"))
    }
}
