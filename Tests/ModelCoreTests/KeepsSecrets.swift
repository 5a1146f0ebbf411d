import CommonTesting
import Fetching
import Foundation
import LibraryTesting
import Synchronization
import Testing
import WebAddresses

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// The secrets file: who receives which secret, what is deleted, and what each source of passwords needs.
@Suite(.timeLimit(.minutes(2)), .serialized) struct KeepsSecrets {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("l.sqlite") }

    private func text() throws -> String {
        try String(contentsOf: URL(fileURLWithPath: path + ".secrets"), encoding: .utf8)
    }

    private func mode() -> mode_t {
        var status = stat()
        return stat(path + ".secrets", &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test(arguments: [true, false]) func storesEachSecretUnderItsReference(isFile: Bool) throws {
        let store = SecretStore(library: isFile ? path : nil)
        #expect(store.path == (isFile ? path + ".secrets" : nil))
        let secrets = (0..<3).map { Secret(user: "u\($0)", password: .kept("p\($0)"), headers: ["X: \($0)"]) }
        let references = try store.keep(secrets)
        #expect(Set(references).count == 3 && references.allSatisfy { SecretStore.isReference($0) })
        #expect(!SecretStore.isReference("X: secret:1") && !SecretStore.isReference(""))
        for (number, reference) in references.enumerated() {
            #expect(try store.password(of: reference, for: "https://a.example/") == "p\(number)")
            #expect(
                try store.resolve(["A: b", reference], for: "https://a.example/")
                    == ["A: b", "X: \(number)", UserInfo.authorization("u\(number):p\(number)")])
            #expect(
                try store.lines(of: secrets[number], for: "https://a.example/")
                    == ["X: \(number)", UserInfo.authorization("u\(number):p\(number)")])
            #expect(try store.password(of: secrets[number], for: "https://a.example/") == "p\(number)")
        }
        // The authorization of a login belongs to one account and is deleted with it.
        store.keep(authorization: "alice/1", of: references[0])
        store.keep(authorization: "bob/1", of: references[1])
        #expect(references.map(store.authorization) == ["alice/1", "bob/1", nil])
        store.keep(authorization: nil, of: references[1])
        #expect(references.map(store.authorization) == ["alice/1", nil, nil])
        store.forget(references[0])
        #expect(store.authorization(of: references[0]) == nil)
        #expect(throws: SecretProblem.self) { try store.password(of: references[0], for: "https://a.example/") }
        #expect(try store.password(of: references[2], for: "https://a.example/") == "p2")
        if isFile {
            let other = SecretStore(library: path)
            #expect(try other.password(of: references[2], for: "https://a.example/") == "p2")
            #expect(try !text().contains("p0") && mode() == 0o600)
        }
        #expect(try store.keep([]) == [])
        #expect(Secret().isEmpty && !Secret(user: "u").isEmpty && !Secret(headers: ["X: 1"]).isEmpty)
    }

    /// A file that others can read is protected before it is used.
    @Test func protectsTheFile() throws {
        let store = SecretStore(library: path)
        let reference = try store.keep(Secret(headers: ["X: 1"]))
        chmod(path + ".secrets", 0o644)
        #expect(try store.resolve([reference], for: "https://a.example/") == ["X: 1"])
        #expect(mode() == 0o600)
    }

    /// Header lines alone need no password; a name or a password needs both.
    @Test func sendsAKnownAuthorization() throws {
        let store = SecretStore(library: nil)
        setenv("TAPPA_TEST_KEY", "k", 1)
        for (secret, lines) in [
            (Secret(headers: ["X: 1", "Y: 2"]), ["X: 1", "Y: 2"]),
            (Secret(user: "u", password: .kept("")), [UserInfo.authorization("u:")]),
            (Secret(password: .kept("p")), [UserInfo.authorization(":p")]),
            (Secret(user: "u", password: .environment("TAPPA_TEST_KEY")), [UserInfo.authorization("u:k")]),
        ] {
            #expect(try store.lines(of: secret, for: "https://a.example/") == lines)
            #expect(try store.resolve([store.keep(secret)], for: "https://a.example/") == lines)
        }
        #expect(
            throws: SecretProblem(description: "the variable TAPPA_NO_SUCH for the password is not set")
        ) {
            try store.lines(of: Secret(user: "u", password: .environment("TAPPA_NO_SUCH")), for: "https://a.example/")
        }
    }

    /// A program that prompts the user runs once; a failure isn't cached.
    @Test func runsAPasswordProgramOnce() throws {
        let store = SecretStore(library: nil)
        let runs = Mutex<[[String]]>([])
        let outputs = Mutex<[String?]>([nil, "", "\n\n", "first\nsecond\n"])
        let secret = Secret(user: "u", password: .command(["pass", "a b"]))
        let reference = try store.keep(secret)
        let refused = SecretProblem(description: "the password command pass failed, printed nothing or took too long")
        #expect(throws: refused) { try store.resolve([reference], for: "https://a.example/") }
        store.setRunner { words in
            runs.withLock { $0.append(words) }
            return outputs.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        for _ in 0..<3 { #expect(throws: refused) { try store.resolve([reference], for: "https://a.example/") } }
        for _ in 0..<3 {
            #expect(try store.resolve([reference], for: "https://a.example/") == [UserInfo.authorization("u:first")])
        }
        #expect(runs.withLock { $0 } == Array(repeating: ["pass", "a b"], count: 4))
    }

    /// The netrc file is that in NETRC, otherwise the user's; only web addresses have hosts in it.
    @Test func readsPasswordsFromNetrc() throws {
        let store = SecretStore(library: nil)
        let file = try folder.write(
            "machine a.example login u password p\nmachine a.example login v password q\n", to: "netrc")
        chmod(file, 0o600)
        let (previous, home) = (getenv("NETRC").map { String(cString: $0) }, getenv("HOME").map { String(cString: $0) })
        defer {
            if let previous { setenv("NETRC", previous, 1) } else { unsetenv("NETRC") }
            if let home { setenv("HOME", home, 1) }
        }
        setenv("NETRC", file, 1)
        func line(_ user: String?, _ password: Secret.Password?, _ address: String) throws -> [String] {
            try store.lines(of: Secret(user: user, password: password), for: address)
        }
        #expect(try line("v", .netrc, "https://A.example:444/x") == [UserInfo.authorization("v:q")])
        #expect(try line("u", nil, "https://a.example/") == [UserInfo.authorization("u:p")])
        #expect(try line(nil, .netrc, "https://a.example/") == [UserInfo.authorization("u:p")])
        #expect(throws: SecretProblem(description: "\(file) has no password for b.example")) {
            try line("u", .netrc, "https://b.example/")
        }
        #expect(throws: SecretProblem(description: "a password can only be used with a web address")) {
            try line("u", .netrc, "file:///x")
        }
        chmod(file, 0o640)
        #expect(
            throws: SecretProblem(
                description: "\(file) is readable by others and was ignored; run 'chmod 600 \(file)'")
        ) {
            try line("u", .netrc, "https://a.example/")
        }
        unsetenv("NETRC")
        setenv("HOME", folder.url.path, 1)
        #expect(
            throws: SecretProblem(
                description: "no password: use --password-command, TAPPA_PASSWORD_HOME or ~/.netrc")
        ) {
            try line("u", .netrc, "https://a.example/")
        }
    }

    /// Secrets that arrived with a library from elsewhere run no program and read no variable; others stay.
    @Test func storesNoPasswordsOfProgramsOrEnvironment() throws {
        #expect(SecretStore(library: path).removeIndirectPasswords() == 0)
        #expect(!FileManager.default.fileExists(atPath: path + ".secrets"))
        let store = SecretStore(library: path)
        let references = try store.keep([
            Secret(user: "a", password: .kept("p")), Secret(user: "b", password: .command(["evil"])),
            Secret(user: "c", password: .environment("HOME")), Secret(user: "d", password: .netrc),
            Secret(headers: ["X: 1"]),
        ])
        #expect(store.removeIndirectPasswords() == 2)
        for (reference, isKept) in zip(references, [true, false, false, true, true]) {
            #expect(try text().contains(reference) == isKept)
        }
        #expect(store.removeIndirectPasswords() == 0)
    }

    /// Addresses of new feeds lose their credentials, which move to the secrets file if they are used.
    @Test func rejectsAddressesWithPasswords() async throws {
        let library = try Library(path: path)
        let steps = try await SyncSteps()
        func headers(_ library: Library, _ url: String) throws -> [String] {
            let id = try #require(try library.feeds.feed(url: url)?.id)
            let request = try #require(try library.feeds.requests(for: [id])[id])
            return try library.secrets.resolve(request.headers, for: url)
        }
        let own = try library.secrets.keep(Secret(headers: ["X: own"]))
        let feeds = [
            NewSubscription(url: "https://u:p@a.example/1"), NewSubscription(url: "https://a.example/2"),
            NewSubscription(url: "https://u:q@a.example/3", headers: [own]),
            NewSubscription(url: "https://@a.example/4"),
            NewSubscription(url: "https://v@a.example/5"),
        ]
        try await library.changes.perform(.subscribe(feeds, now: 1))
        #expect(try library.feeds.all().map(\.url) == (1...5).map { "https://a.example/\($0)" })
        #expect(
            try (1...5).map { try headers(library, "https://a.example/\($0)") }
                == [[UserInfo.authorization("u:p")], [], ["X: own"], [], [UserInfo.authorization("v")]])
        // A followed feed keeps its secret, also under its previous address.
        try library.execute(
            "UPDATE subscription SET former_url = 'https://old.example/' WHERE url = 'https://a.example/1'")
        let before = try text()
        let again = ["https://x:y@a.example/1", "https://x:y@old.example/"].map { NewSubscription(url: $0) }
        try await library.changes.perform(.subscribe(again, now: 2))
        #expect(try text() == before)
        // An account's server has its own secrets.
        var there = NewSubscription(url: "https://u:p@b.example/")
        there.account = steps.id
        try await steps.library.changes.perform(.subscribe([there], now: 1))
        #expect(try headers(steps.library, "https://b.example/").isEmpty)
    }

    @Test(
        arguments: [
            ("machine a login u password p", "A", "u", nil), ("machine A login u password p", "a", "u", "p"),
            ("default login u password p\nmachine a login v password q", "a", nil, "p"),
            ("machine a login u\nmachine a login u password p", "a", "u", "p"),
            ("machine a\tlogin u\tpassword p", "a", "u", "p"),
            ("  # machine a login u password no\nmachine a login u password p", "a", "u", "p"),
            ("machine a login u password p#x", "a", "u", "p#x"), ("machine a password p login u", "a", "u", "p"),
            ("machine ab login u password p", "a", "u", nil), ("machine a login u password p", "ab", "u", nil),
            ("machine a login U password p", "a", "u", nil),
            ("machine a login u password machine", "a", "u", "machine"),
        ] as [(String, String, String?, String?)])
    func findsTheUserOfAHostInNetrc(text: String, host: String, user: String?, password: String?) throws {
        let file = try folder.write(text, to: "netrc")
        chmod(file, 0o600)
        #expect((try? Netrc.find(host: host, user: user, in: file))?.password == password)
    }
}
