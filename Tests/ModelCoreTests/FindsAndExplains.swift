import Foundation
import LibraryKernel
import LibraryTesting
import LoopbackServer
import Testing
import WebAddresses

@testable import FeedParsing
@testable import Feeds
@testable import Fetching
@testable import ModelCore

/// Addresses as people and sites write them, and why a site doesn't answer with a feed.
@Suite struct FindsAndExplains {
    private static let feed =
        "<rss version=\"2.0\"><channel><title>Found</title><item><title>One</title><guid>1</guid></item></channel></rss>"

    private func answer(
        _ status: Int, _ headers: [String: String] = [:], _ body: String = "",
        from url: String = "https://a.example/feed"
    ) -> FetchResponse {
        FetchResponse(
            status: status, body: Array(body.utf8), headers: headers, effectiveURL: url, permanentURL: nil,
            isCut: false,
            seconds: 0)
    }

    /// A refusal says who refuses and what to do.
    @Test func explainsRefusals() {
        let cloudflare = "Cloudflare keeps feed readers out (403). Ask the site to let its feed through."
        let anubis = "Anubis keeps feed readers out (200). Ask the site to let its feed through."
        let challenge = "<script src=\"/.within.website/x/cmd/anubis/static/js/main.mjs\"></script>"
        let page = "<html><head><title>\n Members &amp; friends only </title></head></html>"
        #expect(Refusal.sentence(for: answer(403, ["cf-mitigated": "challenge"])) == cloudflare)
        let platform = "<script>a='/cdn-cgi/challenge-platform/h/g'</script>"
        #expect(Refusal.sentence(for: answer(403, ["server": "cloudflare"], platform)) == cloudflare)
        #expect(Refusal.guardian(of: answer(200, [:], challenge)) == anubis)
        #expect(Refusal.guardian(of: answer(200, [:], "<script id=\"anubis_version\">1</script>")) == anubis)
        for body in [
            "<title>Attention Required! | Cloudflare</title>", "<title>Just a moment...</title>", "error code: 1020",
        ] { #expect(Refusal.sentence(for: answer(403, ["server": "cloudflare"], body)) == cloudflare, "\(body)") }
        #expect(
            Refusal.sentence(for: answer(403, [:], "<HTML><TITLE>Denied</TITLE>"))
                == "access denied (403): the site shows the page \"Denied\"")
        #expect(Refusal.guardian(of: answer(200, ["server": "cloudflare"], page)) == nil)
        for status in [403, 429] {
            let refused = answer(status, from: "https://www.reddit.com/r/cycling/.rss")
            #expect(
                Refusal.sentence(for: refused)
                    == "Reddit refuses feeds without a key (\(status)). Sign in, copy the address from reddit.com/prefs/feeds, "
                    + "and follow that.")
        }
        #expect(Refusal.sentence(for: answer(403, from: "https://notreddit.com/")) == "access denied (403)")
        #expect(
            Refusal.sentence(for: answer(403, [:], page))
                == "access denied (403): the site shows the page \"Members & friends only\"")
        #expect(Refusal.sentence(for: answer(403, [:], "<title></title>")) == "access denied (403)")
        #expect(Refusal.sentence(for: answer(404, [:], page)) == "not found (404)")
    }

    /// A page that keeps programs out is named in the feed's error, with any status.
    @Test func namesGuardsOfFeeds() async throws {
        let page = "<html><body><a href=\"/.within.website/x/cmd/anubis/\">why</a></body></html>"
        let server = try LoopbackServer { _ in .init(page, type: "text/html") }
        let (library, id) = try await Library.following(server.url("/"))
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        let error = try library.feeds.health(of: id)?.error
        #expect(error == "Anubis keeps feed readers out (200). Ask the site to let its feed through.")
    }

    /// A date in the future isn't sent back, because nothing would ever be newer.
    @Test func ignoresDatesOfWrongClocks() async throws {
        let future = "Fri, 01 Jan 2100 00:00:00 GMT"
        let server = try LoopbackServer { _ in .init(FindsAndExplains.feed, headers: ["Last-Modified": future]) }
        let library = try await Library.following(server.url("/")).library
        let service = ReloadService(library: library)
        for _ in 0..<2 { try await service.reload(reason: .insisting) { _ in } }
        #expect(server.requests.map { $0.headers["if-modified-since"] } == [nil, nil])
        let now: Instant = 1_790_000_000
        for header in [nil, "Thu, 01 Jan 1970 00:00:00 GMT", "any words"] {
            #expect(FetchSchedule.lastModified(header, now: now) == header)
        }
    }

    /// A response from the clock's future leaves no validators, because the dates of its entries aren't believed yet.
    @Test func takesDatesOnceTheClockIsRight() async throws {
        let tomorrow = "Wed, 22 Sep 2100 00:00:00 GMT"
        let document =
            "<rss><channel><item><guid>1</guid><title>One</title><pubDate>\(tomorrow)</pubDate></item></channel></rss>"
        let server = try LoopbackServer { _ in .init(document, headers: ["Date": tomorrow, "ETag": "\"1\""]) }
        let library = try await Library.following(server.url("/")).library
        let right = try #require(DateParser.parse(tomorrow))
        for now in [1_790_000_000, right, right + 60] {
            try await ReloadService(library: library, clock: { now }).reload(reason: .insisting) { _ in }
        }
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, "\"1\""])
        #expect(try library.entries.rows(in: EntryQuery(.all), limit: 2).map(\.sortDate) == [right])
    }

    /// A feed is found by the header of a page, and on the page to which it refers its readers, once.
    @Test func findsFeedsByHeadersAndReferences() async throws {
        let server = try LoopbackServer { request in
            func refers(_ path: String) -> LoopbackServer.Answer {
                .init(
                    "<html><head><meta http-equiv='Refresh' content='0; URL=\"\(path)\"'></head></html>",
                    type: "text/html")
            }
            let link =
                "</style.css>; rel=preload, </all.xml>; rel=\"alternate\"; type=\"application/rss+xml\"; title=\"All\""
            return switch request.path {
            case "/header": .init("<html></html>", type: "text/html", headers: ["Link": link])
            case "/refers": refers("/all.xml")
            case "/refers-twice": refers("/refers")
            case "/refers-to-itself": refers("/refers-to-itself")
            case "/all.xml": .init(FindsAndExplains.feed)
            case "/empty": .init(" \n")
            default: .init(404)
            }
        }
        let all = server.url("/all.xml")
        guard case .page(let links) = try await FeedDiscovery().look(at: server.url("/header")) else {
            Issue.record("no page")
            return
        }
        #expect(links == [FeedLink(url: all, title: "All")])
        guard case .feed(let url, let title, _) = try await FeedDiscovery().look(at: server.url("/refers")) else {
            Issue.record("no feed")
            return
        }
        #expect(url == all && title == "Found")
        await #expect { try await FeedDiscovery().look(at: server.url("/empty")) } throws: {
            "\($0)" == "the document is empty"
        }
        for path in ["/refers-twice", "/refers-to-itself"] {
            await #expect(throws: FeedDiscovery.Failure.self) { try await FeedDiscovery().look(at: server.url(path)) }
        }
    }

    /// Other spellings of a host and its usual port are the same address.
    @Test(arguments: [
        ("http://A.Example:80/f", "http://a.example/f"), ("HTTPS://a.example:443/F?Q#g", "https://a.example/F?Q#g"),
        ("http://a.example:8080/f", "http://a.example:8080/f"), ("http://a.example", "http://a.example"),
        ("http://me:word@A.example/", "http://me:word@A.example/"), ("http://a.example/../b", "http://a.example/../b"),
    ])
    func readsSpellingsOfAddresses(typed: String, address: String) throws {
        #expect(try FeedAddress.read(typed).get() == address)
    }

    /// A link without a scheme that begins with `www.` is an address of the web.
    @Test(arguments: [
        ("www.b.example/x", "https://www.b.example/x"), ("WWW.B.example", "https://www.b.example/"),
        ("www.html", "https://a.example/d/www.html"), ("wwww.b.example", "https://a.example/d/wwww.b.example"),
        ("x/www.b.example", "https://a.example/d/x/www.b.example"),
        ("www..example", "https://a.example/d/www..example"),
    ])
    func resolvesLinksWithoutSchemes(link: String, address: String) {
        #expect(WebAddress.resolve(link, base: "https://a.example/d/page") == address)
    }

    /// A new address that the document names is proposed, not followed.
    @Test func proposesNewAddresses() async throws {
        let new = "https://b.example/feed"
        let server = try LoopbackServer { request in
            let address =
                request.path == "/moved"
                ? new : "http://127.0.0.1:\(request.headers["host"]?.split(separator: ":").last ?? "")/same"
            return .init(
                "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>F</title>"
                    + "<itunes:new-feed-url>\(address)</itunes:new-feed-url><item><guid>1</guid></item></channel></rss>"
            )
        }
        let library = try Library(path: nil)
        let (moved, same) = (server.url("/moved"), server.url("/same"))
        let ids = [try await library.follow(moved), try await library.follow(same)]
        try await ReloadService(library: library).reload(reason: .insisting) { _ in }
        let health = try ids.map { try library.feeds.health(of: $0) }
        #expect(health.map { $0?.problems } == [["the feed asks its readers to follow \(new) instead"], []])
        #expect(health.map { $0?.url } == [moved, same])
    }

    /// A document that ends within its first tag is incomplete.
    @Test func knowsIncompleteDocuments() {
        let start = "<?xml version=\"1.0\"?>\n<!-- A --><rss version=\"2.0\""
        for count in ["<?xml".count, "<?xml version=\"1.0\"?>\n<!-- A".count] + Array((start.count - 17)...start.count)
        {
            #expect(throws: FeedError.incomplete) { try FeedParser.parse(Array(start.prefix(count).utf8)) }
        }
        #expect(throws: FeedError.self) { try FeedParser.parse(Array("<a>".utf8)) }
    }
}
