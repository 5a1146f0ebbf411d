import Feeds
import LoopbackServer

@testable import Accounts

/// A client of a recorded server.
struct OtherServerFixture<Client: FeedServer> {
    let server: RecordedServer
    let client: Client
    let notes = ClientNotes()

    /// - Parameters:
    ///   - path: The path of the base address.
    ///   - answers: The answers by method and path.
    ///   - authorization: The stored session of an earlier login.
    init(
        _ kind: ServerKind, _ path: String, _ answers: [String: [LoopbackServer.Answer]], authorization: String? = nil
    ) throws {
        server = try RecordedServer(answers)
        let access = notes.access(
            to: server, path, user: "alice", authorization: authorization, password: "secret")
        guard let client = kind.server(access) as? Client else { throw ClientNotes.NoPassword() }
        self.client = client
    }

    var kept: [String?] { notes.kept }
    var passwordRequests: Int { notes.passwordRequests }
    var lines: [String] { server.lines }
}
