import Testing

@testable import FeedParsing

@Suite struct SubscriptionListTests {
    @Test func writesOPMLThatReadsBackEqual() throws {
        let list = [
            ListedSubscription(
                url: "https://a.example/?x=1&y=2", title: "A <b> & \"c\"", homePage: "https://a.example/"),
            ListedSubscription(
                url: "https://b.example/", title: "B &c; & d", folder: "Tech/Swift", tags: ["one", "two"]),
            ListedSubscription(url: "https://c.example/", folder: "Tech"),
            ListedSubscription(url: "https://d.example/", title: "東京 🚴", folder: "Tech/Swift"),
        ]
        let text = OPMLWriter.write(list, title: "t", date: "x")
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(read.problems.isEmpty)
        #expect(read.subscriptions == [list[0], list[2], list[1], list[3]])
    }

    /// Found by fuzzing: such an address was accepted, but lost when written.
    @Test func rejectsAddressesWithControlCharacters() throws {
        let text =
            "<opml><body><outline text='a' xmlUrl=\u{01}\u{02} x/><outline xmlUrl='https://\u{03}a.example/'/></bo"
        #expect(try SubscriptionListReader.read(Array(text.utf8)).subscriptions.map(\.url) == ["https://a.example/"])
    }

    @Test func readsBrokenOPML() throws {
        let text = """
            <opml><body><outline text=News><outline text="A & B" xmlUrl="http://a.example/?x=1&y=2"><outline text="C"
            XMLURL="http://c.example/"/></outline>
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(read.subscriptions.map(\.url) == ["http://a.example/?x=1&y=2", "http://c.example/"])
        #expect(read.subscriptions[0].title == "A & B")
        #expect(!read.problems.isEmpty)
    }

    /// Spellings of an address are one feed in a list, with the folders of all of them.
    @Test func joinsSpellingsOfAnAddress() throws {
        let text = """
            <opml><body><outline text="A"><outline text="One" xmlUrl="http://N.Example:80/one"/></outline>
            <outline text="B"><outline xmlUrl="http://n.example/one"/><outline xmlUrl="http://n.example/one#x"/></outline>
            <outline xmlUrl="http://n.example:8080/one"/></body></opml>
            """
        let read = try SubscriptionListReader.read(Array(text.utf8)).subscriptions
        #expect(read.map(\.url) == ["http://N.Example:80/one", "http://n.example:8080/one"])
        #expect(read.first?.folder == "A" && read.first?.tags == ["B"] && read.first?.title == "One")
    }

    /// Newsraft's minutes between reloads and limits of entries are no names, and its file needs no sections.
    @Test func readsTheNumbersOfNewsraft() throws {
        let text = """
            https://a.example/ "Own" [30]
            https://b.example/ [0] {100}
            https://c.example/x[1] "C" {9}
            https://d.example/ Word
            """
        let read = try SubscriptionListReader.read(Array(text.utf8), isNewsraft: true)
        #expect(read.subscriptions.map(\.title) == ["Own", nil, "C", "Word"])
        #expect(read.subscriptions.map(\.url).contains("https://c.example/x[1]"))
        #expect(
            read.problems.map(\.message.description).map { $0.split(separator: ": ").last.map(String.init) } == [
                "reload-period 30", "reload-period 0; item-limit 100", "item-limit 9",
            ])
    }

    /// A `#` at the beginning of a word starts a comment (newsboat), unless it is quoted.
    @Test func readsCommentsBehindTags() throws {
        let text = """
            https://a.example/ news   # Weekly by Ann
            https://b.example/ "~Own name" # mine
            https://c.example/#top "# kept" tag
            https://d.example/ #x
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(
            read.subscriptions == [
                ListedSubscription(url: "https://a.example/", tags: ["news"]),
                ListedSubscription(url: "https://b.example/", title: "Own name"),
                ListedSubscription(url: "https://c.example/#top", tags: ["# kept", "tag"]),
                ListedSubscription(url: "https://d.example/"),
            ])
    }

    /// A name in newsraft's file is in quotation marks; a word beside it is none.
    @Test func readsNewsraftsNamesBesideWords() throws {
        let text = """
            @ Sport
            https://a.example/ road "The long climb"
            https://b.example/ "Gravel" late
            https://c.example/ Bare
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(read.subscriptions.map(\.title) == ["The long climb", "Gravel", "Bare"])
        #expect(read.subscriptions.map(\.tags) == [["road"], ["late"], []])
    }

    /// A feed can be in one folder only, so the others become tags.
    @Test func joinsAFeedOfSeveralFolders() throws {
        let feed = { (name: String) in "<outline text='\(name)' type='rss' xmlUrl='https://a.example/'/>" }
        let text = """
            <opml><body>\(feed("https://a.example/"))<outline text='Fruit'><outline text='Red'>\(feed("Apple"))</outline></outline>
            <outline text='Blogs'>\(feed("Other"))</outline><outline text='Blogs'>\(feed("Third"))</outline></body></opml>
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(
            read.subscriptions == [
                ListedSubscription(url: "https://a.example/", title: "Apple", folder: "Fruit/Red", tags: ["Blogs"])
            ])
    }

    /// FreshRSS lists pages from which it extracts entries.
    @Test(arguments: ["HTML+XPath", "XML+XPath", "JSON+DotPath", "JSON+DotNotation", "html+xpath+json+dotnotation"])
    func namesPagesThatAreNoFeeds(type: String) throws {
        let text = """
            <opml><body><outline text="Cut out" type="\(type)" xmlUrl="https://a.example/news"/>
            <outline text="b" type="JSONFeed" xmlUrl="https://b.example/"/></body></opml>
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(read.subscriptions.map(\.url) == ["https://b.example/"])
        #expect(read.problems.map(\.description) == ["'Cut out' is no feed: FreshRSS extracts its entries (\(type))"])
    }

    @Test func readsTheURLsFileOfNewsboat() throws {
        let text = """
            # comment
            https://a.example/feed "tech" "~A \\"name\\"" swift
            "query:Unread:unread = \\"yes\\""
            "exec:/bin/fetch a b" ! made
            gopher://c.example/
            http://b.example/
            https://a.example/feed tech late
            http://h.example/ "!later" x
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        var made = ListedSubscription(url: "exec:/bin/fetch a b", tags: ["made"])
        made.isHidden = true
        // A tag hides the feed, too, and stays a tag.
        var tagged = ListedSubscription(url: "http://h.example/", tags: ["!later", "x"])
        tagged.isHidden = true
        // A repeated line adds its tags.
        #expect(
            read.subscriptions == [
                ListedSubscription(
                    url: "https://a.example/feed", title: "A \"name\"", tags: ["tech", "swift", "late"]), made,
                ListedSubscription(url: "http://b.example/"), tagged,
            ])
        #expect(read.queries == [ListedQuery(name: "Unread", filter: "unread = \"yes\"")])
        #expect(read.problems.map(\.line) == [5])
    }

    @Test func readsTheFeedsFileOfNewsraft() throws {
        let text = """
            @ News {reload-period 10}
            https://a.example/feed "A name"
            @ Tech
            https://b.example/
            """
        let read = try SubscriptionListReader.read(Array(text.utf8))
        #expect(
            read.subscriptions == [
                ListedSubscription(url: "https://a.example/feed", title: "A name", folder: "News"),
                ListedSubscription(url: "https://b.example/", folder: "Tech"),
            ])
    }

    @Test(arguments: ["", "  ", "<html></html>", "<rss><channel/></rss>", "just some words", "#only\n#comments"])
    func rejectsDocumentsThatAreNoLists(text: String) {
        #expect(throws: SubscriptionListReader.NoList.self) { try SubscriptionListReader.read(Array(text.utf8)) }
    }
}

@Suite(.timeLimit(.minutes(10))) struct LongSubscriptionListTests {
    @Test func truncatesHugeListsAndSaysSo() throws {
        let lines = (0..<100_050).map { "https://h\($0).example/\r\n" }.joined()
        let reading = try SubscriptionListReader.read(Array(lines.utf8))
        #expect(reading.subscriptions.count == 100_000)
        #expect(reading.subscriptions.last?.url == "https://h99999.example/")
        #expect(reading.problems.map(\.description) == ["only the first 100000 feeds were read"])
    }

    @Test func writesAndReadsFoldersOfFeeds() throws {
        let list = (0..<8000).map { ListedSubscription(url: "https://h\($0).example/", folder: "Folder \($0)") }
        let text = OPMLWriter.write(list, title: "t", date: "d")
        #expect(try SubscriptionListReader.read(Array(text.utf8)).subscriptions.map(\.folder) == list.map(\.folder))
    }
}
