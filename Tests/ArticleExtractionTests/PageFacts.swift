import Testing

@testable import Articles

/// A page's metadata: title, author, site name, language and dates.
@Suite struct PageFacts {
    private func page(_ head: String, _ body: String = "", address: String? = nil, html: String = "<html>")
        -> ArticlePage
    {
        ArticlePage(html: "\(html)<head>\(head)</head><body>\(body)</body></html>", address: address)
    }

    private func facts(_ json: String) -> String { "<script type='application/ld+json'>\(json)</script>" }

    // MARK: Title

    @Test func removesTheSiteNameFromTitles() {
        for separator in ["|", "-", "–", "—", "\\", "/", "»", "&gt;"] {
            #expect(
                page("<title>A long stage over hills \(separator) News</title>").title == "A long stage over hills",
                "\(separator)")
            #expect(
                page("<title>News \(separator) A long stage over hills</title>").title == "A long stage over hills",
                "\(separator)")
            #expect(
                page("<title>A long stage \(separator) over four hills \(separator) News</title>").title
                    == "A long stage \(separator) over four hills".replacing("&gt;", with: ">"), "\(separator)")
        }
        for (title, expected) in [
            ("Short | X", "Short | X"), ("A long stage over hills|News", "A long stage over hills|News"),
            ("A long-stage over the hills", "A long-stage over the hills"),
            ("| A long stage over hills", "| A long stage over hills"),
            ("Giro: A long stage over hills", "A long stage over hills"),
            ("A very long first part of it: then more words", "A very long first part of it: then more words"),
            ("Giro: Nibali: wins", "Giro: Nibali: wins"),
            ("One: two three: four five six", "One: two three: four five six"),
            ("One: two: three four five six seven", "three four five six seven"), ("Giro:nine", "Giro:nine"),
            ("Giro / Four hills and rain", "Four hills and rain"),
            ("Giro | Four hills and rain", "Giro | Four hills and rain"),
            ("  A  long\n stage over hills ", "A long stage over hills"), ("", ""),
            ("A &amp;amp; B of the long stage", "A & B of the long stage"),
        ] { #expect(page("<title>\(title)</title>").title == expected, "\(title)") }
        #expect(
            page("<title>Giro: A long stage over hills</title>", "<h2>Giro: A long stage over hills</h2>").title
                == "Giro: A long stage over hills")
        // The only heading replaces a title that is too short or too long.
        let long = String(repeating: "word ", count: 31) + "x"
        for title in ["Short one", long] {
            #expect(
                page("<title>\(title)</title>", "<h1>A long stage over four hills</h1>").title
                    == "A long stage over four hills", "\(title)")
            #expect(page("<title>\(title)</title>", "<h1>A long stage over four hills</h1><h1>x</h1>").title == title)
        }
        #expect(page("<title>One</title>", "<svg><title>Two</title></svg>").title == "One")
    }

    @Test func prefersDeclaredTitles() {
        let names = [
            "dc:title", "dc.title", "dcterm:title", "og:title", "weibo:article:title", "title", "twitter:title",
            "parsely-title",
        ]
        for (index, name) in names.enumerated() {
            for later in names[index...] {
                let told =
                    "<meta name='\(later)' content='Told of \(later)'><meta property='\(name)' content='Told of \(name)'>"
                #expect(
                    page(
                        "<title>A long stage over hills</title>"
                            + (later == name ? "<meta name='\(name)' content='Told of \(name)'>" : told)
                    ).title == "Told of \(name)", "\(name) \(later)")
            }
        }
        let meta = "<title>A long stage over hills</title><meta property='og:title' content='Of the meta'>"
        for (json, title) in [
            (#"{"@type":"NewsArticle","headline":"Of the facts"}"#, "Of the facts"),
            (#"{"@type":"NewsArticle","name":"Of the name"}"#, "Of the name"),
            (#"{"@type":"NewsArticle","name":"Same","headline":"Same"}"#, "Same"),
            (
                #"{"@type":"NewsArticle","name":"Other","headline":"A long stage over hills"}"#,
                "A long stage over hills"
            ),
            (
                #"{"@type":"NewsArticle","name":"A long stage over hills","headline":"Other"}"#,
                "A long stage over hills"
            ),
            (#"{"@type":"NewsArticle","name":"One","headline":"Two"}"#, "One"),
            (#"{"@type":"WebPage","name":"Of the page"}"#, "Of the meta"),
            (#"{"@type":"Person","name":"Anna"}"#, "Of the meta"), ("{bad", "Of the meta"),
            (#"{"@type":"NewsArticle","headline":""}"#, "Of the meta"),
        ] { #expect(page(meta + facts(json)).title == title, "\(json)") }
        #expect(
            page("<meta property='og:title' content=''><title>A long stage over hills</title>").title
                == "A long stage over hills")
        #expect(
            page("<meta name=title content='A &amp;quot;b&amp;quot; &amp;#39;c&amp;#039; &amp;lt;&amp;gt;'>").title
                == "A \"b\" 'c' <>")
    }

    // MARK: Who and where

    @Test func readsAuthorsFromEachSource() {
        for (head, byline) in [
            (facts(#"{"@type":"Article","author":"Anna"}"#), "Anna"),
            (facts(#"{"@type":"Article","author":{"name":" Anna  Rossi "}}"#), "Anna Rossi"),
            (
                facts(
                    #"{"@type":"Article","author":[{"name":"Anna"},"Piero",{"name":""},{"name":"https://a.example/"}]}"#
                ), "Anna, Piero"
            ),
            (facts(#"{"@type":"Article"}"#) + facts(#"{"@type":"Article","author":"Anna"}"#), "Anna"),
            (facts(#"{"@type":"Article","author":"Anna"}"#) + "<meta name=author content=Piero>", "Anna"),
            ("<meta name='dc.creator' content=Anna><meta name=author content=Piero>", "Anna"),
            ("<meta name=author content=Anna>", "Anna"), ("<meta name='dc:creator' content=Anna>", "Anna"),
            ("<meta name='dcterms.creator' content=Anna>", "Anna"),
            ("<meta name='parsely-author' content=Anna>", "Anna"),
            ("<meta property='article:author' content=Anna>", "Anna"),
            ("<meta property='article:author' content='https://a.example/anna'>", nil),
            ("<meta property='article:author' content='/anna'>", nil),
            ("<meta name=author content='A &amp;amp; B'>", "A & B"), ("", nil),
        ] as [(String, String?)] { #expect(page(head).byline == byline, "\(head)") }
    }

    @Test func readsSiteNameAndLanguage() {
        for (head, name) in [
            ("<meta property='og:site_name' content='The  News'>", "The News"),
            (
                facts(#"{"@type":"Article","publisher":{"name":"P &amp; Co"}}"#)
                    + "<meta property='og:site_name' content=News>", "P & Co"
            ), (facts(#"{"@type":"Article","publisher":"P"}"#), nil), ("", nil),
        ] as [(String, String?)] { #expect(page(head).siteName == name, "\(head)") }
        for (html, head, language) in [
            ("<html lang=it>", "<meta http-equiv=Content-Language content=de>", "it"), ("<html xml:lang=it>", "", "it"),
            ("<html>", "<meta http-equiv=Content-Language content=de>", "de"),
            ("<html lang=''>", "<meta name=language content=fr>", "fr"), ("<html>", "", nil),
        ] as [(String, String, String?)] { #expect(page(head, html: html).language == language, "\(html) \(head)") }
    }

    @Test func keepsTheFirstOfEqualMetaNames() {
        for attribute in ["property", "name", "itemprop", "http-equiv"] {
            #expect(
                page("<meta \(attribute)=' x Og:Title ' content='One  two'><meta name='og:title' content=Three>").title
                    == "One two", "\(attribute)")
        }
        #expect(
            page("<meta name=title content='\(String(repeating: "x", count: 2000))'>").title.count == 2000
                && page("<meta name=title content='\(String(repeating: "x", count: 2001))'>").title == "")
    }

    // MARK: Facts

    @Test func findsArticleFactsInJSONLD() {
        let article = #"{"@type":"NewsArticle","datePublished":"2010-05-09"}"#
        for json in [
            article, "[\(article)]", "{\"@graph\":[\(article)]}", "{\"mainEntity\":\(article)}",
            "{\"mainEntityOfPage\":\(article)}", "{\"itemListElement\":[{\"item\":\(article)}]}",
            "<![CDATA[\(article)]]>", #"{"datePublished":"2010-05-09"}"#,
            #"{"@type":["Thing","BlogPosting"],"datePublished":"2010-05-09"}"#,
            #"{"@type":"Report","datePublished":"2010-05-09"}"#,
            #"{"@type":"APIReference","datePublished":"2010-05-09"}"#,
            #"{"@type":"WebPage","datePublished":"2010-05-09"}"#,
            #"{"@type":"VideoObject","datePublished":"2010-05-09"}"#,
            #"{"@type":"Recipe","datePublished":"2010-05-09"}"#,
            "{\"@type\":\"Article\",\"x\":\"a\nb\tc\",\"datePublished\":\"2010-05-09\"}",
            #"{"x": bad, "datePublished" : "2010-05-09"}"#, #"{"@type":"Article","datePublished":"2010-05-09"#,
        ] {
            let found = page(facts(json)).published
            #expect(found?.text == "2010-05-09" && found?.isGuessed == false, "\(json)")
        }
        for json in [
            #"{"@type":"Person","datePublished":"2010-05-09"}"#, #"{"x":\#(article)}"#,
            #"{"@type":"Article","datePublished":5}"#,
            String(repeating: "[", count: 6) + article + String(repeating: "]", count: 6),
        ] {
            #expect(page(facts(json)).published == nil, "\(json)")
        }
        #expect(
            page("<script type='text/javascript'>\(article)</script>").published?.isGuessed == true
                && page("<script type='APPLICATION/LD+JSON; x'>\(article)</script>").published != nil)
        // Facts about the article take precedence over those about the page.
        let two =
            facts(#"{"@type":"WebPage","datePublished":"2010-05-08"}"#) + facts(article)
            + facts(#"{"@type":"Article","datePublished":"2010-05-10"}"#)
        #expect(page(two).published?.text == "2010-05-09")
    }

    // MARK: Dates

    private static let published =
        "article:published_time article:published article:published_date article:publicationdate article:post_date datepublished og:article:published_time og:article:published og:published_time og:datepublished og:pubdate og:publish_date og:regdate article.published date_published published_time published-date published_date publisheddate publish-date publish_date publishdate publication_date publicationdate originalpublicationdate pubdate parsely-pub-date sailthru.date bt:pubdate rbpubdate dc.date.issued dcterms.issued dc.date.published dc.date.publication dcterms.created dc.date.created dc.created dc:created citation_publication_date citation_date citation_online_date rnews:datepublished shareaholic:article_published_time vr:published_time video:release_date cxenseparse:recs:publishtime mediator_published_time twt-published-at analyticsattributes.articledate article_date_original article.created dateposted datecreated date_created date-created content_create_date created displaydate doc_date gentime pdate ptime publish_time dcterms.date dc.date dc:date date timestamp"

    private static let updated =
        "article:modified_time article:modified og:updated_time og:modified_time og:article:modified_time datemodified dc.modified dcterms.modified dc.date.modified lastmod last-modified lastmodified modified_time updated_time revision_date bt:moddate"

    @Test func readsEachNameOfADateInOrderOfTrust() {
        func meta(_ name: some StringProtocol, _ date: String) -> String { "<meta name='\(name)' content='\(date)'>" }
        for (names, isPublished) in [(Self.published, true), (Self.updated, false)] {
            let names = names.split(separator: " ")
            for (index, name) in names.enumerated() {
                let other = index + 1 < names.count ? meta(names[index + 1], "2011-01-01") : ""
                let found = page(other + meta(name, "2010-05-09"))
                let (date, none) = isPublished ? (found.published, found.updated) : (found.updated, found.published)
                #expect(
                    date == PageDate(text: "2010-05-09", day: date?.day, isGuessed: false)
                        && date?.day?.text == "2010-05-09" && none == nil, "\(name)")
            }
        }
        let told = facts(#"{"@type":"Article","datePublished":"2010-05-09","dateModified":"2010-05-10"}"#)
        let found = page(
            told + meta("article:published_time", "2011-01-01") + meta("article:modified_time", "2011-01-02"))
        #expect(found.published?.text == "2010-05-09" && found.updated?.text == "2010-05-10")
    }

    @Test func readsMarkedUpDates() {
        for (html, published, updated) in [
            ("<time pubdate datetime=2010-05-09>x</time>", "2010-05-09", nil),
            ("<time class=published datetime=2010-05-09>x</time>", "2010-05-09", nil),
            ("<time class=entry-date datetime=2010-05-09>x</time>", "2010-05-09", nil),
            ("<time class=updated datetime=2010-05-09>x</time>", "2010-05-09", "2010-05-09"),
            ("<time class='updated published' datetime=2010-05-09>x</time>", "2010-05-09", nil),
            ("<time class=modified datetime=2010-05-09>x</time>", "2010-05-09", "2010-05-09"),
            ("<span itemprop=datePublished content=2010-05-09>x</span>", "2010-05-09", nil),
            ("<span itemprop=datePublished>9 May 2010</span>", "9 May 2010", nil),
            ("<span itemprop=datePublished title=2010-05-09>x</span>", "2010-05-09", nil),
            ("<span property='x:dateCreated' content=2010-05-09>x</span>", "2010-05-09", nil),
            ("<span itemprop=dateModified content=2010-05-09>x</span>", nil, "2010-05-09"),
            ("<time pubdate datetime=2010-05-09>x</time><time pubdate datetime=2010-05-10>x</time>", "2010-05-09", nil),
            ("<time pubdate datetime=never>9 May 2010</time>", "9 May 2010", nil),
        ] as [(String, String?, String?)] {
            let found = page("", html)
            #expect(
                found.published?.text == published && found.updated?.text == updated
                    && (published == nil || found.published?.isGuessed == (updated != nil)),
                "\(html): \(found.published?.text ?? "-")")
        }
        // Metadata takes precedence over markup.
        let both = page("<meta name=date content=2011-01-01>", "<time pubdate datetime=2010-05-09>x</time>")
        #expect(both.published?.text == "2011-01-01")
    }

    @Test func adjustsTimesInUTCToTheVisibleDay() {
        for (time, path, shown, day) in [
            ("2010-05-10T00:38:07Z", "2010/05/09/x", "", "2010-05-09"),
            ("2010-05-10T00:38:07Z", "2010/05/11/x", "", "2010-05-11"),
            ("2010-05-10T00:38:07Z", "2010/05/12/x", "", "2010-05-10"),
            ("2010-05-10T00:38:07Z", "x", "9 May 2010", "2010-05-09"),
            ("2010-05-10T00:38:07+00:00", "2010/05/09/x", "", "2010-05-09"),
            ("2010-05-10T00:38:07+0000", "2010/05/09/x", "", "2010-05-09"),
            ("2010-05-10T00:38:07+02:00", "2010/05/09/x", "", "2010-05-10"),
            ("2010-05-10T00:38:07", "2010/05/09/x", "", "2010-05-10"), ("2010-05-10", "2010/05/09/x", "", "2010-05-10"),
            ("2010-05-10T00:38:07Z", "2010/05/10/x", "9 May 2010", "2010-05-10"),
        ] {
            let found = page(
                "<meta name=date content='\(time)'>", "<h1>Title</h1><p class=meta>\(shown)</p>",
                address: "https://a.example/" + path
            ).published
            #expect(found?.day?.text == day && found?.text == time && found?.isGuessed == false, "\(time) \(path)")
        }
    }

    @Test func guessesDatesFromAddressAndVisibleText() {
        let long = String(repeating: "x", count: 60)
        let shown = "<h1>Title</h1><p class=meta>9 May 2010</p>"
        for (head, body, address, day) in [
            ("", shown, "https://a.example/2010/05/08/x", "2010-05-08"),
            ("<link rel=canonical href='https://a.example/2010/05/08/x'>", shown, nil, "2010-05-08"),
            ("<meta property='og:url' content='https://a.example/2010/05/08/x'>", shown, nil, "2010-05-08"),
            ("", shown, "https://a.example/x", "2010-05-09"),
            (
                "<link rel=canonical href='https://a.example/2010/05/07/x'>", shown, "https://a.example/2010/05/08/x",
                "2010-05-08"
            ), ("", "<h1>Title</h1><p>9 May 2010</p>", nil, "2010-05-09"),
            ("", "<p>9 May 2010</p><h1>Title</h1><p>words</p>", nil, "2010-05-09"),
            ("", "<p>9 May 2010</p>", nil, "2010-05-09"),
            ("", "<p>On 9 May 2010, four hills were climbed.</p>", nil, nil),
            ("", "<h1>Title</h1><p>\(String(repeating: "x", count: 60)) 9 May 2010</p>", nil, nil),
            ("", "<h1>Title</h1><footer>9 May 2010</footer>", nil, nil),
            ("", "<p class=meta>8 May 2010</p><h1>Title</h1><p class=meta>9 May 2010</p>", nil, "2010-05-09"),
            ("", "<p class=meta>7 May 2010</p><p class=meta>8 May 2010</p><h1>Title</h1>", nil, "2010-05-08"),
            ("", "<p class=meta>7 May 2010</p><p class=meta>8 May 2010</p>", nil, "2010-05-07"),
            ("", "<h1>Title</h1><abbr title=2010-05-09>x</abbr>", nil, "2010-05-09"),
            ("", "<h1>Title</h1><time datetime=2010-05-09>x</time>", nil, "2010-05-09"),
            ("", "<h1>Title</h1><div class='meta comment'>\(long) 9 May 2010</div>", nil, nil),
            ("", "<h1>Title</h1><div class=sidebar><p class=meta>\(long) 9 May 2010</p></div>", nil, nil),
            ("", "<h1>Title</h1><p class=meta>9 May 1989</p>", nil, nil),
        ] as [(String, String, String?, String?)] {
            let found = page(head, body, address: address).published
            #expect(
                found?.day?.text == day && found?.isGuessed != false,
                "\(head) \(body) \(address ?? "-"): \(found?.day?.text ?? "-")")
        }
        for name
            in "date datum fecha time publish posted post-meta post_meta entry-meta entry_meta meta byline dateline created submitted tarih pubdate info author"
            .split(separator: " ")
        {
            #expect(
                page("", "<p class='x-\(name)'>\(String(repeating: "x", count: 70)) 9 May 2010</p>").published?.day?
                    .text == "2010-05-09", "\(name)")
        }
        let early = String(repeating: "x", count: 70)
        #expect(
            page("", "<p class=plain>\(early) 9 May 2010</p>").published == nil
                && page("", "<p class=meta>\(early) \(early) 12345678901234567 9 May 2010</p>").published == nil)
    }

    @Test func readsAmericanDatesMonthFirst() {
        for (language, day) in [
            ("en", "2010-09-05"), ("en-US", "2010-09-05"), ("en_us", "2010-09-05"), ("en-GB", "2010-05-09"),
            ("it", "2010-05-09"), ("", "2010-05-09"),
        ] {
            #expect(
                page("<meta name=date content='9/5/2010'>", html: "<html lang='\(language)'>").published?.day?.text
                    == day, "\(language)")
        }
    }

    @Test func rejectsImplausibleDates() {
        for (date, day) in [
            ("1995-01-01", "1995-01-01"), ("Thu, 01 Jan 1990 00:00:00 GMT", nil), ("1273363200", "2010-05-09"),
            ("2010-05-09T10:00:00Z", "2010-05-09"), ("on 9 May 2010", "2010-05-09"), ("2101-01-01", nil),
            ("2100-12-31", "2100-12-31"), (String(repeating: "x", count: 53) + " 2010-05-09", "2010-05-09"),
            (String(repeating: "x", count: 54) + " 2010-05-09", nil), ("never", nil),
        ] as [(String, String?)] {
            let found = page("<meta name=date content='\(date)'>").published?.day?.text
            #expect(found == day || date.hasPrefix("Thu"), "\(date): \(found ?? "-")")
        }
    }
}
