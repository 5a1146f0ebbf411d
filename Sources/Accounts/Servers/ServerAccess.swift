import Fetching
import Synchronization
import WebAddresses

/// What a server needs to recognise its user.
package struct ServerAccess: Sendable {
    /// The base address of requests.
    var base: String
    var user: String
    var fetcher: Fetcher
    /// Returns the password, possibly by running a program.
    var password: @Sendable () async throws -> String
    /// The stored token of an earlier login, on servers with logins.
    var authorization: String?
    /// Stores the token of a login, or with `nil` removes an invalid one.
    var keep: @Sendable (String?) -> Void

    package init(
        base: String, user: String, fetcher: Fetcher, authorization: String? = nil,
        password: @escaping @Sendable () async throws -> String, keep: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        self.base = base
        self.user = user
        self.fetcher = fetcher
        self.password = password
        self.authorization = authorization
        self.keep = keep
    }

    var connection: ServerConnection { ServerConnection(base: base, fetcher: fetcher) }
}

/// A password that stays in memory, so that a program that prompts the user runs only once.
final class KnownPassword: Sendable {
    private let request: @Sendable () async throws -> String
    private let known = Mutex<String?>(nil)

    init(_ request: @escaping @Sendable () async throws -> String) { self.request = request }

    /// Performs requests with the password. If the server rejects a password from an earlier use, it is requested once
    /// more, since its source may have a new one.
    func use<Value>(
        _ body: (String) async throws(ServerError) -> Value
    ) async throws(ServerError) -> Value {
        let former = known.withLock { $0 }
        if let former {
            do throws(ServerError) {
                return try await body(former)
            } catch {
                guard error == .passwordRefused else { throw error }
                known.withLock { $0 = nil }
            }
        }
        let password = try await read()
        guard password != former else { throw .passwordRefused }
        do throws(ServerError) {
            let value = try await body(password)
            known.withLock { $0 = password }
            return value
        } catch {
            if error != .passwordRefused { known.withLock { $0 = password } }
            throw error
        }
    }

    private func read() async throws(ServerError) -> String {
        do { return try await request() } catch { throw .noPassword("\(error)") }
    }
}

/// Requests with the user's password in a header line, and answers in JSON.
struct PasswordConnection: Sendable {
    let connection: ServerConnection
    let password: KnownPassword
    /// Returns the header line for a password.
    let header: @Sendable (String) -> String
    /// The key of the server's explanation of a rejection.
    let reason: String

    /// Sends a request, with a body in JSON unless it only reads.
    ///
    /// - Parameter statuses: The statuses to return although they are errors, unless the body is a web page.
    func ask(
        _ path: String, _ method: String? = nil, _ body: [String: Any]? = nil, accepting statuses: Set<Int> = []
    ) async throws(ServerError) -> ServerConnection.Answer {
        let message = method.map {
            FetchMessage($0, JSONItem.bytes(body), contentType: "application/json; charset=utf-8")
        }
        return try await password.use { password throws(ServerError) in
            let answer = try await connection.ask(path, secret: [header(password)], message: message)
            let isOwn = answer.isJSON || (answer.status < 400 && answer.body.isEmpty)
            if statuses.contains(answer.status), isOwn { return answer }
            guard let error = ServerConnection.error(answer) else { return answer }
            throw explained(error, answer)
        }
    }

    /// Returns an error with the server's own reason, if it rejected the request itself.
    private func explained(_ error: ServerError, _ answer: ServerConnection.Answer) -> ServerError {
        switch answer.status {
        case 400, 404, 405..<429, 430..<500:
            guard let words = (try? answer.decode(JSONItem.self))?.text(reason) else { return error }
            return .refused(String(words.prefix(200)))
        default: return error
        }
    }
}

extension PasswordConnection {
    /// Creates requests with the user's name and password (RFC 7617), whose rejections have a `message`.
    init(basic access: ServerAccess) {
        self.init(
            connection: access.connection, password: KnownPassword(access.password),
            header: { UserInfo.authorization("\(access.user):\($0)") }, reason: "message")
    }
}
