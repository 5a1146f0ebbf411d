import CommonTesting
import FeedParsing
import Foundation
import LibraryTesting
import LoopbackServer
import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The article of an entry or page: links, collapsible parts, full text, reading position, and saved files.
@MainActor
@Suite struct ReadsArticles {
    private static let html = """
        <p>First <a href="https://a.example/one">one</a>, <a href="https://a.example/two.pdf">two</a>,
        <a href="#end">end</a>, <a href="mailto:x@a.example">mail</a>.</p>
        <details><summary>More</summary><p>Inside.</p></details>
        <details open><summary>Open</summary><p>Seen.</p><p id="deep">Deep.</p></details>
        \(String(repeating: "<p>Line.</p>", count: 40))<p id="end">The end.</p>
        """

    private static func feed(_ html: String, link: String = "https://a.example/1") -> String {
        "<rss><channel><title>A</title><item><guid>1</guid><title>One</title><link>\(link)</link>"
            + "<description><![CDATA[\(html)]]></description></item></channel></rss>"
    }

    private func article(
        _ html: String = ReadsArticles.html, link: String = "https://a.example/1", shows words: String = "First"
    ) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(
            120, 30, feeds: [("https://a.example/feed", ReadsArticles.feed(html, link: link))],
            adjust: { $0.settings.use("off", for: SettingKey.excerpts.name) })
        #expect(await dashboard.screen.press("enter", "enter", until: words))
        return dashboard
    }

    /// Parts expand and collapse by their own links, and stay as they are otherwise.
    @Test func expandsAndCollapsesParts() async throws {
        let dashboard = try await article()
        let screen = dashboard.screen
        #expect(!screen.text.contains("Inside.") && screen.text.contains("Seen."))
        func click(_ words: String) async {
            screen.click(on: words)
            screen.application.render()
        }
        await click("More")
        #expect(screen.text.contains("Inside.") && screen.text.contains("Seen."))
        await click("Open")
        #expect(screen.text.contains("Inside.") && !screen.text.contains("Seen."))
        await click("More")
        #expect(!screen.text.contains("Inside.") && !screen.text.contains("Seen."))
        await click("Open")
        #expect(screen.text.contains("Seen.") && screen.text.contains("Deep."))
    }

    /// Links by number: a page is read here, a file opens in the browser, a place in the text is scrolled to; other
    /// numbers don't exist.
    @Test func followsLinksByNumber() async throws {
        let dashboard = try await article()
        let screen = dashboard.screen
        #expect(screen.press("#", shows: "The number of a link, 1 to 3"), "\(screen.text)")
        for wrong in ["0", "4", "x", "-1"] {
            screen.press("ctrl-u", typing: wrong, then: "enter")
            #expect(screen.text.contains("No link has that number."), "\(wrong)")
            screen.press("#")
        }
        screen.type("2", then: "enter")
        #expect(await dashboard.openedLinks == ["https://a.example/two.pdf"])
        screen.click(on: "end, mail")
        #expect(
            await screen.wait { screen.text.contains("The end.") && !screen.text.contains("First") }, "\(screen.text)")
        #expect(await screen.press("ctrl-o") { screen.text.contains("First") })
        // Links outside the web are confirmed.
        screen.press("#", "3", "enter")
        #expect(screen.text.contains("Open this link?") && screen.text.contains("mailto:x@a.example"))
        screen.press("esc", "#", "1", "enter")
        #expect(screen.application.window.focusedController is ArticleViewController)
        #expect(await dashboard.openedLinks == ["https://a.example/two.pdf"])
        screen.press("h")
        #expect(screen.application.window.focusedController is EntryViewController)
    }

    /// A jump into a collapsed part expands it.
    @Test func expandsThePartALinkLeadsTo() async throws {
        let html =
            "<p>Go <a href='#deep'>deep</a>.</p><details><summary>More</summary><p>Inside.</p><p id='deep'>Deep.</p></details>"
            + String(repeating: "<p>Line.</p>", count: 60)
        let dashboard = try await article(html, shows: "Go deep")
        #expect(!dashboard.screen.text.contains("Deep."))
        dashboard.screen.click(on: "deep.")
        #expect(
            await dashboard.screen.wait {
                dashboard.screen.text.contains("Deep.") && !dashboard.screen.text.contains("Inside.")
            }, "\(dashboard.screen.text)")
    }

    /// The setting and a capital letter decide between here and the browser; content in the library opens from there.
    @Test func followsLinksHereOrInTheBrowser() async throws {
        let feed = """
            <rss><channel><title>A</title><item><guid>1</guid><title>One</title><link>https://a.example/1</link>
            <pubDate>Fri, 20 Nov 2026 09:30:00 GMT</pubDate>
            <description><![CDATA[<p>Go <a href="https://a.example/2">on</a> and <a href="https://race.example/1">race</a>.</p>]]></description></item>
            <item><guid>2</guid><title>Two</title><link>https://a.example/2</link>
            <pubDate>Fri, 20 Nov 2026 08:30:00 GMT</pubDate><description>Second words.</description></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(
            120, 30, feeds: [("https://a.example/feed", feed)],
            adjust: { $0.settings.use("off", for: SettingKey.excerpts.name) })
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "Go on"))
        screen.press("#", "1", "enter")
        #expect(screen.application.window.focusedController.title.string == "Two")
        #expect(await screen.wait { screen.text.contains("Second words.") })
        screen.press("h")
        dashboard.settings.use("in the browser", for: SettingKey.links.name)
        screen.press("#", "1", "enter")
        #expect(await dashboard.openedLinks == ["https://a.example/2"])
        screen.press("f", "A")
        #expect(screen.application.window.focusedController.title.string == "Two")
        screen.press("h")
        dashboard.settings.use("here", for: SettingKey.links.name)
        // The article of a stage leads to the stage.
        screen.press("#", "2", "enter")
        #expect(screen.text.contains("▐Stages▌") && screen.text.contains("Porto"))
    }

    // MARK: Full texts

    private nonisolated static func page(_ words: String) -> String {
        let text = (0..<80).map { "\(words)\($0)" }.joined(separator: " ")
        return "<html><head><meta property=\"article:published_time\" content=\"2026-11-18T10:00:00Z\"></head>"
            + "<body><article><p>\(text)</p><p>\(text)</p></article></body></html>"
    }

    /// Fetches the page, reports in place that it is missing, retries, keeps it with the entry and then needs no
    /// network.
    @Test func readsTheFullText() async throws {
        let answers = Mutex(0)
        let server = try LoopbackServer { _ in
            let count = answers.withLock { count in
                count += 1
                return count
            }
            switch count {
            case 1: return .init(404)
            case 2: return .init("<html><body></body></html>", type: "text/html")
            default: return .init(ReadsArticles.page("word"), type: "text/html")
            }
        }
        // The feed's own host may be private.
        let dashboard = try await DashboardScreen(
            120, 30, feeds: [(server.url("/feed"), ReadsArticles.feed("<p>Short.</p>", link: server.url("/page")))])
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "Short."))
        #expect(await screen.press("F", until: "r retries, o opens the page in the browser."))
        #expect(screen.text.contains("404"))
        #expect(screen.press("p", shows: "p: this needs"))
        #expect(await screen.press("r", until: "No article found on this page."))
        #expect(await screen.press("r", until: "word1 word2"))
        #expect(screen.text.contains("· 1\u{A0}min · Wednesday 18 November 2026"), "\(screen.text)")
        #expect(screen.text.contains("127.0.0.1"))
        #expect(screen.press("r", shows: "r: this needs a page that failed to load"))
        #expect(screen.press("p", shows: "On the page  2026-11-18T10:00:00Z"))
        screen.press("p", "o")
        #expect(await dashboard.openedLinks == [server.url("/page")])
        screen.press("y")
        #expect(screen.terminal.copied == server.url("/page"))
        // The commands of the entry work here too.
        try await dashboard.press("s")
        let entry = try #require(try dashboard.library.entries.rows(in: EntryQuery(.starred), limit: 1).first)
        #expect(
            await screen.wait {
                (try? dashboard.library.entries.detail(of: entry.id)?.fullHTML?.contains("word1")) == true
            })
        screen.press("h")
        server.stop()
        let requests = server.requests.count
        #expect(await screen.press("F", until: "word1 word2"))
        #expect(server.requests.count == requests)
    }

    // MARK: The place that is read

    @Test func showsReadingProgress() async throws {
        let dashboard = try await article()
        let screen = dashboard.screen
        #expect(await screen.press("G") { screen.lines.last?.contains("100 %") == true })
        screen.press("k", "k", "k")
        #expect(
            await screen.wait {
                screen.lines.last?.contains("%") == true && screen.lines.last?.contains("100 %") == false
            })
        // An article that fits shows no progress.
        let short = try await article("<p>First.</p>")
        #expect(short.screen.lines.last?.contains("%") == false)
    }

    /// The position is kept on leaving and forgotten at the end of the article, without an undo step.
    @Test func keepsThePositionOnLeaving() async throws {
        let dashboard = try await article()
        let (screen, library) = (dashboard.screen, dashboard.library)
        let id = try #require(try library.entries.rows(in: EntryQuery(.all), limit: 1).first).id
        func place() -> String? { (try? library.entries.detail(of: id))??.place }
        let (feeds, settings) = (DashboardSegment.key(of: "feeds"), DashboardSegment.key(of: "settings"))
        #expect(await screen.press("space", settings) { place()?.isEmpty == false })
        screen.press(feeds)
        #expect(screen.text.contains("Line.") && !screen.text.contains("First one"))
        #expect(screen.press("u", shows: "u: this needs something to undo"))
        #expect(await screen.press("G", settings) { place()?.isEmpty ?? true })
        #expect(await screen.press(feeds, "g g", "j", settings) { place()?.isEmpty == false })
        #expect(await screen.press(feeds, "g g", settings) { place()?.isEmpty ?? true })
    }

    /// A page down at the end continues, except in a preview over a list.
    @Test func staysInAPreviewAtItsEnd() async throws {
        let dashboard = try await FeedWalk.dashboard(44, 30)
        let list = try #require(dashboard.entryList)
        #expect(await dashboard.screen.press("space", until: "Words of A1."))
        dashboard.screen.press("pagedown", "pagedown")
        #expect(dashboard.screen.text.contains("Words of A1.") && list.table.selectedPath == RowPath(row: 0))
    }

    // MARK: Saving

    @Test func savesTheArticleUnderTheTypedName() async throws {
        let folder = TemporaryFolder()
        let dashboard = try await article("<p>Saved <b>words</b>.</p>", shows: "Saved")
        let screen = dashboard.screen
        #expect(screen.press("ctrl-s", shows: "~/one.md"))
        for (ending, words) in [
            ("md", "# One\n\n<https://a.example/1>"), ("txt", "One\nhttps://a.example/1\n"),
            ("html", "<p>Saved <b>words</b>.</p>"),
        ] {
            if ending != "md" { screen.press("ctrl-s") }
            screen.press("ctrl-u")
            let path = folder.path("a.\(ending)")
            screen.type(path, then: "enter")
            #expect(screen.lines.joined().contains("Saved as"))
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            #expect(text.contains(words), "\(text)")
        }
        // A path that can't be written is reported, and nothing else happens.
        screen.press("ctrl-s", "ctrl-u", typing: folder.path("none/a.md"), then: "enter")
        #expect(!screen.lines.joined().contains("Saved as"))
    }

    /// Without a request: the button for pictures appears once.
    @Test func offersPicturesOnce() async throws {
        let dashboard = try await article("<p>First</p><img src='/a.jpg'><img src='data:image/png;base64,AA'>")
        #expect(await dashboard.screen.wait(for: "P pictures"))
        let id = try #require(try dashboard.library.feeds.all().first).id
        try await dashboard.store(ReadsArticles.feed("<p>First again</p><img src='/a.jpg'><img src='/b.jpg'>"), in: id)
        #expect(await dashboard.screen.wait(for: "First again"))
        #expect(dashboard.screen.text.ranges(of: "P pictures").count == 1)
    }

    /// An entry of several feeds names them all if duplicates are merged.
    @Test func namesTheFeedsOfAStory() async throws {
        let feeds = ["A", "B"].map { name in
            (
                "https://\(name).example/feed",
                ReadsArticles.feed("<p>First</p>", link: "https://same.example/1").replacing(
                    "<title>A<", with: "<title>Feed \(name)<")
            )
        }
        for (folds, words) in [("on", "Feed A, Feed B · 1 min"), ("off", "«  Feed A")] {
            let dashboard = try await DashboardScreen(
                120, 30, feeds: feeds, adjust: { $0.settings.use(folds, for: SettingKey.mergeDuplicates.name) })
            dashboard.screen.press("enter", "enter")
            #expect(
                await dashboard.screen.wait {
                    dashboard.column(45..<120).contains { $0.replacing("\u{A0}", with: " ").contains(words) }
                },
                "\(dashboard.screen.text)")
        }
    }

    /// The title appears in the text, whether or not a bar could hold it.
    @Test func showsALongTitleWhole() async throws {
        let title = String(repeating: "Long title ", count: 12)
        for text in [title, "Short"] {
            let dashboard = try await DashboardScreen(
                120, 30,
                feeds: [
                    (
                        "https://a.example/feed",
                        ReadsArticles.feed("<p>First</p>").replacing("<title>One<", with: "<title>\(text)<")
                    )
                ])
            #expect(await dashboard.screen.press("enter", "enter", until: "1\u{A0}min"))
            let below = dashboard.column(46..<120).dropFirst(3).joined(separator: " ")
            #expect(below.contains(text.prefix(20)))
        }
    }
}
