import Foundation
import LoopbackServer
import Synchronization

@testable import Accounts

/// A server on loopback with recorded responses by method and path.
final class RecordedServer: Sendable {
    typealias Answer = LoopbackServer.Answer

    private let server: LoopbackServer

    /// - Parameter answers: The responses by method and path, with or without query (`GET /v1/feeds`). The last of
    ///   several repeats. Other requests get status 404.
    init(_ answers: [String: [Answer]]) throws {
        let counts = Mutex<[String: Int]>([:])
        server = try LoopbackServer { request in
            let whole = "\(request.method) \(request.path)"
            let key = answers[whole] == nil ? String(whole.prefix { $0 != "?" }) : whole
            guard let list = answers[key], !list.isEmpty else { return .init(404) }
            let number = counts.withLock { counts in
                defer { counts[key, default: 0] += 1 }
                return counts[key, default: 0]
            }
            return list[min(number, list.count - 1)]
        }
    }

    convenience init(_ answers: [String: Answer]) throws { try self.init(answers.mapValues { [$0] }) }

    var address: String { server.url("") }
    var requests: [LoopbackServer.Request] { server.requests }
    /// The methods and paths of all requests with their queries.
    var lines: [String] { requests.map { "\($0.method) \($0.path)" } }
    /// The bodies of all requests with one.
    var bodies: [String] { requests.map { String(decoding: $0.body, as: UTF8.self) }.filter { !$0.isEmpty } }
}

extension LoopbackServer.Answer {
    static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .init(
            status, headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: Array(text.utf8))
    }

    /// Plain text, which FreshRSS labels as HTML.
    static func plain(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Self {
        .init(status, headers: headers.merging(["Content-Type": "text/html"]) { $1 }, body: Array(text.utf8))
    }

    static let page = Self.plain("\n <!DOCTYPE html><html><body>Log in</body></html>")
}

/// Returns the error of a call, or `nil` if it succeeds.
func failure<Value>(_ body: () async throws -> Value) async -> ServerError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ServerError
    }
}
