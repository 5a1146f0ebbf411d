import CommonTesting
import FeedParsing
import Feeds
import Foundation
import LibraryTesting
import LoopbackServer
import ModelCore
import Pictures
import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import FeedsSegment

/// Walks through the Feeds segment.
@MainActor
@Suite struct ReadsEntries {
    @Test func FEE_04a_openingMarksRead() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter") { (try? dashboard.library.feeds.unreadCount()) == 3 })
        #expect(await screen.wait(for: "▐Feeds 3▌"))
        #expect(await screen.press("m") { (try? dashboard.library.feeds.unreadCount()) == 4 })
        #expect(await screen.press("n", "n", "n", "n") { (try? dashboard.library.feeds.unreadCount()) == 0 })
        #expect(screen.press("n", shows: "No unread entries."))
        // Marking reports that there is nothing to mark, too.
        screen.press("D")
        #expect(!screen.text.contains("No unread entries."))
        #expect(await screen.press("A") { screen.text.contains("No unread entries.") })
    }

    @Test func FEE_04a_theSettingKeepsThemUnread() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        try await dashboard.settings.set("off", for: "feeds.mark-read-on-open", in: dashboard.library)
        #expect(await dashboard.screen.press("enter", "j", "enter", until: "Short."))
        #expect(try dashboard.library.feeds.unreadCount() == 4)
    }

    @Test func showsAndOpensAttachments() async throws {
        let feed = """
            <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Pod</title>
            <item><guid>1</guid><title>Episode</title><link>https://pod.example/1</link><description>Words.</description>
            <enclosure url="https://pod.example/1.mp3" type="audio/mpeg" length="34000000"/>
            <enclosure url="https://pod.example/1.jpg" type="image/jpeg" length="0"/>
            <media:content url="https://pod.example/1.swf" type="application/x-shockwave-flash"/>
            <comments>https://pod.example/1/comments</comments><category>racing</category></item>
            <item><guid>2</guid><title>Nothing</title><enclosure url="https://pod.example/2.pdf"
            type="application/pdf" length="999"/></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(120, 24, feeds: [("https://pod.example/feed", feed)])
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "Audio[1] · 34 MB"))
        for words in ["[picture]", "P pictures", "Words.", "Comments[2]", "Tags: racing"] {
            #expect(screen.text.contains(words), "\(words)")
        }
        #expect(!screen.text.contains("[3]"))
        screen.press("#", "1", "enter")
        #expect(await dashboard.openedLinks == ["https://pod.example/1.mp3"])
        #expect(await screen.press("]", until: "File[1] · application/pdf"))
        #expect(screen.text.contains("This entry has no text."))
        screen.press("o")
        #expect(await dashboard.openedLinks.last == "https://pod.example/2.pdf")
    }

    @Test func FEE_05_hasNoToolbarWithoutSelection() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        #expect(await dashboard.screen.wait(for: "entries in 30 days"))
        #expect(!dashboard.screen.text.contains("next unread"))
    }

    @Test func keepsReadEntriesInTheUnreadList() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("g g", "enter", "enter") { (try? dashboard.library.feeds.unreadCount()) == 3 })
        #expect(await screen.wait(for: "▐Feeds 3▌"))
        #expect(screen.text.contains("▌  Undated"))
    }

    @Test func keepsTheSelectionWhenThePaneNarrows() async throws {
        let dashboard = try await DashboardScreen(120, 39)
        let screen = dashboard.screen
        screen.press("enter", "j", "j", "enter")
        #expect(await dashboard.articleIsShown)
        screen.press("space", "space")
        let before = screen.text
        for (width, height) in [(60, 19), (39, 11), (20, 6), (10, 2), (200, 50), (1, 1), (120, 39)] {
            screen.resize(width, height)
        }
        #expect(screen.text == before)
    }

    @Test func TAB_04_actsOnAllMarkedRows() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        dashboard.screen.press("enter", "v", "v", "m")
        #expect(await dashboard.screen.wait { (try? dashboard.library.feeds.unreadCount()) == 2 })
        dashboard.screen.press("g g", "v", "j", "v", "s")
        #expect(await dashboard.screen.wait { (try? dashboard.library.entries.count(in: EntryQuery(.starred))) == 2 })
    }

    @Test func SEG_06_reloadsASegmentAfterLowMemory() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("enter", "j", "j", "enter")
        #expect(await dashboard.articleIsShown)
        #expect(await screen.press("space") { screen.text.contains("Feeds 3") })
        let before = screen.text
        #expect(await screen.press("tab", "ctrl-x m", "backtab") { screen.text == before })
    }

    @Test func previewsARowWithoutReadingIt() async throws {
        let dashboard = try await DashboardScreen(44, 20)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "G", "space") { screen.text.contains("stay visible") })
        screen.press("esc")
        #expect(!screen.text.contains("stay visible"))
        #expect(try dashboard.library.feeds.unreadCount() == 4)
    }

    @Test func opensLinks() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "G", "enter", until: "To illustrate the idea"))
        screen.press("o", "f")
        // A letter marks the link; as a capital it opens the browser.
        screen.press("A")
        #expect(await dashboard.openedLinks == ["https://loaf.example/0", "https://loaf.example/next"])
    }

    /// A link whose text is misleading asks for confirmation.
    @Test func confirmsMisleadingLinks() async throws {
        let feed = """
            <rss><channel><title>Mail</title><item><guid>1</guid><title>Your account</title><link>https://mail.example/1</link>
            <description>&lt;a href="https://evil.example/login"&gt;bank.example&lt;/a&gt;
            &lt;a href="https://mail.example/more"&gt;more&lt;/a&gt;</description></item></channel></rss>
            """
        let dashboard = try await DashboardScreen(120, 30, feeds: [("https://mail.example/feed", feed)])
        let screen = dashboard.screen
        dashboard.settings.use("in the browser", for: "feeds.links")
        #expect(await screen.press("enter", "enter", until: "bank.example[1]"))
        screen.press("#", "1", "enter")
        #expect(screen.text.contains("Open this link?") && screen.text.contains("The text says 'bank.example'"))
        #expect(screen.lines.contains { $0.contains("│ evil.example ") })
        screen.press("enter")
        #expect(!screen.text.contains("Open this link?"))
        screen.press("#", "2", "enter")
        #expect(await dashboard.openedLinks == ["https://mail.example/more"])
        screen.press("#", "1", "enter", "right", "enter")
        #expect(await dashboard.openedLinks == ["https://mail.example/more", "https://evil.example/login"])
    }

    /// A page down at the end opens the next unread entry. Title and link are copied as Markdown.
    @Test func continuesReadingAtTheEnd() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        #expect(await screen.press("enter", "enter", until: "Nobody knows when."))
        screen.press("space")
        #expect(await screen.wait { dashboard.column(46..<120).contains { $0.contains("Keyboard avoidance") } })
        try await dashboard.settle()
        #expect(try dashboard.library.feeds.unreadCount() == 2)
        screen.press("Y")
        #expect(
            screen.terminal.copied
                == "[Keyboard avoidance \\[31min a title that is rather long for a narrow list](https://loaf.example/1)"
        )
        #expect(screen.text.contains("Title and link copied to the terminal's clipboard."))
    }

    /// A command for lists receives the marked entries, otherwise the whole list, even from an open entry.
    @Test func pipesAListToACommand() async throws {
        let items = (1...90).map { "<item><guid>\($0)</guid><title>Entry \($0)</title></item>" }.joined()
        let feed = "<rss><channel><title>Pod</title>\(items)</channel></rss>"
        var given: [String] = []
        let definition = CommandDefinition(
            "user.digest", "digest", keys: ["B"], group: "Your commands", place: "entries", needs: "an entry",
            .actsOnMarkedRows)
        let dashboard = try await DashboardScreen(
            120, 24, feeds: [("https://pod.example/feed", feed)],
            adjust: { environment in
                environment.configuration.entryCommands = [
                    EntryCommand(definition, acceptsList: true) { target, _ in
                        guard case .list(let entries, let title) = target else { return .failed("no list") }
                        given.append("\(title): \(entries.count), \(entries.first?.title ?? "")")
                        return .done
                    }
                ]
            })
        let screen = dashboard.screen
        #expect(await screen.press("enter", "B") { given.count == 1 })
        #expect(await screen.press("enter", "B") { given.count == 2 })
        #expect(await screen.press("esc", "j", "v", "v", "B") { given.count == 3 })
        #expect(given == ["Pod: 90, Entry 1", "Pod: 90, Entry 1", "Pod: 2, Entry 2"])
    }

    /// A sequence of commands runs each where the previous one led, and ends at an unavailable one.
    @Test func runsSeveralCommandsAsOne() async throws {
        let items = (1...3).map { "<item><guid>\($0)</guid><title>Entry \($0)</title></item>" }.joined()
        let feed = "<rss><channel><title>Pod</title>\(items)</channel></rss>"
        func command(_ name: String, _ key: String, _ steps: [String]) -> EntryCommand {
            let definition = CommandDefinition(
                "user.\(name)", DisplayText(name), keys: [KeySequence(stringLiteral: key)], group: "Your commands",
                place: "entries",
                needs: "an entry")
            return EntryCommand(definition, steps: steps.map { .perform($0) }) { _, _ in .done }
        }
        let dashboard = try await DashboardScreen(
            120, 24, feeds: [("https://pod.example/feed", feed)],
            adjust: { environment in
                environment.configuration.entryCommands = [
                    command("skip", "B", ["entry.toggleStar", "list.down", "entry.toggleLater"]),
                    command("lost", "X", ["list.down", "entry.toggleRead", "no.such"]),
                ]
            })
        let screen = dashboard.screen
        screen.press("enter", "B")
        let library = dashboard.library
        #expect(
            await screen.wait {
                let rows = (try? library.entries.rows(in: EntryQuery(.all), limit: 9)) ?? []
                return rows.filter(\.isStarred).map(\.title) == ["Entry 1"]
                    && rows.filter(\.isLater).map(\.title) == ["Entry 2"]
            })
        #expect(await screen.press("X", until: "lost: no.such isn't available here"))
    }

    /// The configured player plays the audio.
    @Test func playsARecording() async throws {
        let feed = """
            <rss><channel><title>Pod</title><item><guid>1</guid><title>One</title>
            <enclosure url="https://pod.example/1.mp3" type="audio/mpeg"/></item>
            <item><guid>2</guid><title>None</title></item></channel></rss>
            """
        var played: [String] = []
        let dashboard = try await DashboardScreen(
            120, 24, feeds: [("https://pod.example/feed", feed)],
            adjust: { environment in
                environment.programs.play = { address, player, start, keep in
                    played.append("\(player) \(address) \(start)")
                    keep(PlayedEnclosure(position: 3725, duration: 4000))
                    return "It has no ears."
                }
            })
        let screen = dashboard.screen
        #expect(await screen.press("enter", "x", until: "It has no ears."))
        // The last position is shown beside it, and playing resumes there.
        #expect(await screen.wait(for: "left at 1:02:05"))
        #expect(await screen.press("x") { played.count == 2 })
        #expect(played == ["mpv https://pod.example/1.mp3 0", "mpv https://pod.example/1.mp3 3725"])
        #expect(await screen.press("j", "x", until: "x: this needs audio or video"))
    }

    /// The reading position is stored, and changes by the feed are shown word by word.
    @Test func keepsPositionAndChanges() async throws {
        func feed(_ word: String) -> String {
            let lines = (0..<60).map { "&lt;p&gt;Line \($0).&lt;/p&gt;" }.joined()
            return """
                <rss><channel><title>Long</title><item><guid>1</guid><title>One</title><description>&lt;p&gt;A \(word)
                day.&lt;/p&gt;\(lines)</description></item></channel></rss>
                """
        }
        let folder = TemporaryFolder()
        let path = folder.path("library.sqlite")
        do {
            let dashboard = try await DashboardScreen(
                120, 24, feeds: [("https://long.example/feed", feed("dry"))], path: path)
            let screen = dashboard.screen
            #expect(await screen.press("enter", "enter", until: "Line 5."))
            #expect(screen.press("D", shows: "D: this needs a changed entry"))
            screen.press("space", "space")
            #expect(screen.text.contains("Line 20.") && !screen.text.contains("Line 5."))
            _ = dashboard.savedState()
            try await dashboard.settle()
            let id = try #require(try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 1).first?.id)
            #expect(try dashboard.library.entries.detail(of: id)?.place?.isEmpty == false)
        }
        let dashboard = try await DashboardScreen(
            120, 24, feeds: [("https://long.example/feed", feed("wet"))], path: path)
        let screen = dashboard.screen
        screen.press("enter", "enter")
        #expect(await screen.wait { screen.text.contains("Line 20.") && !screen.text.contains("Line 5.") })
        #expect(await screen.press("D", until: "A ~~dry~~ ++wet++ day."))
        #expect(screen.text.contains("1 word added, 1 removed"))
    }

    @Test func savesAnArticleAndSetsFeedOptions() async throws {
        let folder = TemporaryFolder()
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("enter", "enter")
        // The list shows it too.
        #expect(await screen.wait { screen.text.split(separator: "Nobody knows when.").count > 2 })
        screen.press("ctrl-s", "ctrl-u", typing: "\(folder.url.path)/a.pdf", then: "enter")
        #expect(screen.text.contains("The name must end in .md, .html or .txt"))
        screen.press("ctrl-u", typing: "\(folder.url.path)/a.txt", then: "enter")
        let text = String(
            decoding: FileManager.default.contents(atPath: "\(folder.url.path)/a.txt") ?? Data(), as: UTF8.self)
        #expect(text.contains("Nobody knows when."))
        try await dashboard.press("h", "h", ",", "enter")
        let id = try #require(try dashboard.library.feeds.all().first?.id)
        #expect(try dashboard.library.feeds.options(of: id).fullText)
        #expect(screen.lines.contains { $0.contains("Full text") && $0.contains("always") })
        try await dashboard.press("u")
        #expect(try !dashboard.library.feeds.options(of: id).fullText)
    }

    @Test func addsAFeedByItsAddress() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("a", "ctrl-u", typing: "http://127.0.0.1:1/feed", then: "enter")
        // A host that refuses may be asked later.
        #expect(await screen.wait(for: "Enter uses it anyway."))
        #expect(await screen.press("enter", until: "! 127.0.0.1 does not answer"))
        #expect(await screen.wait { !screen.text.contains("Short.") })
        screen.press("a", "ctrl-u", typing: "gopher://x", then: "enter")
        #expect(screen.text.contains("'gopher://x' is not an http, https or file address"))
        // An unknown host is for the user to correct: the typed text stays.
        screen.press("ctrl-u", typing: "https://nobody.invalid/feed", then: "enter")
        #expect(await screen.wait(for: "no such host: nobody.invalid"))
        #expect(screen.text.contains("Add feed") && screen.text.contains("https://nobody.invalid/feed"))
        screen.type("s")
        #expect(!screen.text.contains("no such host"))
        screen.press("esc")
        #expect(!screen.text.contains("Add feed"))
    }

    /// An address without a scheme, whose host has no TLS, is asked about and then followed with http.
    @Test func addsAFeedWithoutEncryption() async throws {
        let server = try LoopbackServer(seconds: 60) { _ in
            .init("<rss version='2.0'><channel><title>Plain</title></channel></rss>")
        }
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        screen.press("a", "ctrl-u", typing: "127.0.0.1:\(server.port)/feed", then: "enter")
        #expect(await screen.wait(for: "does not speak https. Enter uses http,"), "\(screen.text)")
        screen.press("enter")
        let url = "http://127.0.0.1:\(server.port)/feed"
        #expect(await screen.wait { (try? dashboard.library.feeds.all().contains { $0.url == url }) == true })
    }

    /// In three columns, the entries of an added feed replace those of the previous one.
    @Test func showsTheEntriesOfAnAddedFeed() async throws {
        let dashboard = try await DashboardScreen(200, 30)
        let screen = dashboard.screen
        screen.press("a", "ctrl-u", typing: "http://127.0.0.1:1/feed", then: "enter")
        // A host that refuses may be asked later.
        #expect(await screen.wait(for: "Enter uses it anyway."))
        #expect(await screen.press("enter") { dashboard.entryList?.title == "http://127.0.0.1:1/feed" })
    }

    @Test func showsPicturesOfAnEntryOnRequest() async throws {
        let feed = """
            <rss version="2.0"><channel><title>Gravel</title><item><guid>1</guid><title>A day on gravel</title>
            <link>https://gravel.example/1</link><description>&lt;p&gt;Dust.&lt;/p&gt;&lt;img src="/a.jpg" alt="The climb"&gt;
            &lt;img src="https://other.example/b.jpg"&gt;&lt;img src="data:image/png;base64,AA"&gt;</description></item>
            </channel></rss>
            """
        let requests = Mutex<[PictureRequest]>([])
        let dashboard = try await DashboardScreen(100, 40, feeds: [("https://gravel.example/feed", feed)]) { request in
            let count = requests.withLock { list in
                list.append(request)
                return list.count
            }
            if count == 2 { return .failure(PictureProblem("not found (404)")) }
            return .success(Picture(width: 2, height: 2, rgba: [UInt8](repeating: 200, count: 16)))
        }
        let screen = dashboard.screen
        try await dashboard.settings.set("on request", for: "feeds.pictures", in: dashboard.library)
        try await dashboard.settings.set("halves", for: "appearance.pictures", in: dashboard.library)
        screen.press("enter", "enter")
        #expect(
            await screen.wait { screen.text.contains("[picture: The climb]") && screen.text.contains("P pictures") })
        // Nothing is fetched before the user asks for it.
        #expect(requests.withLock { $0.isEmpty })
        #expect(await screen.press("P") { screen.text.contains("1/2 The climb") && screen.text.contains("▀▀▀▀") })
        #expect(screen.text.contains("From gravel.example"))
        #expect(await screen.press("]") { screen.text.contains("! not found (404). r retries.") })
        #expect(screen.text.contains("2/2 Picture"))
        #expect(await screen.press("r") { screen.text.contains("From other.example") && screen.text.contains("▀▀▀▀") })
        screen.press("+", "+", "o")
        #expect(await dashboard.openedLinks == ["https://other.example/b.jpg"])
        // While it is larger than the view, h moves it.
        #expect(await screen.press("0", "h") { screen.text.contains("Dust.") })
        #expect(
            requests.withLock { $0 } == [
                .address("https://gravel.example/a.jpg", ownHost: "gravel.example"),
                .address("https://other.example/b.jpg", ownHost: "gravel.example"),
                .address("https://other.example/b.jpg", ownHost: "gravel.example"),
            ])
    }

    @Test func SPL_01_showsEntriesBesideTheirFeedInThreeColumns() async throws {
        let dashboard = try await DashboardScreen(200, 30)
        let screen = dashboard.screen
        #expect(screen.text.contains("Use Your Loaf") && dashboard.split?.hasDetail == false)
        let count = try #require(try dashboard.library.feeds.all().first?.unread)
        #expect(await screen.press("g", "g") { screen.lines[2].contains("│ Unread") })
        #expect(await screen.press("j", "j") { screen.lines[2].contains("│ Starred") })
        // Previewing doesn't count as opening.
        #expect(try dashboard.library.feeds.all().first?.unread == count)
        // In two columns the focused list stays visible, and the other column returns.
        screen.resize(100, 30)
        #expect(screen.lines[2].hasPrefix(" Feeds"))
        screen.resize(200, 30)
        #expect(screen.lines[2].contains("│ Starred"))
        let kept = try #require(dashboard.savedState()?.roots["feeds"])
        let state = try JSONDecoder().decode(DashboardState.FeedState.self, from: Data(kept.utf8))
        #expect(state.list == "starred" && state.isFeedListFocused == true)
        let again = try await DashboardScreen(100, 30, state: dashboard.savedState())
        #expect(again.screen.lines[2].hasPrefix(" Feeds"))
    }

    @Test func loadsInlinePicturesWhenTheyComeNear() async throws {
        let far = String(repeating: "&lt;p&gt;Dust.&lt;/p&gt;", count: 60)
        let feed = """
            <rss version="2.0"><channel><title>Gravel</title><item><guid>1</guid><title>A day on gravel</title>
            <link>https://gravel.example/1</link><description>&lt;p&gt;First.&lt;/p&gt;&lt;img src="/a.jpg"&gt;&lt;p&gt;Then.&lt;/p&gt;
            &lt;img src="/gone.jpg" alt="Gone"&gt;&lt;img src="/dot.gif"&gt;\(far)&lt;img src="/far.jpg"&gt;</description></item>
            </channel></rss>
            """
        let requests = Mutex<[String]>([])
        let dashboard = try await DashboardScreen(100, 40, feeds: [("https://gravel.example/feed", feed)]) { request in
            guard case .thumbnail(let url, "gravel.example") = request else {
                return .failure(PictureProblem("not asked for like that"))
            }
            requests.withLock { $0.append(String(url.split(separator: "/").last ?? "")) }
            if url.contains("gone") { return .failure(PictureProblem("not found (404)")) }
            let side = url.contains("dot") ? 4 : 160
            return .success(Picture(width: side, height: side, rgba: [UInt8](repeating: 200, count: side * side * 4)))
        }
        let screen = dashboard.screen
        try await dashboard.settings.set("halves", for: "appearance.pictures", in: dashboard.library)
        #expect(await screen.press("enter", "enter", until: "Then."))
        let before = screen.lines.firstIndex { $0.contains("Then.") }
        // 160 pixels are 20 columns and half as many rows.
        let line = String(repeating: "▀", count: 20)
        #expect(await screen.wait { screen.text.contains(line) })
        let rows = screen.lines.indices.filter { screen.lines[$0].contains(line) }
        try #require(rows.count == 10)
        #expect(screen.lines[rows[0] - 1].contains("[picture]"))
        // Its size was unknown. Space that it doesn't need is given back below the line being read.
        #expect(before == rows[0] + 21)
        #expect(await screen.wait { screen.lines.firstIndex { $0.contains("Then.") } == rows[0] + 11 })
        #expect(screen.lines[rows[0] - 1].contains("[picture]"))
        #expect(await screen.wait { requests.withLock { $0.count } == 3 })
        // A failed picture leaves its description, one of a few pixels is ignored, and a far one isn't requested yet.
        #expect(screen.text.contains("[picture: Gone]"))
        #expect(requests.withLock { Set($0) } == ["a.jpg", "gone.jpg", "dot.gif"])
        // Scrolling by a line moves the picture by a line.
        screen.press("j")
        #expect(screen.lines[rows[0] - 1].contains(line))
        #expect(await screen.press("G") { requests.withLock { $0.contains("far.jpg") } })
        // It appears below the line being read, which stays.
        #expect(
            await screen.wait {
                screen.press("G")
                return screen.text.contains(line)
            })
        #expect(await screen.press("g", "g") { screen.text.contains("First.") && screen.text.contains(line) })
    }

    /// The detail shows the selected entry once the row rests, without marking it as read.
    @Test func FEE_06_theDetailFollowsTheList() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        let screen = dashboard.screen
        let rows = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 9)
        #expect(await screen.press("enter") { dashboard.split?.hasDetail == true })
        screen.press("j", "j")
        let third = String(rows[2].title.prefix(20))
        #expect(await screen.wait { screen.lines.contains { $0.contains("│ \(third)") } })
        #expect(try dashboard.library.feeds.all().first?.unread == rows.count)
        // Keys still go to the list, and opening marks as read.
        try await dashboard.press("k", "enter")
        #expect(try dashboard.library.entries.row(rows[1].id)?.isRead == true)
        #expect(try dashboard.library.entries.row(rows[2].id)?.isRead == false)
        // In a pane without room beside the list nothing opens automatically.
        let narrow = try await DashboardScreen(50, 20)
        narrow.screen.press("enter", "j")
        try await waitAsLongAsFollowingTakes()
        narrow.screen.application.render()
        #expect(narrow.screen.text.contains("▌"))
        #expect(narrow.screen.lines.filter { $0.contains("●") }.count > 2)
    }

    @Test func FEE_06_marksReadAfterADelay() async throws {
        let dashboard = try await DashboardScreen(120, 30)
        dashboard.settings.use("1", for: SettingKey.readAfter.name)
        let first = try dashboard.library.entries.rows(in: EntryQuery(.all), limit: 1)[0]
        dashboard.screen.press("enter")
        let isMarked = await dashboard.screen.wait {
            (try? dashboard.library.entries.row(first.id)?.isRead) == true
        }
        #expect(isMarked)
        let other = try await DashboardScreen(120, 30)
        other.settings.use("off", for: SettingKey.followList.name)
        other.screen.press("enter", "j")
        try await waitAsLongAsFollowingTakes()
        other.screen.application.render()
        #expect(other.split?.hasDetail == false)
    }

    /// Waits until the dashboard shows the selected entry, after the delay for following.
    private func waitAsLongAsFollowingTakes() async throws {
        let follower = try await DashboardScreen(120, 30)
        #expect(await follower.screen.press("enter") { follower.split?.hasDetail == true })
    }
}
