import Feeds
import Fetching
import LoopbackServer
import Synchronization

@testable import Accounts

/// A client of a recorded server.
struct OtherServerFixture<Client: FeedServer> {
    let server: RecordedServer
    let client: Client
    private let notes = Notes()

    private final class Notes: Sendable {
        let kept = Mutex<[String?]>([])
        let passwords = Mutex(0)
    }

    /// - Parameters:
    ///   - path: The path of the base address.
    ///   - answers: The answers by method and path.
    ///   - authorization: The stored session of an earlier login.
    init(
        _ kind: ServerKind, _ path: String, _ answers: [String: [LoopbackServer.Answer]], authorization: String? = nil
    ) throws {
        server = try RecordedServer(answers)
        let access = ServerAccess(
            base: server.address + path, user: "alice", fetcher: Fetcher(), authorization: authorization,
            password: { [notes, server] in
                // The client lives no longer than its server.
                _ = server
                notes.passwords.withLock { $0 += 1 }
                return "secret"
            },
            keep: { [notes] value in notes.kept.withLock { $0.append(value) } })
        guard let client = kind.server(access) as? Client else { throw GoogleReaderFixture.NoPassword() }
        self.client = client
    }

    /// The stored sessions, in order.
    var kept: [String?] { notes.kept.withLock { $0 } }
    var passwordRequests: Int { notes.passwords.withLock { $0 } }
    var lines: [String] { server.lines }
}
