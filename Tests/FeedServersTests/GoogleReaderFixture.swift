import Fetching
import LoopbackServer
import Synchronization

@testable import Accounts

/// What a client of a recorded server has stored, and how often it has asked for the password.
final class ClientNotes: Sendable {
    private let stored = Mutex<[String?]>([])
    private let requests = Mutex(0)

    /// The stored authorizations or sessions, in order; `nil` if one was deleted.
    var kept: [String?] { stored.withLock { $0 } }
    var passwordRequests: Int { requests.withLock { $0 } }

    /// Returns access to a server that keeps notes.
    ///
    /// - Parameter password: The password, or `nil` if there is none.
    func access(
        to server: RecordedServer, _ path: String = "", user: String, authorization: String?, password: String?
    ) -> ServerAccess {
        ServerAccess(
            base: server.address + path, user: user, fetcher: Fetcher(), authorization: authorization,
            password: { [self, server] in
                // The client lives no longer than its server.
                _ = server
                requests.withLock { $0 += 1 }
                guard let password else { throw NoPassword() }
                return password
            },
            keep: { [self] value in stored.withLock { $0.append(value) } })
    }

    struct NoPassword: Error, CustomStringConvertible {
        var description: String { "the keyring is locked" }
    }
}

/// A client of a recorded Google Reader server, with its requests and stored tokens.
struct GoogleReaderFixture {
    let server: RecordedServer
    let client: GoogleReaderServer
    let notes = ClientNotes()

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
            notes.access(to: server, user: "al ice", authorization: authorization, password: password), names: names)
    }

    init(
        _ request: String, _ answer: LoopbackServer.Answer, names: GoogleReaderServer.Names = .plain
    ) throws { try self.init([request: [answer]], names: names) }

    var kept: [String?] { notes.kept }
    var passwordRequests: Int { notes.passwordRequests }
    /// The requests below `/reader/api/0/` with their queries.
    var lines: [String] { server.lines.map { $0.replacing("/reader/api/0/", with: "") } }
}
