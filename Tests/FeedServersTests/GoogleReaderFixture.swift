import Fetching
import LoopbackServer
import Synchronization

@testable import Accounts

/// A client of a recorded Google Reader server, with its requests and stored tokens.
struct GoogleReaderFixture {
    let server: RecordedServer
    let client: GoogleReaderServer
    private let notes = Notes()

    private final class Notes: Sendable {
        let kept = Mutex<[String?]>([])
        let passwords = Mutex(0)
    }

    /// - Parameters:
    ///   - answers: The answers besides a login and a token, by method and path below `/reader/api/0/`.
    ///   - authorization: The stored authorization of an earlier login.
    ///   - password: The password, or `nil` if there is none.
    init(
        _ answers: [String: [LoopbackServer.Answer]], names: GoogleReaderServer.Names = .plain,
        authorization: String? = "alice/1", password: String? = "s&cret"
    ) throws {
        var all = ["POST /accounts/ClientLogin": [RecordedServer.Answer.plain("SID=x\nLSID=null\nAuth=alice/new\n")]]
        all["GET /reader/api/0/token"] = [.plain("token57\n")]
        for (key, list) in answers {
            let words = key.split(separator: " ")
            all[words[1].hasPrefix("/") ? key : "\(words[0]) /reader/api/0/\(words[1])"] = list
        }
        server = try RecordedServer(all)
        client = GoogleReaderServer(
            ServerAccess(
                base: server.address, user: "al ice", fetcher: Fetcher(), authorization: authorization,
                password: { [notes, server] in
                    // The client lives no longer than its server.
                    _ = server
                    notes.passwords.withLock { $0 += 1 }
                    guard let password else { throw NoPassword() }
                    return password
                },
                keep: { [notes] value in notes.kept.withLock { $0.append(value) } }), names: names)
    }

    init(
        _ request: String, _ answer: LoopbackServer.Answer, names: GoogleReaderServer.Names = .plain
    ) throws { try self.init([request: [answer]], names: names) }

    struct NoPassword: Error, CustomStringConvertible {
        var description: String { "the keyring is locked" }
    }

    /// The stored authorizations, in order; `nil` if one was deleted.
    var kept: [String?] { notes.kept.withLock { $0 } }
    var passwordRequests: Int { notes.passwords.withLock { $0 } }
    /// The requests below `/reader/api/0/` with their queries.
    var lines: [String] { server.lines.map { $0.replacing("/reader/api/0/", with: "") } }
}
