import CommonTesting
import Fetching
import Foundation
import LibraryTesting
import LoopbackServer
import Testing

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// When and by whom an account is synced, and its status.
@Suite(.timeLimit(.minutes(5))) struct SyncsInTime {
    private static let now: Instant = 1_795_289_000

    /// An account to modify.
    private func account() async throws -> ((inout Account) -> Void) -> Account {
        let account = try #require(try await SyncSteps().library.accounts.all(now: 0).first)
        return { change in
            var changed = account
            change(&changed)
            return changed
        }
    }

    @Test func syncsAutomaticallyWhenDue() async throws {
        let (now, day) = (SyncsInTime.now, Int64(86_400))
        let changed = try await account()
        for (extent, pending, nextTry, lastSync, reason) in [
            (.whole, 0, now + 9, now, nil), (.whole, 1, nil, nil, nil),
            (.send, 0, nil, nil, "nothing to send"), (.send, 1, nil, now, nil),
            (.send, 1, now + 1, nil, "its next attempt is later"), (.send, 1, now, nil, nil),
            (.send, 1, now - 1, nil, nil),
            // A time beyond any valid delay comes from a wrong clock.
            (.send, 1, now + day, nil, "its next attempt is later"), (.send, 1, now + day + 1, nil, nil),
            (.timer, 0, nil, nil, nil), (.timer, 0, now + 1, nil, "its next attempt is later"),
            (.timer, 0, now + day + 1, nil, nil), (.timer, 5, now + 1, now - day, "its next attempt is later"),
            (.timer, 0, nil, now, "it was just synced"),
            (.timer, 5, nil, now - 839, "it was just synced"),
            (.timer, 0, nil, now - 840, nil), (.timer, 0, nil, now - 900, nil), (.timer, 0, nil, now + 1, nil),
        ] as [(SyncService.Extent, Int, Instant?, Instant?, String?)] {
            let account = changed {
                ($0.pending, $0.nextTry, $0.lastSync) = (pending, nextTry, lastSync)
            }
            #expect(
                SyncService.heldBack(account, extent, now: now) == reason,
                "\(extent) \(pending) \(nextTry ?? 0) \(lastSync ?? 0)")
        }
        #expect(SyncService.interval == 900)
    }

    /// A start, a change and the end try a server again that was away, whatever its next try is.
    @Test func triesAgainOnOccasions() async throws {
        let now = SyncsInTime.now
        let changed = try await account()
        for (error, extent, isHeldBack) in [
            ("server away: no answer", .send, false), ("server away: no answer", .timer, false),
            ("too many requests (429)", .send, true), (ServerError.waitSentence, .whole, true),
            (ServerError.passwordRefused.description, .timer, true),
        ] as [(String, SyncService.Extent, Bool)] {
            let account = changed {
                ($0.pending, $0.nextTry, $0.lastSync, $0.error) = (1, now + 1800, now - 30, error)
            }
            #expect((SyncService.heldBack(account, extent, isOccasion: true, now: now) != nil) == isHeldBack)
            #expect(SyncService.heldBack(account, extent, now: now) != nil)
        }
    }

    /// Temporary errors are retried soon, with growing pauses; permanent ones after six hours; a server's wait is
    /// respected.
    @Test func retriesAfterAFailure() {
        func pause(_ error: ServerError?, _ failures: Int, asksAgain: Bool = false) -> Int64 {
            SyncService.nextTry(after: failures, error, asksAgain: asksAgain, now: 1000).seconds(since: 1000)
        }
        for error in [nil, ServerError.away("x"), .unreadable("x"), .tooLarge, .tooManyRequests(seconds: nil)] {
            #expect((0...8).map { pause(error, $0) } == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
        }
        for error in [ServerError.passwordRefused, .switchedOff, .noAPI("x"), .refused("x"), .noPassword("x")] {
            #expect([0, 5, 99].map { pause(error, $0) } == [21_600, 21_600, 21_600])
        }
        for (seconds, expected) in [(-5, 60), (0, 60), (59, 60), (61, 61), (86_400, 86_400), (99_999_999, 86_400)] {
            #expect(pause(.tooManyRequests(seconds: seconds), 7) == Int64(expected))
        }
        // A password from a command or the environment may be another one soon.
        #expect(
            (0...5).map { pause(.passwordRefused, $0, asksAgain: true) } == [60, 480, 3840, 21_600, 21_600, 21_600])
        #expect(
            (0...7).map { pause(.noPassword("x"), $0, asksAgain: true) }
                == [60, 120, 240, 480, 960, 1920, 3600, 3600])
        #expect(pause(.switchedOff, 0, asksAgain: true) == 21_600)
    }

    /// A rejected password is requested again soon if another program supplies it.
    @Test(arguments: [
        (Secret.Password.kept("wrong"), Int64(21_600)), (.command(["false"]), 60), (.environment("TAPPA_NO_SUCH"), 60),
    ])
    func retriesAfterARejectedPassword(password: Secret.Password, pause: Int64) async throws {
        let server = try ReaderServer()
        let client = try await SyncedLibrary(server, password: password)
        client.library.secrets.setRunner { _ in "wrong" }
        guard case .failed = try await client.sync() else { return #expect(Bool(false)) }
        #expect(try client.account.nextTry == 1_795_289_000 + pause)
        let account = try client.account
        // Enter asks for it, whatever the reason.
        #expect(account.needsPassword, "\(account.error ?? "")")
        guard case .environment = password else { return }
        let reason = "(the variable TAPPA_NO_SUCH for the password is not set)"
        #expect(account.error == "no password; Enter asks for it " + reason)
    }

    /// A sync of another program is waited for, within limits.
    @Test func waitsForAnotherProgram() async throws {
        let server = try ReaderServer()
        let client = try await SyncedLibrary(server)
        @Sendable func lock(_ owner: String?) throws {
            try client.library.execute("UPDATE account SET lock_owner = ?, locked_until = 1795289100", [owner])
        }
        let account = try client.account
        let waits = OutcomeList()
        try lock("other")
        let outcome = await client.service.sync(
            account, .whole, waitingUpTo: .milliseconds(20), beginsWaiting: { await waits.add("waits") })
        #expect(outcome == .failed("another program is still syncing it; try again later"))
        #expect(await waits.list == ["waits"] && server.requests.isEmpty)
        let later = await client.service.sync(
            account, .whole, waitingUpTo: .seconds(60), beginsWaiting: { try? lock(nil) })
        #expect(later == .done(added: 0, sent: 0))
        try lock("other")
        #expect(
            await client.service.sync(account, .whole, waitingUpTo: .zero, beginsWaiting: {})
                == .failed("another program is still syncing it; try again later"))
    }

    /// The second of the last change may still bring more until it is well past.
    @Test(arguments: [(100, 159, 100), (100, 160, 101), (100, 0, 100), (100, 999, 101), (0, 60, 1)])
    func requestsChangesSinceTheLast(newest: Instant, told: Instant, next: Instant) {
        #expect(SyncService.next(after: newest, told: told) == next)
    }

    @Test(
        arguments: [
            (nil, nil, 1), ("me", 9999, 1), ("me", 0, 1), ("other", 1000, 1), ("other", 1001, 0), ("other", 999, 1),
            ("other", 4600, 0), ("other", 4601, 1),
        ] as [(String?, Instant?, Int)])
    func letsOneProgramSyncAtATime(owner: String?, until: Instant?, count: Int) async throws {
        let steps = try await SyncSteps()
        try steps.sql("UPDATE account SET lock_owner = ?, locked_until = ?", [owner, until])
        #expect(try await steps.step(.lock(owner: "me", now: 1000, until: 1150)).count == count)
        #expect(
            try steps.rows("SELECT lock_owner, locked_until FROM account")
                == [count == 1 ? "me 1150" : "\(owner ?? "") \(until ?? 0)"])
        #expect(try steps.library.accounts.all(now: 1000)[0].isSyncing)
        let isSyncing = [999, 1149, 1150, 1151].map { time in
            (try? steps.library.accounts.all(now: Instant(time))[0].isSyncing) == true
        }
        if count == 1 { #expect(isSyncing == [true, true, false, false]) }
    }

    @Test func recordsTheResultOfASync() async throws {
        let steps = try await SyncSteps()
        func finish(
            _ owner: String = "me", error: String? = nil, note: String? = nil, nextTry: Instant? = nil, isWhole: Bool
        )
            async throws -> [String]
        {
            try await steps.lists(unread: ["1"])
            try await steps.step(.addToList(.label("x"), ["1"]))
            try await steps.step(.lock(owner: "me", now: 1, until: 100))
            try await steps.step(
                .finish(owner: owner, SyncEnd(now: 50, error: error, note: note, nextTry: nextTry, isWhole: isWhole)))
            return try steps.rows(
                """
                SELECT lock_owner, error, note, failures, next_try, last_sync, (SELECT count(*) FROM remote_list),
                    (SELECT count(*) FROM remote_label) FROM account
                """)
        }
        #expect(try await finish(error: "e", nextTry: 70, isWhole: false) == ["- e - 1 70 - 1 1"])
        #expect(try await finish(error: "f", nextTry: 90, isWhole: false) == ["- f - 2 90 - 1 1"])
        #expect(try await finish(isWhole: false) == ["- - - 0 - - 1 1"])
        #expect(try await finish(note: "n", isWhole: true) == ["- - n 0 - 50 0 0"])
        // Sending alone says nothing about entries missing on the server.
        #expect(try await finish(note: nil, isWhole: false) == ["- - n 0 - 50 1 1"])
        #expect(try await finish(isWhole: true) == ["- - - 0 - 50 0 0"])
        #expect(try await finish("other", error: "x", isWhole: false) == ["me - - 0 - 50 1 1"])
    }

    @Test func recordsHowFarChangesAreKnown() async throws {
        let steps = try await SyncSteps()
        try await steps.step(.noteChangedSince(7, isWhole: true, now: 50))
        #expect(try steps.rows("SELECT changed_since, last_whole FROM account") == ["7 50"])
        try await steps.step(.noteChangedSince(9, isWhole: false, now: 60))
        #expect(try steps.rows("SELECT changed_since, last_whole FROM account") == ["9 50"])
        try await steps.step(.noteLabelsAsked(now: 70))
        #expect(try steps.rows("SELECT changed_since, last_whole FROM account") == ["9 70"])
    }

    // MARK: Words

    @Test func describesAnAccount() async throws {
        let now = SyncsInTime.now
        let changed = try await account()
        for (change, state) in [
            ({ _ in }, "not synced yet"), ({ $0.lastSync = now }, "synced just now"),
            ({ $0.lastSync = now - 59 }, "synced just now"), ({ $0.lastSync = now + 100 }, "synced just now"),
            ({ $0.lastSync = now - 60 }, "synced 1 min ago"), ({ $0.lastSync = now - 3599 }, "synced 59 min ago"),
            ({ $0.lastSync = now - 3600 }, "synced 1 h ago"), ({ $0.lastSync = now - 86_399 }, "synced 23 h ago"),
            ({ $0.lastSync = now - 86_400 }, "synced 1 d ago"),
            ({ ($0.lastSync, $0.pending, $0.refused) = (now, 12, 3) }, "synced just now · 12 to send · 3 rejected"),
            ({ ($0.lastSync, $0.note) = (now, "a note") }, "synced just now · a note"),
            ({ ($0.error, $0.note) = ("password refused", "a note") }, "password refused"),
            ({ ($0.error, $0.pending) = ("password refused", 1) }, "password refused · 1 to send"),
            ({ ($0.error, $0.nextTry) = ("server away", now) }, "server away"),
            ({ ($0.isSyncing, $0.lastSync) = (true, now) }, "syncing …"),
            ({ ($0.isSyncing, $0.error, $0.pending) = (true, "x", 2) }, "syncing … · 2 to send"),
            // The next attempt is reported only after a failure.
            ({ ($0.lastSync, $0.nextTry) = (now, now + 60) }, "synced just now"),
        ] as [((inout Account) -> Void, String)] {
            #expect(changed(change).state(now: now) == state)
        }
        let away = changed { ($0.error, $0.nextTry, $0.pending) = ("server away", now + 3661, 2) }
        let parts = Calendar.current.dateComponents(
            [.hour, .minute], from: Date(timeIntervalSince1970: Double((now + 3661).seconds)))
        let clock = "\(parts.hour ?? 0):" + String(format: "%02d", parts.minute ?? 0)
        #expect(away.state(now: now) == "server away, next try \(clock) · 2 to send")
        #expect(away.headline(now: now) == "server away")
        #expect(away.details(now: now) == ["next try \(clock)", "2 to send"])
    }

    // MARK: New accounts

    private func problem(_ body: () throws(AccountService.Problem) -> Void) -> String? {
        do throws(AccountService.Problem) {
            try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("rss.example.org", false, "https://rss.example.org"), (" https://a.example/x ", false, "https://a.example/x"),
        ("HTTPS://a.example", false, "HTTPS://a.example"),
        ("http://localhost:8080/", false, "http://localhost:8080/"), ("http://127.0.0.1", false, "http://127.0.0.1"),
        ("http://[::1]:80", false, "http://[::1]:80"), ("http://a.example", true, "http://a.example"),
        ("http://a.example", false, "unencrypted"), ("http://127.0.0.1.evil.example", false, "unencrypted"),
        ("http://localhost.evil.example", false, "unencrypted"), ("http://192.168.1.9", false, "unencrypted"),
        ("https://u:p@a.example", false, "--user"), ("u:p@a.example", false, "--user"),
        ("ftp://a.example", true, "is not a server address"), ("https://", true, "is not a server address"),
        ("", true, "is not a server address"), ("https://a b.example", true, "is not a server address"),
        ("https://b\u{FC}cher.example", true, "is not a server address"),
    ])
    func requiresHTTPS(typed: String, allowsPlain: Bool, expected: String) {
        var address: String?
        let problem = problem { () throws(AccountService.Problem) in
            address = try AccountService.address(typed, allowsPlain: allowsPlain)
        }
        #expect(
            address == expected || address == nil && problem?.contains(expected) == true, "\(address ?? problem ?? "")")
    }

    @Test(arguments: [
        ("home", true), ("a-b_c.9", true), ("B\u{FC}ro", true), ("", false), ("a b", false), ("a/b", false),
        ("a\n", false),
        (String(repeating: "n", count: 40), true), (String(repeating: "n", count: 41), false),
    ])
    func hasAPlainName(name: String, isPlain: Bool) {
        let problem = problem { () throws(AccountService.Problem) in try AccountService.check(name: name) }
        #expect((problem == nil) == isPlain)
    }

    /// A new account keeps its login and password outside the library; one of the same name keeps its feeds.
    @Test func createsAndDeletesAccountsWithSecrets() async throws {
        let folder = TemporaryFolder()
        let library = try Library(path: folder.path("l.sqlite"))
        let server = try ReaderServer()
        func add(_ name: String, _ secret: Secret, at address: String? = nil) async throws -> Account {
            try await AccountService.add(name: name, address: address ?? server.address, secret: secret, to: library)
        }
        let alice = Secret(user: "alice", password: .kept("secret"))
        let first = try await add("home", alice)
        #expect(first.kind == .reader && first.address == server.address && first.user == "alice")
        #expect(library.secrets.authorization(of: first.secret) == "alice/1f00d")
        #expect(try library.secrets.password(of: first.secret, for: server.address) == "secret")
        let second = try await add("home", alice)
        #expect(second.id == first.id && second.secret != first.secret)
        #expect(library.secrets.authorization(of: first.secret) == nil)
        #expect(throws: SecretProblem.self) { try library.secrets.password(of: first.secret, for: server.address) }
        // The same user on the same server is the same account, whatever name is given.
        let third = try await add("work", alice)
        #expect(third.id == first.id && third.name == "home")
        for (name, secret, mayPass, words) in [
            ("home", Secret(user: "bob", password: .kept("secret")), false, "the account 'home' of alice at"),
            ("work", Secret(user: "alice", password: .kept("wrong")), false, "password rejected"),
            ("wo rk", alice, false, "an account name has at most 40 letters"),
            ("work", Secret(user: "alice", password: .environment("TAPPA_NO_SUCH")), false, "TAPPA_NO_SUCH"),
        ] {
            let problem = await #expect(throws: AccountService.Problem.self) { try await add(name, secret) }
            #expect(problem?.description.hasPrefix(words) == true || problem?.description.contains(words) == true)
            #expect(problem?.mayPass == mayPass)
        }
        let closed = await #expect(throws: AccountService.Problem.self) {
            try await add("work", alice, at: "http://127.0.0.1:1")
        }
        #expect(closed?.mayPass == true && closed?.description.hasPrefix("server away") == true)
        #expect(try library.accounts.all(now: 0).map(\.name) == ["home"])
        try await AccountService.remove(third, keepsFeeds: false, from: library)
        #expect(try library.accounts.all(now: 0).isEmpty)
        #expect(throws: SecretProblem.self) { try library.secrets.password(of: third.secret, for: server.address) }
        let text = try String(contentsOf: URL(fileURLWithPath: folder.path("l.sqlite.secrets")), encoding: .utf8)
        #expect(text == "{}")
    }

    // MARK: Whole syncs

    /// Sending alone requests nothing; a full sync requests the lists too.
    @Test func sendsWithoutRequestingLists() async throws {
        let server = try ReaderServer()
        let feed = server.addFeed("News", url: "https://example.org/feed")
        server.addEntry("Entry 1", feed: feed)
        let client = try await SyncedLibrary(server)
        try await client.sync()
        #expect(try await client.sync(.send) == .heldBack("nothing to send"))
        try await client.mark(.read, true, "Entry 1")
        server.requests = []
        #expect(try await client.sync(.send) == .done(added: 0, sent: 1))
        #expect(server.requests == ["/reader/api/0/edit-tag"])
        #expect(try client.account.lastSync == 1_795_289_000 && client.account.error == nil)
        #expect(try await client.sync(.timer) == .heldBack("it was just synced"))
        // A failed sync gives the reason and the time of the next attempt; the next success clears both.
        server.setFault { _ in .unavailable }
        #expect(try await client.sync() == .failed("server away: busy or in maintenance (503)"))
        #expect(try client.account.nextTry == 1_795_289_060 && client.account.failures == 1)
        #expect(try await client.sync(.timer) == .heldBack("its next attempt is later"))
        server.setFault { _ in nil }
        #expect(try await client.sync() == .done(added: 0, sent: 0))
        #expect(try client.account.nextTry == nil && client.account.failures == 0)
        let gone = try client.account
        try await client.library.changes.perform(Change(RemoveAccount(account: client.id, keepsFeeds: false)))
        #expect(await client.service.sync(gone, .whole) == .heldBack("it was removed"))
    }

    @Test func syncsAllAccountsInTheirOrder() async throws {
        let (one, two) = (try ReaderServer(), try ReaderServer())
        let client = try await SyncedLibrary(one)
        let secret = try client.library.secrets.keep(Secret(user: "alice", password: .kept("secret")))
        try await client.library.changes.perform(
            .addAccount(NewAccount(name: "two", kind: .reader, address: two.address, user: "alice", secret: secret)))
        one.setFault { _ in .unavailable }
        let outcomes = OutcomeList()
        try await client.service.syncAll(.whole) { account, outcome in await outcomes.add("\(account.name) \(outcome)")
        }
        let list = await outcomes.list
        #expect(list.count == 2 && list[0].hasPrefix("home failed") && list[1].hasPrefix("two done"))
    }

    private actor OutcomeList {
        var list: [String] = []
        func add(_ text: String) { list.append(text) }
    }

    /// The texts of a server's entry are those of the local entry.
    @Test func readsAServersEntry() throws {
        var remote = RemoteEntry(id: "7", subscription: "feed/1")
        (remote.title, remote.author, remote.link) = ("<b>A</b> &amp; B", "C &lt;D&gt;", "https://a.example/7")
        (remote.html, remote.published, remote.updated) = ("<p>x</p>", 1_790_000_000, 4_102_444_801)
        remote.enclosures = [RemoteEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", size: 9)]
        var empty = RemoteEntry(id: "8", subscription: "feed/2")
        (empty.title, empty.published) = ("<i></i>", -1)
        let feeds = SyncService.prepared([remote, empty], now: 5).sorted { $0.subscription < $1.subscription }
        #expect(feeds.map(\.subscription) == ["feed/1", "feed/2"] && feeds.map(\.ids) == [["7"], ["8"]])
        let entry = try #require(feeds[0].feed.entries.first)
        #expect(entry.title == "A & B" && entry.link == "https://a.example/7")
        #expect(entry.published?.instant == 1_790_000_000)
        #expect(feeds[1].feed.entries.first?.published?.instant == nil)
    }
}
