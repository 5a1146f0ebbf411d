import CCurl
import CommonTesting
import Foundation
import LoopbackServer
import Testing

@testable import Fetching
@testable import WebAddresses

/// Each kind of request as sent, and the handling of each kind of response.
@Suite(.timeLimit(.minutes(5))) struct FollowsRules {
    // MARK: Redirects

    /// Five statuses redirect if they name an address; all others are answers.
    @Test(arguments: [200, 204, 300, 301, 302, 303, 304, 305, 307, 308, 400, 404, 500])
    func followsRedirectStatuses(status: Int) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .init("end") : .init(status, headers: ["Location": "/end"])
        }
        let leads = [301, 302, 303, 307, 308].contains(status)
        #expect(ccurl_is_redirect(status) == leads)
        let answer = try await Fetcher().fetch(FetchRequest(url: server.url("/start")))
        #expect(answer.status == (leads ? 200 : status))
        #expect(answer.effectiveURL == server.url(leads ? "/end" : "/start"))
        #expect(answer.permanentURL == (status == 301 || status == 308 ? server.url("/end") : nil))
        let bare = try LoopbackServer { _ in .init(status, body: Array("page".utf8)) }
        // A redirect without an address is an answer with its page.
        let page = try await Fetcher().fetch(FetchRequest(url: bare.url("/")))
        #expect(page.status == status)
        if leads { #expect(page.body == Array("page".utf8)) }
    }

    @Test func followsNoRedirectOfAMessage() async throws {
        let server = try LoopbackServer { request in
            .init(302, headers: ["Location": "/other"], body: Array("moved".utf8))
        }
        for (method, body) in [("POST", "a=b"), ("PUT", "{}"), ("DELETE", "")] {
            var request = FetchRequest(url: server.url("/\(method)"))
            request.message = FetchMessage(method, Array(body.utf8), contentType: "x/\(method.lowercased())")
            let answer = try await Fetcher().fetch(request)
            #expect(answer.status == 302 && answer.body == Array("moved".utf8))
            let sent = try #require(server.requests.last)
            #expect(sent.method == method && sent.path == "/\(method)" && sent.body == Array(body.utf8))
            #expect(sent.headers["content-type"] == "x/\(method.lowercased())" && sent.headers["expect"] == nil)
        }
        #expect(server.requests.count == 3)
    }

    @Test func sendsValidatorsAndRangesUnchanged() async throws {
        let server = try LoopbackServer { _ in .init("x") }
        for (etag, modified) in [(nil, nil), ("\"a\"", nil), (nil, "Sun"), ("W/\"a\"", "Mon")] as [(String?, String?)] {
            _ = try await Fetcher().fetch(FetchRequest(url: server.url("/"), etag: etag, lastModified: modified))
            let headers = try #require(server.requests.last).headers
            #expect(headers["if-none-match"] == etag && headers["if-modified-since"] == modified)
            #expect(headers["range"] == nil && headers["if-range"] == nil && headers["content-type"] == nil)
        }
        let folder = TemporaryFolder()
        let file = try folder.open("file")
        defer { try? file.close() }
        for validator in [nil, "\"v\""] {
            var request = FetchRequest(url: server.url("/"))
            request.file = FetchFile(descriptor: file.fileDescriptor, range: 100..<200, validator: validator)
            _ = try await Fetcher().fetch(request)
            let headers = try #require(server.requests.last).headers
            #expect(headers["range"] == "bytes=100-199" && headers["if-range"] == validator)
            // A range of a compressed body is no range of the file.
            #expect(headers["accept-encoding"] == nil)
        }
    }

    /// Responses in a file: a range is appended, a whole document is written from the start, anything else not at all.
    @Test(
        arguments: [
            (206, "bytes 4-7/8", "BODY", 4, "headBODY", nil), (200, nil, "BODY", 4, "BODY", nil),
            (200, nil, "", 4, "", nil), (206, "bytes 0-3/4", "BODY", 0, "BODY", nil),
            (206, "bytes 5-8/9", "BODY", 4, "head", "the server sent a different part of the file"),
            (206, "bytes 0-3/8", "BODY", 4, "head", "the server sent a different part of the file"),
            (206, nil, "BODY", 4, "head", "the server sent a different part of the file"),
            (206, "items 4-7/8", "BODY", 4, "head", "the server sent a different part of the file"),
            (206, "bytes -7/8", "BODY", 0, "head", "the server sent a different part of the file"),
            (206, "bytes 99999999999999999999-7/8", "BODY", 4, "head", "the server sent a different part of the file"),
            (206, "BYTES  4-7/8", "BODY", 4, "headBODY", nil),
            (404, nil, "<html>gone</html>", 4, "head", nil), (416, "bytes */4", "page", 4, "head", nil),
            (500, nil, "page", 4, "head", nil), (302, nil, "page", 4, "head", nil),
        ] as [(Int, String?, String, Int64, String, String?)])
    func writesAnswersIntoFiles(
        status: Int, range: String?, body: String, start: Int64, expected: String, fault: String?
    ) async throws {
        let server = try LoopbackServer { _ in
            .init(status, headers: range.map { ["Content-Range": $0] } ?? [:], body: Array(body.utf8))
        }
        let folder = TemporaryFolder()
        let file = try folder.open("file", "head")
        defer { try? file.close() }
        var request = FetchRequest(url: server.url("/"))
        request.file = FetchFile(descriptor: file.fileDescriptor, range: start..<start + 100, validator: nil)
        let result = await Task { [request] in try await Fetcher().fetch(request) }.result
        switch result {
        case .success(let answer): #expect(answer.status == status && answer.body.isEmpty && fault == nil)
        case .failure(let error): #expect(fault.map { FetchError.cannotWrite($0) } == error as? FetchError, "\(error)")
        }
        #expect(try String(contentsOf: URL(fileURLWithPath: folder.path("file")), encoding: .utf8) == expected)
    }

    /// A blank after the colon is optional, and nothing follows the last byte of the header.
    @Test(arguments: ["Content-Range:bytes 4-7/8", "content-range:\tbytes 4-7/8", "CONTENT-RANGE:   bytes 4-7/8  "])
    func findsTheRangeOfAPart(field: String) async throws {
        let server = try LoopbackServer { _ in
            .init(raw: "HTTP/1.1 206 Part\r\n\(field)\r\nContent-Length:4\r\n\r\nBODY")
        }
        let folder = TemporaryFolder()
        let file = try folder.open("file", "head")
        defer { try? file.close() }
        var request = FetchRequest(url: server.url("/"))
        request.file = FetchFile(descriptor: file.fileDescriptor, range: 4..<8, validator: nil)
        #expect(try await Fetcher().fetch(request).status == 206)
        #expect(try String(contentsOf: URL(fileURLWithPath: folder.path("file")), encoding: .utf8) == "headBODY")
    }

    @Test func limitsFileSize() async throws {
        let server = try LoopbackServer { _ in .init(200, body: [UInt8](repeating: 65, count: 100)) }
        let folder = TemporaryFolder()
        let file = try folder.open("file")
        defer { try? file.close() }
        var request = FetchRequest(url: server.url("/"))
        request.file = FetchFile(descriptor: file.fileDescriptor, range: 0..<10, validator: nil)
        request.limits.body = 100
        #expect(try await Fetcher().fetch(request).status == 200)
        request.limits.body = 99
        await #expect(throws: FetchError.bodyTooLarge(limit: 99)) { try await Fetcher().fetch(request) }
        request.file = FetchFile(descriptor: open("/dev/full", O_WRONLY), range: 0..<10, validator: nil)
        request.limits.body = 100
        let error = await #expect(throws: FetchError.self) { try await Fetcher().fetch(request) }
        // A device can't be truncated.
        #expect(error == .cannotWrite(String(cString: strerror(EINVAL))))
        if let file = request.file { close(file.descriptor) }
    }

    /// A truncated document is returned; an empty one is a failure.
    @Test(arguments: [(200, 3, true), (200, 0, false), (404, 3, false), (500, 3, false)])
    func readsTheBeginningOfADocument(status: Int, count: Int, isRead: Bool) async throws {
        let server = try LoopbackServer { _ in .init(status, body: Array("<rss/>".utf8), cutAfter: count) }
        let result = await Task { try await Fetcher().fetch(FetchRequest(url: server.url("/"))) }.result
        switch result {
        case .success(let answer): #expect(isRead && answer.isCut && answer.body == Array("<rs".utf8))
        case .failure: #expect(!isRead)
        }
    }

    /// The time limit covers all redirects together.
    @Test func countsTheTimeOfAllRedirects() async throws {
        let server = try LoopbackServer { request in
            .init(302, headers: ["Location": request.path + "x"], delay: 150)
        }
        var request = FetchRequest(url: server.url("/"))
        (request.limits.totalTimeout, request.limits.redirects) = (400, 20)
        await #expect(throws: FetchError.timedOut) { try await Fetcher().fetch(request) }
        #expect(server.requests.count < 10)
    }

    // MARK: Hosts

    /// The user's proxy replaces that of the environment; its exceptions still apply.
    @Test func prefersTheConfiguredProxy() {
        let proxies = ProxyEnvironment {
            ["http_proxy": "env", "https_proxy": "env", "no_proxy": "a.example"][$0]
        }
        for scheme in ["http", "https"] {
            #expect(proxies.proxy(for: "\(scheme)://b.example/", instead: "own") == "own")
            #expect(proxies.proxy(for: "\(scheme)://b.example/") == "env")
            #expect(proxies.proxy(for: "\(scheme)://a.example/", instead: "own") == nil)
        }
        #expect(proxies.proxy(for: "file:///x", instead: "own") == nil)
    }

    @Test(arguments: [
        ("http://a.example/x?y#z", "http", "a.example", 80), ("HTTPS://A.Example", "https", "a.example", 443),
        ("http://a.example:8080/", "http", "a.example", 8080),
        ("https://u:p@a.example:444?x", "https", "a.example", 444), ("http://[::1]/", "http", "[::1]", 80),
        ("http://[::1]:81#x", "http", "[::1]", 81), ("http://a@b@c.example/", "http", "c.example", 80),
        ("http://0x7f.1/", "http", "127.0.0.1", 80), ("http://a.example:/", "http", "a.example", 80),
    ])
    func readsOrigins(address: String, scheme: String, host: String, port: Int) throws {
        let origin = try #require(Origin(address))
        #expect(origin.scheme == scheme && origin.host == host && origin.port == port)
    }

    @Test(arguments: [
        "", "a.example", "ftp://a.example/", "file:///x", "http:///x", "https://", "http://u@/", "http:/a",
        "https://a\\b/", "http://a.example:x/", "http://a.example:99999/", " http://a.example/", "http://a\t.example/",
    ])
    func findsNoOriginInOtherAddresses(address: String) { #expect(Origin(address) == nil) }

    @Test(arguments: [
        ("http://a.example/", "http://a.example/x", true), ("http://a.example/", "https://a.example/", true),
        ("https://a.example/", "http://A.EXAMPLE:80/", true),
        ("http://a.example:8080/", "http://a.example:8080/", true),
        ("http://a.example:8080/", "https://a.example:8080/", true),
        ("http://a.example/", "http://a.example:8080/", false),
        ("https://a.example/", "https://a.example:80/", false), ("http://a.example/", "http://b.a.example/", false),
        ("http://a.example/", "http://a.example.b/", false), ("http://10.0.0.1/", "http://10.0.0.2/", false),
    ])
    func recognizesTheSameHost(one: String, other: String, isSame: Bool) throws {
        let (first, second) = (try #require(Origin(one)), try #require(Origin(other)))
        #expect(first.isOnSameHost(as: second) == isSame && second.isOnSameHost(as: first) == isSame)
    }

    /// Only the host of the request may be private, wherever its redirects lead.
    @Test(arguments: [true, false]) func allowsOnlyThePrivateHostOfARequest(allows: Bool) throws {
        for (targets, isAllowed) in [
            ([], true), (["http://a.example/x"], true), (["https://a.example/"], true),
            (["http://a.example:81/"], false),
            (["http://b.example/"], false), (["http://b.example/", "http://a.example/"], true),
            (["http://a.example/", "http://b.example/"], false), (["http://u:p@a.example/"], true),
            (["http://a.example@b.example/"], false), (["http://a.example\\@b.example/"], false),
        ] {
            var hop = try #require(RequestHop(FetchRequest(url: "http://a.example/", allowsPrivateHost: allows)))
            for target in targets { try hop.follow(302, to: target) }
            #expect(hop.allowsPrivateHost == (allows && isAllowed), "\(targets)")
        }
    }

    @Test func fetchesOnlyTheWeb() throws {
        var request = FetchRequest(url: "http://a.example/")
        request.limits.redirects = 1
        var hop = try #require(RequestHop(request))
        for target in [
            "file:///x", "ftp://a.example/", "gopher://x", "mailto:a@b", "//", "http://a b/", "http://a\u{7F}/",
            "http://a:x/",
        ] {
            #expect(throws: FetchError.failed("it redirects to an address that is neither http nor https")) {
                try hop.follow(302, to: target)
            }
        }
        try hop.follow(302, to: "HTTP://a.example/1")
        #expect(throws: FetchError.tooManyRedirects) { try hop.follow(302, to: "http://a.example/2") }
        #expect(hop.address == "http://a.example/1")
    }

    /// A redirect's target is resolved as browsers do, and libcurl receives its normal form.
    @Test(arguments: [
        ("/x", "https://a.example/x", true), ("x?y", "https://a.example/dir/x?y", true),
        ("//b.example/x", "https://b.example/x", false), (" /a b\t", "https://a.example/a%20b", true),
        ("?ü", "https://a.example/dir/page?%C3%BC", true), ("https://A.example:443", "https://a.example/", true),
        ("https://bü.example/", "https://xn--b-eha.example/", false),
        ("http://2130706433/", "http://127.0.0.1/", false),
        ("https://a.example/\u{301}@b.example/", "https://a.example/%CC%81@b.example/", true),
        ("\\\\a.example\\x", "https://a.example/x", false), ("/x\\y", "https://a.example/x/y", false),
    ])
    func resolvesTheTargetOfARedirect(target: String, address: String, isOwn: Bool) throws {
        var hop = try #require(
            RequestHop(FetchRequest(url: "https://u:p@a.example/dir/page", allowsPrivateHost: true, headers: ["X: 1"])))
        try hop.follow(302, to: target)
        #expect(hop.address == address)
        #expect(hop.secrets == (isOwn ? ["X: 1", UserInfo.authorization("u:p")] : []))
        #expect(hop.allowsPrivateHost == isOwn)
    }

    /// Explicit credentials replace those in the address; an invalid line is never sent.
    @Test func sendsASingleAuthorization() throws {
        for (address, headers, expected) in [
            ("http://u:p@a.example/", [], [UserInfo.authorization("u:p")]),
            ("http://u:p@a.example/", ["X: 1"], ["X: 1", UserInfo.authorization("u:p")]),
            ("http://u:p@a.example/", ["authorization: Basic x"], ["authorization: Basic x"]),
            ("http://a.example/", ["no colon", "A: b\r\nC: d", "E: f"], ["E: f"]), ("http://@a.example/", [], []),
        ] { #expect(RequestHop(FetchRequest(url: address, headers: headers))?.secrets == expected) }
    }

    @Test(
        arguments: [
            ("https://a.example/x", "https://a.example/x", nil), ("https://u@a.example/", "https://a.example/", "u"),
            ("https://u:p@a.example:81/?q#f", "https://a.example:81/?q#f", "u:p"),
            ("https://@a.example/", "https://a.example/", nil),
            ("https://u%40b:p%2Fq@a.example/", "https://a.example/", "u@b:p/q"),
            ("https://a%zz:p@a.example/", "https://a.example/", "a%zz:p"),
            ("https://a.example/@x", "https://a.example/@x", nil),
            ("https://a.example?u@x", "https://a.example?u@x", nil),
            ("https://a@b:c@d.example/", "https://d.example/", "a@b:c"),
            ("exec:curl https://u:p@a.example/", "exec:curl https://u:p@a.example/", nil),
            ("u:p@a.example", "u:p@a.example", nil),
            ("filter:cat:https://u:p@a.example/", "filter:cat:https://a.example/", "u:p"),
        ] as [(String, String, String?)])
    func separatesNamesAndPasswords(address: String, plain: String, pair: String?) {
        let split = UserInfo.split(address)
        #expect(split.address == plain && split.authorization == pair.map { UserInfo.authorization($0) })
    }

    // MARK: Hosts' turns

    /// Two at a time for each host, in order, without blocking other hosts.
    @Test func letsHostsTakeTurns() {
        for maximum in UInt64(1)...3 {
            var queue = HostQueue(maximum: Int(maximum))
            func starts(_ number: UInt64, _ host: String) -> Bool { queue.mayStart(number, host: host) }
            let started = (1...6).filter { starts($0, "a") }
            let isOtherStarted = starts(100, "b")
            #expect(started == Array(1...maximum) && isOtherStarted)
            let order = (1...6).compactMap { queue.next(after: $0) }
            #expect(order == Array(maximum + 1...6))
            let after = [queue.next(after: 1), queue.next(after: 999)]
            // All are finished: as many may start as at first.
            let again = (11...16).filter { starts($0, "a") }
            #expect(after == [nil, nil] && again == Array(11..<11 + maximum))
        }
    }

    /// A slow host blocks no request to another one.
    @Test func hostsNeverBlockEachOther() async throws {
        let slow = try LoopbackServer { _ in .init(200, delay: 20_000) }
        let quick = try LoopbackServer { _ in .init("here") }
        let (fetcher, url) = (Fetcher(), slow.url("/"))
        let waiting = (0..<4).map { _ in Task { try await fetcher.fetch(FetchRequest(url: url)) } }
        #expect(await eventually { slow.requests.count == 2 })
        // Under another name this machine counts as another host.
        var request = FetchRequest(url: quick.url("/").replacing("127.0.0.1", with: "localhost"))
        request.limits.totalTimeout = 15_000
        let own = request
        let isHere = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await fetcher.fetch(own).body) == Array("here".utf8) }
            group.addTask {
                try? await Task.sleep(for: .seconds(15))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        #expect(isHere && slow.requests.count == 2)
        for task in waiting { task.cancel() }
    }

    // MARK: Words

    @Test(arguments: [
        ("", []), ("  \t ", []), ("a b", ["a", "b"]), (" a\t b ", ["a", "b"]), ("'a b' \"c d\"", ["a b", "c d"]),
        ("a'b c'd", ["ab cd"]), ("''", [""]), ("a \"\" b", ["a", "", "b"]), ("a\\ b", ["a b"]), ("'a\\b'", ["a\\b"]),
        ("\"a\\\"b\"", ["a\"b"]), ("\"it's\"", ["it's"]), ("'say \"x\"'", ["say \"x\""]),
        ("a;b|c $D `e`", ["a;b|c", "$D", "`e`"]), ("'open end", ["open end"]), ("a\\", ["a"]), ("a\nb", ["a\nb"]),
    ])
    func splitsWordsWithoutShellExpansion(command: String, words: [String]) {
        #expect(CommandWords.split(command) == words)
    }

    @Test(arguments: [
        [], ["a"], ["a", "b c"], [""], ["it's", "say \"x\"", "back\\slash"], ["tab\there", "$HOME", "-x"],
    ])
    func joinsWordsAsTheyAreSplit(words: [String]) { #expect(CommandWords.split(CommandWords.joined(words)) == words) }

    /// Only the user's own text starts an option, or a command of an editor.
    @Test(arguments: [
        ("%s", "-rf", " -rf"), ("%s", "+!id", " +!id"), ("%s", "https://a", "https://a"), ("-o=%s", "-x", "-o=-x"),
        ("x:%s", "-y", "x:-y"), ("%s", "", ""),
    ])
    func neverBuildsOptionsFromValues(word: String, value: String, expected: String) throws {
        let template = try CommandTemplate(["a", word], .percent("link"))
        #expect(template.arguments(["link": value]) == [expected])
    }

    @Test func findsProgramsInThePath() throws {
        let folder = TemporaryFolder()
        let (script, plain) = (try folder.script("run", "true"), try folder.write("", to: "plain"))
        #expect(CommandWords.path(of: script) == script && CommandWords.path(of: plain) == nil)
        #expect(
            CommandWords.path(of: folder.path("none")) == nil && CommandWords.path(of: "no-such-program-here") == nil)
        let shell = try #require(CommandWords.path(of: "sh"))
        #expect(shell.hasSuffix("/sh") && FileManager.default.isExecutableFile(atPath: shell))
        // A name without a slash is looked up in PATH only, not in the current folder.
        #expect(CommandWords.path(of: "run") != script)
    }

    @Test(arguments: [
        ("exec:a", true), ("filter:a:https://b", true), ("https://a", false), ("xexec:a", false), ("EXEC:a", false),
        ("", false),
    ])
    func distinguishesProgramsFromAddresses(address: String, isOne: Bool) {
        #expect(ProgramFeed.isOne(address) == isOne)
    }

    @Test(
        arguments: [
            ("filter:cat:file:///x", "file:///x"), ("filter:a b:http://x/", "http://x/"),
            ("filter:a:https://b?c=:http://d", "https://b?c=:http://d"), ("filter:a:ftp://b", nil),
        ] as [(String, String?)])
    func readsTheSourceOfAFilter(address: String, source: String?) { #expect(ProgramFeed(address)?.source == source) }

    @Test func limitsProgramOutput() async throws {
        let maximum = 16 << 20
        for (count, isRead) in [(maximum, true), (maximum + 1, false)] {
            let feed = try #require(ProgramFeed("exec:head -c \(count) /dev/zero"))
            let result = await Task { try await feed.run(input: nil) }.result
            switch result {
            case .success(let bytes): #expect(isRead && bytes.count == maximum)
            case .failure(let error): #expect(!isRead && "\(error)".contains("printed more than 16 MiB"))
            }
        }
        // Only the first line of an error is reported, truncated; a program without output has none.
        let loud = try #require(ProgramFeed("exec:sh -c 'echo one >&2; echo two >&2; exit 9'"))
        let error = await #expect(throws: ProgramFeed.Failure.self) { try await loud.run(input: nil) }
        #expect(error?.description == "the program 'sh' failed (9): one")
        let silent = try #require(ProgramFeed("exec:false"))
        let other = await #expect(throws: ProgramFeed.Failure.self) { try await silent.run(input: nil) }
        #expect(other?.description == "the program 'false' failed (1)")
    }

    /// What a program reads and prints is in no file that has a name.
    @Test func cachesNothingOfPrograms() async throws {
        let feed = try #require(ProgramFeed("exec:readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2"))
        let output = String(decoding: try await feed.run(input: [1]), as: UTF8.self).split(separator: "\n")
        #expect(output.count == 3 && output[0].hasPrefix("/memfd:tappa") && output[0].hasSuffix("(deleted)"))
        #expect(output.dropFirst().allSatisfy { $0.hasPrefix("pipe:") })
    }
}
