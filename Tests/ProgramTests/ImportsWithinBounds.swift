import CSpawn
import CommonTesting
import Foundation
import LibraryKernel
import ModelCore
import Testing

/// What an import prints and stores of files that are large or contain passwords.
@Suite struct ImportsWithinBounds: ProgramSuite {
    let temporary = TemporaryFolder()

    /// Passwords appear neither as values of settings nor in addresses, whether they are imported or not.
    @Test func printsNoPasswords() throws {
        try temporary.write(
            """
            http://me:hush@a.example/feed "~A"
            gopher://me:hush@a.example/
            "query:x:link = \\"http://me:hush@a.example/\\" and articleindex < 3"
            "filter:/bin/cat:http://me:hush@a.example/"
            """, to: "newsboat/urls")
        try temporary.write(
            """
            urls-source "ttrss"
            ttrss-login "me"
            ttrss-password "hush"
            ttrss-passwordeval "gpg hush"
            miniflux-token hush
            cookie-cache ~/hush
            http-auth-method hush
            proxy-auth me:hush
            proxy me:hush@b.example:8080
            no-such-setting hush
            browser "w3m http://me:hush@b.example/%u"
            bookmark-cmd "~/bm --password hush"
            """, to: "newsboat/config")
        try temporary.write(
            """
            @ Private < proxy-auth me:hush; user-agent hush
            http://me:hush@a.example/feed "A" { set proxy-auth me:hush; set reload-period 5 }
            """, to: "newsraft/feeds")
        try temporary.write(
            "set proxy-auth me:hush\nset open-in-browser-command \"w3m http://me:hush@b.example/\"\n",
            to: "newsraft/config")
        try temporary.write(
            """
            <opml><body><outline type="rss" xmlUrl="http://a.example:x/" username="me" password="hush"/>
            <outline type="rss" xmlUrl="http://b.example/" username="me" password="hush" filtercmd="cat"/></body></opml>
            """, to: "liferea.opml")
        for name in ["newsboat", "newsraft", "liferea.opml"] {
            for allowed in ["--programs", "--no-programs", nil] {
                let arguments = ["import", temporary.path(name)] + [allowed].compactMap { $0 }
                let result = tappa(arguments)
                #expect(!result.output.isEmpty)
                #expect(!(result.output + result.errors).contains("hush"), "\(name): \(result)")
            }
        }
        let told = tappa("import", temporary.path("newsboat"))
        #expect(told.output.contains("skipped: ttrss-password: no equivalent\n"))
        #expect(told.errors.contains("gopher://…@a.example/"))
    }

    /// Addresses, titles, folders, tags and queries have the limits of feeds, and what was left out is said briefly.
    @Test func limitsWhatAListContains() throws {
        let long = String(repeating: "x", count: 100_000)
        let tags = (0..<150).map { "t\($0)" }.joined(separator: ",")
        let folders = String(repeating: "<outline text='\(String(repeating: "f", count: 500))'>", count: 5)
        let ends = String(repeating: "</outline>", count: 5)
        try temporary.write(
            """
            <opml><body><outline xmlUrl='https://a.example/\(long)' title='A'/>
            <outline xmlUrl='https://b.example/' title='\(long)' htmlUrl='https://b.example/\(long)' category='\(tags)'/>
            \(folders)<outline xmlUrl='https://c.example/' title='C'/>\(ends)
            <outline type='vfolder' title='S'><outline type='rule' rule='exact' value='\(long)'/></outline>
            \((0..<200).map { "<outline xmlUrl='\($0)\(long)'/>" }.joined())</body></opml>
            """, to: "list.opml")
        let result = tappa("import", temporary.path("list.opml"))
        #expect(result.code == 0 && result.output.contains("added 2\n"), "\(result)")
        #expect(result.output.utf8.count + result.errors.utf8.count < 20_000)
        for sentence in [
            "list.opml: an address is longer than 8 KiB: https://a.example/xxx",
            "list.opml: https://b.example/ was imported without the end of its title, the address of its page, 50 tags\n",
            "list.opml: https://c.example/ was imported without the end of its folder's name\n",
            "list.opml: the query 'S' is too long\n", "and 154 more\n",
        ] { #expect(result.errors.contains(sentence), "\(sentence): \(result.errors)") }
        let library = try Library(path: temporary.path(".local/share/tappa/library.sqlite"))
        for feed in try library.feeds.list() {
            #expect((feed.title ?? "").utf8.count <= 4 << 10 && (feed.folder ?? "").utf8.count <= 1 << 10)
            #expect(feed.tags.count <= 100 && (feed.homePage ?? "").utf8.count <= 8 << 10)
        }
    }

    /// A file of which nothing fits is still a list, and the reason is said.
    @Test func saysWhyNothingWasImported() throws {
        try temporary.write("https://a.example/\(String(repeating: "x", count: 100_000))\n", to: "urls")
        let result = tappa("import", temporary.path("urls"), "--feeds-only")
        #expect(result.code == 65 && result.errors.contains("urls: line 1: longer than 64 KiB: https://a.example/xxx"))
        #expect(result.errors.hasSuffix("urls: no feeds found\n"))
    }

    @Test func limitsLinesAndQueries() throws {
        let long = String(repeating: "x", count: 100_000)
        let queries = (0..<1100).map { "\"query:q\($0):unread = \\\"yes\\\"\"\n" }.joined()
        let words = (0..<200).map { " t\($0)" }.joined()
        try temporary.write(
            "https://a.example/ \(long)\nhttps://b.example/\(words)\nhttps://b.example/ other\n"
                + "https://c.example/\(String(long.prefix(9000)))\n\(queries)"
                + String(repeating: "#\n", count: 200_000) + "https://d.example/\n", to: "urls")
        let result = tappa("import", temporary.path("urls"), "--feeds-only")
        #expect(
            result.code == 0 && result.output.contains("added 1\n") && result.output.contains("saved searches: 1000\n"))
        #expect(result.output.contains("changed: and 500 more\n"))
        #expect(result.output.utf8.count + result.errors.utf8.count < 100_000)
        for sentence in [
            "urls: line 1: longer than 64 KiB: https://a.example/ xxx",
            "urls: line 2: https://b.example/ was imported without 100 tags\n",
            "urls: line 3: left out 1 tag of a repeated feed\n",
            "urls: line 4: an address is longer than 8 KiB: https://c.example/xxx",
        ] { #expect(result.errors.contains(sentence), "\(sentence): \(result.errors.prefix(2000))") }
    }
}

/// Children of the program.
@Suite struct WaitsForChildren {
    /// A child that somebody else has waited for did not end successfully as far as one knows.
    @Test func knowsHowAChildEnded() throws {
        func start(_ program: String...) throws -> pid_t {
            let arguments = program.map { strdup($0) } + [nil]
            defer { for text in arguments { free(text) } }
            var child: pid_t = 0
            #expect(csp_start(arguments.map { UnsafePointer($0) }, nil, nil, nil, nil, true, &child) == 0)
            return child
        }
        #expect(csp_wait(try start("/bin/true")) == 0)
        #expect(csp_wait(try start("/bin/sh", "-c", "exit 3")) == 3)
        #expect(csp_wait(try start("/bin/sh", "-c", "kill -9 $$")) == -9)
        let child = try start("/bin/true")
        #expect(csp_wait(child) == 0)
        #expect(csp_wait(child) == CSP_UNKNOWN)
    }
}
