import Fetching
import LoopbackServer
import Synchronization

@testable import FeedServers

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
    ///   - answers: Those beside a login and a token, by methods and paths behind `/reader/api/0/`.
    ///   - authorization: That of an earlier login.
    ///   - password: `nil`: it cannot be had.
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
            base: server.address, user: "al ice", names: names, authorization: authorization, fetcher: Fetcher(),
            password: { [notes, server] in
                // The client lasts no longer than its server.
                _ = server
                notes.passwords.withLock { $0 += 1 }
                guard let password else { throw NoPassword() }
                return password
            },
            keep: { [notes] value in notes.kept.withLock { $0.append(value) } })
    }

    init(
        _ request: String, _ answer: LoopbackServer.Answer, names: GoogleReaderServer.Names = .plain
    ) throws { try self.init([request: [answer]], names: names) }

    struct NoPassword: Error, CustomStringConvertible {
        var description: String { "the keyring is locked" }
    }

    /// The authorizations that were kept; `nil`: one was forgotten.
    var kept: [String?] { notes.kept.withLock { $0 } }
    var passwordRequests: Int { notes.passwords.withLock { $0 } }
    /// The requests behind `/reader/api/0/`, with their queries.
    var lines: [String] { server.lines.map { $0.replacing("/reader/api/0/", with: "") } }
}
