import Feeds
import Fetching
import Foundation
import Platform
import WebAddresses

/// Sends requests to a server: with credentials only for its own origin, within limits, and without following
/// redirects.
struct ServerConnection: Sendable {
    let base: String
    let fetcher: Fetcher

    /// The maximum size of a response in bytes, and the timeout in milliseconds. 250 entries have about a megabyte, and
    /// FreshRSS takes two seconds for a hundred read marks.
    private static let maximumBytes = 16 << 20
    private static let patience = 60_000

    struct Answer {
        var status: Int
        var body: [UInt8]
        var headers: [String: String]

        var text: String { String(decoding: body, as: UTF8.self) }

        private var firstByte: UInt8? { body.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) } }

        /// Whether the response looks like JSON by its first byte, since some servers answer with a web page and status
        /// 200.
        var isJSON: Bool { firstByte == UInt8(ascii: "{") || firstByte == UInt8(ascii: "[") }

        /// Whether the response looks like a web page. The content type is unreliable, since FreshRSS calls its plain
        /// responses HTML.
        var isPage: Bool { firstByte == UInt8(ascii: "<") }

        func decode<Value: Decodable>(_ type: Value.Type) throws(ServerError) -> Value {
            guard isJSON else {
                throw isPage ? .noAPI("received a web page, not data") : .unreadable("it is not JSON")
            }
            do {
                return try JSONDecoder().decode(type, from: Data(body))
            } catch {
                throw .unreadable("unexpected data")
            }
        }
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - path: The path after the base, with query.
    ///   - secret: The header lines for the server's own origin.
    func ask(_ path: String, secret: [String] = [], message: FetchMessage? = nil) async throws(ServerError) -> Answer {
        var request = FetchRequest(url: base + path, allowsPrivateHost: true, headers: secret)
        request.message = message
        request.limits.body = ServerConnection.maximumBytes
        request.limits.totalTimeout = ServerConnection.patience
        request.limits.redirects = 0
        do {
            let answer = try await fetcher.fetch(request)
            // An incomplete list is useless.
            if answer.isCut { throw ServerError.away("the answer was cut off") }
            return Answer(status: answer.status, body: answer.body, headers: answer.headers)
        } catch let error as FetchError {
            throw ServerConnection.error(error, base: base)
        } catch let error as ServerError {
            throw error
        } catch {
            throw .away("\(error)")
        }
    }

    /// Returns the error for a request without an answer.
    static func error(_ error: FetchError, base: String) -> ServerError {
        switch error {
        case .cancelled: .cancelled
        case .tooManyRedirects: .noAPI("\(ServerError.redirects); use the target address")
        case .insecure(let reason)
        where !reason.lowercased().contains("certificate") && WebAddress(base)?.scheme == "https":
            .plain(host: WebAddress(base)?.authority ?? base)
        case .bodyTooLarge: .tooLarge
        case .badAddress: .noAPI("'\(base)' is not a server address")
        default: .away(error.description)
        }
    }

    /// Returns the error for a status.
    ///
    /// - Parameter turnsOffWith503: Whether the status 503 with FreshRSS's own text means that the user has not enabled
    ///   the API.
    static func error(_ answer: Answer, turnsOffWith503: Bool = false) -> ServerError? {
        switch answer.status {
        case 200..<300: return nil
        case 301, 302, 303, 307, 308:
            let target = answer.headers["location"].map { " (\(String($0.prefix(200))))" } ?? ""
            return .noAPI("\(ServerError.redirects)\(target); use the target address")
        case 401, 403: return .passwordRefused
        case 404, 405, 410, 501: return .noAPI(HTTPStatus.sentence(for: answer.status))
        case 429:
            let now = Instant.now
            let end = FetchSchedule.retryAfter(answer.headers["retry-after"], now: now)
            return .tooManyRequests(seconds: end.map { Int($0.seconds(since: now)) })
        case 503 where turnsOffWith503 && answer.text.hasPrefix("Service Unavailable!"): return .switchedOff
        case 503: return .away("\(ServerError.busy) (503)")
        case 500...: return .away(HTTPStatus.sentence(for: answer.status))
        default: return .refused(HTTPStatus.sentence(for: answer.status))
        }
    }

    /// Returns a form as request body.
    static func form(_ fields: [(String, String)]) -> FetchMessage {
        var text = ""
        for (name, value) in fields {
            if !text.isEmpty { text += "&" }
            text += name + "=" + escaped(value)
        }
        return FetchMessage("POST", Array(text.utf8), contentType: "application/x-www-form-urlencoded")
    }

    /// Returns a value escaped for a query or form (RFC 3986, section 2.3).
    static func escaped(_ value: String) -> String { PercentEncoding.encoded(value) }
}
