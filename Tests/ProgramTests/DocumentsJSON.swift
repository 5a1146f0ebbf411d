import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import Testing

/// The guide's page on JSON output lists every key that commands print, and no other.
@Suite(.timeLimit(.minutes(10))) struct DocumentsJSON {
    private let temporary = TemporaryFolder()
    private var home: URL { temporary.url }
    private let server: LoopbackServer
    private let reader: ReaderServer

    init() throws {
        server = try LoopbackServer { request in
            switch request.path {
            case "/feed":
                .init(
                    """
                    {"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [7,
                    {"id": "1", "url": "https://n.example/1", "title": "First", "date_published": "2026-01-01T10:00:00Z",
                     "authors": [{"name": "Ann"}], "content_html": "<p>The story.</p>", "content_text": "The story.",
                     "attachments": [{"url": "http://127.0.0.1:1/1.mp3", "mime_type": "audio/mpeg"}]}]}
                    """, type: "application/feed+json")
            case "/1.mp3": .init(200, headers: ["Content-Type": "audio/mpeg"], body: Array(repeating: 7, count: 2000))
            case "/busy": .init(503, headers: ["Retry-After": "3600"])
            default: .init(404)
            }
        }
        reader = try ReaderServer()
        let feed = reader.addFeed("Remote", url: "https://example.org/feed")
        reader.addEntry("Entry", feed: feed)
    }

    private func tappa(_ arguments: String...) -> String { Program.tappa(arguments, home: home).output }

    /// The keys of all objects in the output, which is an array, or the object of a page.
    private func keys(_ output: String) throws -> Set<String> {
        let whole = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let objects = try whole as? [[String: Any]] ?? [#require(whole as? [String: Any])]
        let keys = Set(objects.flatMap(\.keys))
        #expect(keys.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "_") } })
        return keys
    }

    /// The documented keys by the first command of their section.
    private func documented() throws -> [String: Set<String>] {
        let file = Program.sources.appendingPathComponent("Sources/tappa/Guide.docc/JSON.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        var sections: [String: Set<String>] = [:]
        var command = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("`tappa "), let end = line.dropFirst().firstIndex(of: "`") {
                command = String(line[line.index(after: line.startIndex)..<end])
            } else if line.hasPrefix("| `"), let cell = line.dropFirst().split(separator: "|").first {
                sections[command, default: []].formUnion(
                    cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
            }
        }
        return sections
    }

    @Test func listsTheKeysOfEveryCommand() throws {
        try home.write(
            """
            [[rules]]
            name = "a"
            when = "story"
            then = ["tag t"]
            """, to: ".config/tappa/config.toml")
        var printed: [String: Set<String>] = [:]
        for path in ["/feed", "/none", "/busy"] { _ = tappa("add", "--as-is", "--folder", "F", server.url(path)) }
        try OtherProgram.makeFeedsDue(at: home.path + "/.local/share/tappa/library.sqlite")
        printed["tappa reload --json"] = try keys(tappa("reload", "--json")).union(keys(tappa("reload", "--json")))
        _ = tappa("rules", "apply", "a", "--yes")
        _ = tappa("tag", "1", "+t")
        _ = tappa("downloads", "add", server.url("/1.mp3"), server.url("/2.mp3"))
        _ = tappa("downloads", "run")
        printed["tappa list --json"] = try keys(tappa("list", "--json"))
        printed["tappa search --json"] = try keys(tappa("search", "--json", "story"))
            .union(keys(tappa("show", "--format", "json", "1")))
        // Only a query that a later version can't run leaves an error.
        try OtherProgram.execute(
            "UPDATE rule_tally SET error = 'no such query'", at: home.path + "/.local/share/tappa/library.sqlite")
        printed["tappa rules list --json"] = try keys(tappa("rules", "list", "--json"))
        printed["tappa downloads list --json"] = try keys(tappa("downloads", "list", "--json"))
        _ = tappa("account", "add", "home", reader.address, "--user", "alice", "--password-command", "echo secret")
        for number in 1...4 { _ = tappa("mark", "starred", "\(number)") }
        printed["tappa search --json"]?.formUnion(try keys(tappa("search", "--json", "title:entry")))
        reader.setFault { _ in .unavailable }
        _ = tappa("account", "sync")
        printed["tappa account list --json"] = try keys(tappa("account", "list", "--json"))
        printed["tappa account outbox --json"] = try keys(tappa("account", "outbox", "--json"))
        let words = String(
            repeating: "<p>Words of an article that is long enough, with commas, and sentences.</p>", count: 12)
        let page = try temporary.write(
            """
            <html lang="en"><head><title>A page</title><meta name=author content="Ann"><meta property="og:site_name" content="S">
            <meta property="article:published_time" content="2026-01-01T10:00:00Z">
            <meta property="article:modified_time" content="2026-01-02T10:00:00Z"></head>
            <body><article><h1>A page</h1>\(words)</article><a rel="next" href="/1?page=2">Next</a></body></html>
            """, to: "page.html")
        printed["tappa render --article --json"] = try keys(
            tappa("render", "--article", "--json", "--base", "https://a.example/1", page))

        let documented = try documented()
        #expect(Set(documented.keys) == Set(printed.keys))
        for (command, keys) in documented {
            let found = printed[command] ?? []
            #expect(found.subtracting(keys).isEmpty, "\(command) prints undocumented keys")
            #expect(keys.subtracting(found).isEmpty, "\(command) doesn't print documented keys")
        }
    }
}
