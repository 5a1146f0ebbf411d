import Articles
import Foundation
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The article text of an entry and the file that it is saved as.
@MainActor
@Suite struct ShowsWhatAnEntryHas {
    nonisolated static func entry(
        _ html: String? = "<p>Words.</p>", link: String? = "https://a.example/1", extras: EntryExtras = EntryExtras(),
        played: [String: PlayedEnclosure] = [:], text: String? = nil
    ) -> EntryDetail {
        EntryDetail(
            id: 1, subscriptionID: 1, feedTitle: "Feed", title: "One", link: link, html: html, text: text,
            isRead: false,
            isStarred: false, dates: EntryDates(firstSeen: 1), extras: extras, options: SubscriptionOptions(),
            played: played)
    }

    private func lines(_ entry: EntryDetail) -> [String] {
        EntryArticle.make(entry, browserKey: "o").paragraphs.map { $0.spans.map(\.text.string).joined() }
    }

    private static func file(
        _ name: String, _ type: String?, size: Int64? = nil, duration: Double? = nil
    ) -> Enclosure {
        Enclosure(url: "https://a.example/\(name)", mediaType: type, size: size, duration: duration)
    }

    @Test func prefersHTMLThenText() {
        #expect(lines(ShowsWhatAnEntryHas.entry()) == ["Words."])
        #expect(lines(ShowsWhatAnEntryHas.entry(nil, text: "Plain <b>.")) == ["Plain <b>."])
        #expect(lines(ShowsWhatAnEntryHas.entry("<p>HTML</p>", text: "Plain")) == ["HTML"])
        #expect(lines(ShowsWhatAnEntryHas.entry(nil)) == ["This entry has no text. o opens the page in the browser."])
        #expect(lines(ShowsWhatAnEntryHas.entry("")) == ["This entry has no text. o opens the page in the browser."])
        #expect(lines(ShowsWhatAnEntryHas.entry(nil, link: nil)) == ["This entry has no text."])
    }

    /// Addresses of an entry without a link are relative to its feed.
    @Test func resolvesAddressesWithoutALink() {
        var entry = ShowsWhatAnEntryHas.entry("<p><img src='p.png'><a href='n'>next</a></p>", link: nil)
        entry.feedAddress = "https://a.example/feeds/all.atom"
        let article = EntryArticle.make(entry, browserKey: "o")
        #expect(article.images.map(\.url) == ["https://a.example/feeds/p.png"])
        #expect(article.links.first?.url == "https://a.example/feeds/n")
        entry.link = "https://a.example/1/"
        #expect(EntryArticle.make(entry, browserKey: "o").images.map(\.url) == ["https://a.example/1/p.png"])
    }

    /// Audio comes before the text, everything else after it; a picture appears once, and not at all if the text has
    /// pictures.
    @Test func ordersRecordingsFirst() {
        var extras = EntryExtras()
        extras.enclosures = [
            ShowsWhatAnEntryHas.file("a.pdf", "application/pdf", size: 2_400_000),
            ShowsWhatAnEntryHas.file("a.mp3", "Audio/MPEG", size: 34_000_000, duration: 3731),
            ShowsWhatAnEntryHas.file("a.mp4", "video/mp4", duration: 245),
            ShowsWhatAnEntryHas.file("a.swf", "application/x-shockwave-flash"),
            ShowsWhatAnEntryHas.file("a.jpg", "image/jpeg"), ShowsWhatAnEntryHas.file("b.png", "image/png"),
            ShowsWhatAnEntryHas.file("what", nil, size: 999),
        ]
        extras.external = "https://other.example/"
        extras.comments = "https://a.example/comments"
        extras.tags = ["racing", "gravel"]
        #expect(
            lines(ShowsWhatAnEntryHas.entry(extras: extras)).filter { !$0.isEmpty } == [
                "[picture]", "Audio[1] · 1:02:11 · 34 MB", "Video[2] · 4:05", "Words.",
                "File[3] · application/pdf · 2 MB", "Picture[4]", "File[5]", "See also[6]", "Comments[7]",
                "Tags: racing, gravel",
            ])
        #expect(EntryArticle.media(in: extras).map(\.url) == ["https://a.example/a.mp3", "https://a.example/a.mp4"])
        // With a picture in its text, it needs none before it.
        let pictured = lines(ShowsWhatAnEntryHas.entry("<img src='/own.jpg'><p>Words.</p>", extras: extras))
        #expect(pictured.count { $0.contains("[picture]") } == 1)
        #expect(pictured.filter { $0.hasPrefix("Picture[") }.count == 2)
        // The picture of the entry comes before those of its files.
        extras.image = "https://a.example/lead.jpg"
        let article = EntryArticle.make(ShowsWhatAnEntryHas.entry(extras: extras), browserKey: "")
        #expect(article.images.map(\.url) == ["https://a.example/lead.jpg"])
        #expect(lines(ShowsWhatAnEntryHas.entry(extras: extras)).filter { $0.hasPrefix("Picture[") }.count == 2)
        extras.image = nil
        #expect(
            EntryArticle.make(ShowsWhatAnEntryHas.entry(extras: extras), browserKey: "").images.map(\.url)
                == ["https://a.example/a.jpg"])
    }

    @Test func saysHowLongAndHowLargeARecordingIs() {
        func note(_ size: Int64?, _ duration: Double?, _ played: PlayedEnclosure? = nil) -> String? {
            var extras = EntryExtras()
            let file = ShowsWhatAnEntryHas.file("a.mp3", "audio/mpeg", size: size, duration: duration)
            extras.enclosures = [file]
            return lines(
                ShowsWhatAnEntryHas.entry(extras: extras, played: played.map { [file.url: $0] } ?? [:])
            ).first?.replacing("Audio[1]", with: "")
        }
        let table: [(size: Int64?, duration: Double?, note: String)] = [
            (nil, nil, ""), (999, 0.9, ""), (0, 0, ""), (1000, 1, " · 0:01 · 1 kB"), (1499, 59, " · 0:59 · 1 kB"),
            (1500, 60, " · 1:00 · 2 kB"), (999_499, 3599, " · 59:59 · 999 kB"), (1_000_000, 3600, " · 1:00:00 · 1 MB"),
            (5_000_000_000, 36_000, " · 10:00:00 · 5 GB"), (5_000_000_000_000, 1e7, " · 5000 GB"), (nil, -1, ""),
        ]
        for (size, duration, words) in table { #expect(note(size, duration) == words, "\(words)") }
        #expect(note(nil, 100, PlayedEnclosure(position: 62, duration: 100)) == " · 1:40 · left at 1:02")
        #expect(note(nil, nil, PlayedEnclosure.whole(duration: 100)) == " · played")
    }

    @Test func namesAuthorFeedDateAndMinutes() {
        useTimeZone()
        func facts(_ author: String?, _ sources: [String], _ date: Instant?, _ minutes: Int?) -> String {
            EntryArticle.facts(author: author, sources: sources, published: date, minutes: minutes).string
                .replacing("\u{A0}", with: " ")
        }
        #expect(facts(nil, ["Feed"], nil, nil) == "Feed")
        #expect(facts("Ann", ["Feed"], nil, 3) == "Ann · Feed · 3 min")
        // A site that names itself as the author is named once.
        #expect(facts("Feed", ["Feed"], DashboardScreen.now, 1) == "Feed · 20 Nov 2026, 12:00 · 1 min")
        #expect(facts("Ann", ["Feed, Other"], DashboardScreen.now, nil) == "Ann · Feed, Other · 20 Nov 2026, 12:00")
        // Lines break after the separators only.
        let long = EntryArticle.facts(
            author: "Ann Other", sources: ["A Feed"], published: DashboardScreen.now, minutes: 3)
        #expect(
            TextWrapping.wrap(long, columns: 22).map { $0.string.replacing("\u{A0}", with: " ") } == [
                "Ann Other · A Feed ·", "20 Nov 2026, 12:00 ·", "3 min",
            ])
    }

    // MARK: Files

    @Test func acceptsNamesOfKnownFormats() {
        for name in ["a.md", "a.markdown", "~/b.HTML", "a.htm", "a.b.txt"] { #expect(ArticleFile.problem(name) == nil) }
        for name in ["", "a", "md", "a.pdf", "a.md.", "a.txt~", "a.html/b"] {
            #expect(ArticleFile.problem(name) == "The name must end in .md, .html or .txt", "\(name)")
        }
    }

    @Test func namesAFileAfterTheTitle() {
        let table = [
            ("One Two", "one-two"), ("  Été: 2026!  ", "été-2026"), ("", "article"), ("!?/…", "article"),
            ("../../etc/passwd", "etc-passwd"), ("a b c d e f g h i j", "a-b-c-d-e-f-g-h"),
            (String(repeating: "x", count: 200), String(repeating: "x", count: 80)),
        ]
        for (title, name) in table { #expect(ArticleFile.name(title) == name) }
    }

    @Test func writesEveryFormat() {
        let entry = ShowsWhatAnEntryHas.entry("<p>Words &amp; <a href='/next'>more</a>.</p>")
        func file(_ ending: String, _ entry: EntryDetail) -> String {
            ArticleFile.text(of: entry, as: ending)
        }
        let markdown = "# One\n\n<https://a.example/1>\n\nWords & [more](https://a.example/next)."
        #expect(file("md", entry).hasPrefix(markdown), "\(file("md", entry))")
        #expect(file("txt", entry).hasPrefix("One\nhttps://a.example/1\n\nWords & more[1].\n"), "\(file("txt", entry))")
        #expect(file("txt", entry).contains("https://a.example/next"))
        for ending in ["html", "htm"] {
            #expect(
                file(ending, entry) == """
                    <!DOCTYPE html>
                    <html><head><meta charset="utf-8"><title>One</title></head><body>
                    <h1>One</h1>
                    <p><a href="https://a.example/1">https://a.example/1</a></p>
                    <p>Words &amp; <a href='/next'>more</a>.</p>
                    </body></html>

                    """)
        }
        // Without HTML, the text is escaped; without a link, there is none.
        var plain = ShowsWhatAnEntryHas.entry(nil, link: nil, text: "1 < 2 & \"3\" > 0")
        plain.title = "<Tom> & \"Co\""
        let page = file("html", plain)
        #expect(page.contains("<h1>&lt;Tom&gt; &amp; &quot;Co&quot;</h1>") && page.contains("<title>&lt;Tom&gt;"))
        #expect(page.contains("<p>1 &lt; 2 &amp; &quot;3&quot; &gt; 0</p>") && !page.contains("<a href"))
        #expect(file("txt", plain).hasPrefix("<Tom> & \"Co\"\n\n\n1 < 2"))
        // An entry without a text is saved without the hint on the screen.
        #expect(!file("txt", ShowsWhatAnEntryHas.entry(nil)).contains("gives no text"))
    }

    // MARK: Pictures

    @Test func givesPicturesTheirRoom() {
        let table: [(width: Int, height: Int, columns: Int, view: Int, rows: Int)] = [
            (720, 480, 80, 40, 20), (720, 480, 30, 40, 10), (160, 160, 80, 40, 10), (160, 160, 5, 40, 3),
            (16, 16, 80, 40, 1), (16, 600, 80, 40, 20), (8000, 100, 80, 40, 1), (720, 480, 80, 12, 10),
            (720, 480, 80, 5, 3), (720, 480, 80, 2, 3), (8, 100, 1, 40, 7), (160, 161, 20, 40, 11),
        ]
        for (width, height, columns, view, rows) in table {
            #expect(
                PictureLayout.rows(of: Size(width: width, height: height), columns: columns, height: view) == rows,
                "\(width) x \(height) in \(columns)")
        }
        #expect(PictureLayout.maximum(width: 160) == Size(width: 20, height: 20))
        #expect(PictureLayout.maximum(width: 3) == Size(width: 1, height: 20))
        for (width, height, isOrnament) in [(16, 16, false), (15, 16, true), (16, 15, true), (1, 900, true)] {
            #expect(PictureLayout.isOrnament(Size(width: width, height: height)) == isOrnament)
        }
    }

    /// A page before and after the visible part is near; more than four pages are far.
    @Test func loadsNearPicturesAndReleasesFarOnes() {
        let table: [(y: Int, distance: PictureLayout.Distance)] = [
            (-60, .far), (-51, .far), (-50, .between), (-21, .between), (-20, .near), (0, .near), (20, .near),
            (21, .between), (50, .between), (51, .far), (900, .far),
        ]
        for (y, distance) in table {
            let frame = Rect(x: 0, y: y, width: 20, height: 10)
            #expect(PictureLayout.distance(of: frame, height: 10) == distance, "\(y)")
        }
    }
}
