import Testing

@testable import FeedParsing

/// Lists of subscriptions, line by line and outline by outline.
@Suite struct ListsOfFeedsTests {
    private func read(_ text: String) throws -> SubscriptionListReading {
        try SubscriptionListReader.read(Array(text.utf8))
    }

    private func told(_ feed: ListedSubscription) -> String {
        ([feed.url, feed.title.map { "'\($0)'" }, feed.homePage.map { "home=\($0)" }, feed.folder.map { "in \($0)" }]
            + feed.tags.map { "#\($0)" }
            + [feed.isHidden ? "hidden" : nil])
            .compactMap { $0 }.joined(separator: " ")
    }

    private func outline(_ body: String) throws -> [String] {
        try read("<opml version=\"2.0\"><body>\(body)</body></opml>").subscriptions.map(told)
    }

    // MARK: OPML

    @Test func readsTheAttributesOfAnOutline() throws {
        for (attributes, feed) in [
            ("xmlUrl='https://a.example/'", "https://a.example/"),
            ("XMLURL='https://a.example/' TEXT='A'", "https://a.example/ 'A'"),
            ("xmlUrl='https://a.example/' text='A' title='B'", "https://a.example/ 'B'"),
            ("xmlUrl='https://a.example/' title=' ' text='A'", "https://a.example/ 'A'"),
            ("xmlUrl='https://a.example/' text='R&amp;amp;D &amp;amp;lt;T>'", "https://a.example/ 'R&D <T>'"),
            // Decoding a name until nothing changes would take time with the square of its length.
            ("xmlUrl='https://a.example/' text='A &amp;amp;amp;amp; B'", "https://a.example/ 'A &amp; B'"),
            ("xmlUrl='https://a.example/' text='https://a.example/'", "https://a.example/"),
            ("xmlUrl=' https://a.example/ ' text='A  b'", "https://a.example/ 'A b'"),
            ("xmlUrl='https://a.example/' htmlUrl='https://h.example/'", "https://a.example/ home=https://h.example/"),
            ("xmlUrl='https://a.example/' category='x, y,,x y'", "https://a.example/ #x #y #x y"),
            ("type='rss' url='https://a.example/'", "https://a.example/"),
            ("type='RSS' url='https://a.example/' text='A'", "https://a.example/ 'A'"),
            ("xmlUrl='https://a.example/' url='https://b.example/' type='rss'", "https://a.example/"),
        ] { #expect(try outline("<outline \(attributes)/>") == [feed], "\(attributes)") }
        for attributes in [
            "text='A'", "url='https://a.example/'", "type='link' url='https://a.example/'", "xmlUrl=''",
            "xmlUrl=' ' text='A'", "",
        ] {
            #expect(try outline("<outline \(attributes)/>").isEmpty, "\(attributes)")
        }
    }

    @Test func readsOuterOutlinesAsFolders() throws {
        let feeds = try outline(
            """
            <outline xmlUrl="u1"/><outline text="A"><outline xmlUrl="u2"/><outline title="B" text="x"><outline xmlUrl="u3"><outline xmlUrl="u4"/></outline></outline>
            <outline><outline xmlUrl="u5"/></outline><outline xmlUrl="u6"/></outline><outline text="C"/><outline xmlUrl="u7"/>
            """)
        #expect(feeds == ["u1", "u2 in A", "u3 in A/B", "u4 in A/B", "u5 in A", "u6 in A", "u7"])
    }

    @Test func FEE_03_keepsTheReadingOfABrokenListWithMoreFeeds() throws {
        let broken = try read("<opml><body><outline xmlUrl='u1'/><outline text=A><outline xmlUrl='u2'/></body></opml>")
        #expect(broken.subscriptions.map(told) == ["u1", "u2 in A"] && broken.problems.first?.line == 1)
        #expect(try read("<opml><body/></opml>").subscriptions.isEmpty)
        #expect(try read("<body><outline xmlUrl='u1'/></body>").subscriptions.map(told) == ["u1"])
    }

    @Test func writesValidOPML() {
        var hidden = ListedSubscription(url: "https://h.example/")
        hidden.isHidden = true
        let list = [
            ListedSubscription(
                url: "https://a.example/", title: "A & \"B\"\u{1}", homePage: "https://h.example/", folder: "X/Y",
                tags: ["t", "u"]),
            ListedSubscription(url: "https://b.example/?a&b"), ListedSubscription(url: "c", folder: "X"), hidden,
            ListedSubscription(url: "d", folder: "Z"),
            ListedSubscription(url: "e", folder: "X/Y"), ListedSubscription(url: "f", folder: "/"),
        ]
        #expect(
            OPMLWriter.write(list, title: "My <feeds>", date: "Thu, 01 Jan 1970 00:00:00 GMT") == """
                <?xml version="1.0" encoding="UTF-8"?>
                <opml version="2.0">
                  <head>
                    <title>My &lt;feeds&gt;</title>
                    <dateCreated>Thu, 01 Jan 1970 00:00:00 GMT</dateCreated>
                  </head>
                  <body>
                    <outline type="rss" text="https://b.example/?a&amp;b" xmlUrl="https://b.example/?a&amp;b"/>
                    <outline type="rss" text="https://h.example/" xmlUrl="https://h.example/"/>
                    <outline type="rss" text="f" xmlUrl="f"/>
                    <outline text="X" title="X">
                      <outline type="rss" text="c" xmlUrl="c"/>
                      <outline text="Y" title="Y">
                        <outline type="rss" text="A &amp; &quot;B&quot;" title="A &amp; &quot;B&quot;" xmlUrl="https://a.example/" htmlUrl="https://h.example/" category="t,u"/>
                        <outline type="rss" text="e" xmlUrl="e"/>
                      </outline>
                    </outline>
                    <outline text="Z" title="Z">
                      <outline type="rss" text="d" xmlUrl="d"/>
                    </outline>
                  </body>
                </opml>

                """)
    }

    @Test func leavesOutCharactersInvalidInXML() {
        for (text, kept) in [
            ("a\u{0}b\u{1F}c", "abc"), ("\t\n\r a", "\t\n\r a"), ("\u{FFFE}x\u{FFFF}\u{1FFFE}", "x"),
            ("é🚲\u{FFFD}\u{7F}", "é🚲\u{FFFD}\u{7F}"),
        ] {
            #expect(OPMLWriter.withoutWhatXMLCannotHold(text) == kept)
        }
    }

    // MARK: Lines

    @Test func readsEachLineOfAList() throws {
        for (line, feed) in [
            ("https://a.example/", "https://a.example/"), ("HTTPS://a.example/", "HTTPS://a.example/"),
            ("http://a.example/", "http://a.example/"), ("file:///x", "file:///x"),
            ("feed://a.example/", "feed://a.example/"), ("exec:/bin/x", "exec:/bin/x"),
            ("filter:/bin/x:https://a.example/", "filter:/bin/x:https://a.example/"),
            ("  https://a.example/  a  b ", "https://a.example/ #a #b"),
            ("https://a.example/\ta\tb", "https://a.example/ #a #b"),
            ("https://a.example/ \"two words\" x", "https://a.example/ #two words #x"),
            ("https://a.example/ \"a \\\"b\\\" \\\\ c\"", "https://a.example/ #a \"b\" \\ c"),
            ("https://a.example/ a a b a", "https://a.example/ #a #b"),
            ("https://a.example/ ~Name x", "https://a.example/ 'Name' #x"),
            ("https://a.example/ ~ x", "https://a.example/ #x"),
            ("https://a.example/ \"~A name\" ~Other", "https://a.example/ 'Other'"),
            ("https://a.example/ ! x", "https://a.example/ #x hidden"),
            ("https://a.example/ {x}", "https://a.example/"), ("https://a.example/ \"é\"", "https://a.example/ #é"),
            ("\"exec:/bin/x \\\"y z\\\"\" t", "exec:/bin/x \"y z\" #t"),
            ("https://a.example/ \"\" x", "https://a.example/ # #x"),
            ("https://a.example/ a\\b", "https://a.example/ #a\\b"),
        ] {
            for end in ["", "\n", "\r\n"] { #expect(try read(line + end).subscriptions.map(told) == [feed], "\(line)") }
        }
    }

    /// Some programs escape addresses twice, and a category may be a path.
    @Test func readsAddressesThatWereEscapedTwice() throws {
        let outline = """
            <outline type="rss" text="Rock" xmlUrl="https://a.example/?a=1&amp;amp;b=2" category="/Music/Rock, /old"/>
            """
        let list = try read("<opml version=\"2.0\"><body>\(outline)</body></opml>")
        #expect(list.subscriptions.map(told) == ["https://a.example/?a=1&b=2 'Rock' #Music/Rock #old"])
    }

    @Test func mergesRepeatedLines() throws {
        for (first, second, feed) in [
            ("a", "b a", "https://a.example/ #a #b"), ("~A", "~B", "https://a.example/ 'A'"),
            ("", "~B", "https://a.example/ 'B'"),
            ("!", "!", "https://a.example/ hidden"), ("!", "", "https://a.example/"), ("", "!", "https://a.example/"),
        ] {
            let list = try read("https://a.example/ \(first)\nhttps://b.example/\nhttps://a.example/ \(second)\n")
            #expect(list.subscriptions.map(told) == [feed, "https://b.example/"], "\(first) \(second)")
        }
    }

    /// The import repairs addresses with a scheme of other programs.
    @Test func keepsSchemesOfOtherPrograms() throws {
        let addresses = ["feed:https://a.example/", "itpc://b.example/", "pcast:c.example/", "feed://d.example/"]
        #expect(try read(addresses.joined(separator: "\n")).subscriptions.map(\.url) == addresses)
    }

    @Test func reportsLinesItCannotImport() throws {
        let list = try read(
            "# note\n\ngopher://c.example/ x\r\nhttps://a.example/\n\"query:Late:age > 2\"\nquery:bad\n  #x\nwords\n")
        #expect(list.subscriptions.map(told) == ["https://a.example/"])
        #expect(
            list.problems.map(\.description) == [
                "line 3: 'gopher' entries can't be imported: gopher://c.example/",
                "line 6: a query needs a name and a filter",
                "line 8: 'words' entries can't be imported: words",
            ])
        #expect(list.queries == [ListedQuery(name: "Late", filter: "age > 2")])
        #expect(try read("\"query:A:b:c\"").queries == [ListedQuery(name: "A", filter: "b:c")])
        let long = try read("https://a.example/\nx:" + String(repeating: "y", count: 100))
        #expect(
            long.problems.first?.message == "'x' entries can't be imported: x:" + String(repeating: "y", count: 58))
    }

    @Test func readsSectionsOfNewsraftAsFolders() throws {
        let list = try read(
            "https://z.example/ word \"Z\" # note\n@ One {reload 1}\nhttps://a.example/ {reload 2} \"A\"\n@Two\n\nhttps://b.example/ plain\n@\nhttps://c.example/ ~C \"D\"\n"
        )
        #expect(
            list.subscriptions.map(told) == [
                "https://z.example/ 'Z' #word", "https://a.example/ 'A' in One", "https://b.example/ 'plain' in Two",
                "https://c.example/ 'C'",
            ])
    }

    /// Settings, feeds of programs and the section of all feeds in newsraft's file.
    @Test func readsSettingsAndProgramsOfNewsraft() throws {
        let list = try read(
            """
            @ Global < reload-period 30
            https://g.example/
            @ Tech < reload-period 60; item-limit 9
            https://a.example/ "A < B" < reload-period 5
            $(curl -s https://b.example/feed) "B"
            $(cat f | head)
            """)
        #expect(
            list.subscriptions.map(told) == [
                "https://g.example/", "https://a.example/ 'A < B' in Tech",
                "exec:curl -s https://b.example/feed 'B' in Tech", "exec:sh -c 'cat f | head' in Tech",
            ])
        #expect(
            list.problems.map(\.message) == [
                "the settings of 'Global' aren't imported; set them in feed options: reload-period 30",
                "the settings of 'Tech' aren't imported; set them in feed options: reload-period 60; item-limit 9",
                "the settings of 'A < B' aren't imported; set them in feed options: reload-period 5",
            ])
    }

    @Test func reportsWhatAQueryLoses() throws {
        let list = try read("\"query:A:unread = 1\" news !")
        #expect(list.queries.map(\.name) == ["A"])
        #expect(
            list.problems.map(\.message) == [
                "the query 'A' becomes a saved search, which has neither tags nor '!': news !"
            ])
    }

    /// Liferea's filters, credentials and search folders.
    @Test func readsLifereasList() throws {
        let list = try read(
            """
            <opml version="1.0"><body><outline title="News" type="folder">
            <outline type="rss" title="A" xmlUrl="https://a.example/f" username="an n" password="p@ss"/>
            <outline type="rss" title="B" xmlUrl="https://b.example/f" filtercmd="clean -x"/></outline>
            <outline type="vfolder" title="Both" matchType="all"><outline type="rule" rule="exact_title" value="giro" additive="true"/>
            <outline type="rule" rule="unread" value="" additive="false"/></outline>
            <outline type="vfolder" title="Any" matchType="any"><outline type="rule" rule="flagged" value=""/>
            <outline type="rule" rule="exact" value="a &quot;b"/></outline>
            <outline type="vfolder" title="Odd"><outline type="rule" rule="moon" value="1"/></outline>
            <outline type="vfolder" title="Empty"/></body></opml>
            """)
        #expect(
            list.subscriptions.map(told) == [
                "https://an%20n:p%40ss@a.example/f 'A' in News", "filter:clean -x:https://b.example/f 'B' in News",
            ])
        #expect(list.queries.map(\.query) == ["title:\"giro\" -is:unread", "is:starred or \"a  b\""])
        #expect(
            list.problems.map(\.message) == [
                "the search folder 'Odd': tappa has no equivalent of its rule 'moon'",
                "the search folder 'Empty': it has no rules",
            ])
    }

    @Test func explainsWhyAFileIsNoList() {
        for (text, reason) in [
            ("", "the file is empty"), (" \n", "the file is empty"), ("#only\n", "no feeds found"),
            ("words\n", "this is neither OPML nor a list of addresses"),
            ("<html/>", "this is not OPML"), ("query:x\n", "this is neither OPML nor a list of addresses"),
        ] {
            do {
                _ = try SubscriptionListReader.read(Array(text.utf8))
                Issue.record("\(text) is a list")
            } catch { #expect(error.description == reason, "\(text)") }
        }
    }

    @Test func limitsTheFeedsOfAList() throws {
        var reading = SubscriptionListReading()
        reading.subscriptions = Array(repeating: ListedSubscription(url: "u"), count: 99_999)
        let hasRoom = reading.hasRoom
        #expect(hasRoom && reading.problems.isEmpty)
        reading.subscriptions.append(ListedSubscription(url: "u"))
        let (second, third) = (reading.hasRoom, reading.hasRoom)
        #expect(!second && !third && reading.problems.map(\.message) == ["only the first 100000 feeds were read"])
        let long = try read("<opml>" + (0...100_000).map { "<outline xmlUrl='u\($0)'/>" }.joined() + "</opml>")
        #expect(
            long.subscriptions.count == 100_000
                && long.problems.map(\.message) == ["only the first 100000 feeds were read"])
    }
}
