import CCurl
import Foundation
import WebAddresses

extension Fetcher {
    /// Returns the error for libcurl's codes that have a message of their own (curl/curl.h).
    ///
    /// - Parameter address: The current address of the request.
    func failure(_ result: ccurl_result, address: String, limits: FetchLimits) -> FetchError {
        let url = WebAddress(address)
        let host = url?.ip?.text ?? url?.host ?? address
        if result.is_proxied, let failure = proxyFailure(result, address: address, host: host) { return failure }
        switch Int(result.limit) {
        case CCURL_LIMIT_BODY: return .bodyTooLarge(limit: limits.body)
        case CCURL_LIMIT_HEADERS: return .headersTooLarge(limit: limits.headers)
        case CCURL_LIMIT_FILE:
            return .cannotWrite(
                result.file_error == ERANGE
                    ? "the server sent a different part of the file" : String(cString: strerror(result.file_error)))
        case CCURL_LIMIT_ADDRESS:
            return .privateAddress(host)
        default: break
        }
        let message = message(result)
        switch result.code {
        case 6: return .noSuchHost(host)
        case 7: return .cannotConnect(host)
        // HTTP/0.9, an unreadable response, or one with an impossible version or status code.
        case 8,
            1 where message.contains("HTTP"):
            return .notHTTP(host)
        case 28: return .timedOut
        case 52: return .failed("\(host) closed the connection without an answer")
        case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91:
            return .insecure(Fetcher.reason(ofTLS: message, host: host))
        case 1, 3: return .badAddress(address)
        case 61: return .failed("the compressed document is damaged")
        // A single line that exceeds libcurl's buffer.
        case 27 where result.body_size == 0: return .headersTooLarge(limit: limits.headers)
        case 100: return .headersTooLarge(limit: limits.headers)
        case 56 where message.lowercased().contains("too large response header"):
            return .headersTooLarge(limit: limits.headers)
        case 55, 56: return .failed("the connection to \(host) was lost")
        default: return .failed(message)
        }
    }

    /// Returns the error for a failure of the proxy, or of a connection through it, or `nil` if it isn't one.
    private func proxyFailure(_ result: ccurl_result, address: String, host: String) -> FetchError? {
        guard let name = proxies.proxy(for: address, instead: proxy).map(ProxyEnvironment.name(of:)) else { return nil }
        let answer = result.code == 0 ? result.status : Int(result.proxy_status)
        switch answer {
        case 407: return .proxyFailed("the proxy \(name) requires a name and password (407)")
        case 300...: return .proxyFailed("the proxy \(name) can't connect to \(host) (\(answer))")
        default: break
        }
        switch result.code {
        case 5: return .proxyFailed("no such proxy: \(name)")
        case 7: return .proxyFailed("the proxy \(name) does not answer")
        case 8,
            1 where message(result).contains("HTTP"):
            return .proxyFailed("the proxy \(name) doesn't speak HTTP")
        case 28 where !result.was_sent: return .proxyFailed("the proxy \(name) took too long")
        case 35, 60:
            return .insecure("\(Fetcher.reason(ofTLS: message(result), host: host)) (through the proxy \(name))")
        case 52: return .proxyFailed("the proxy \(name) closed the connection without an answer")
        case 55, 56: return .proxyFailed("the connection to \(host) through the proxy \(name) was lost")
        case 97: return .proxyFailed("the proxy \(name) can't connect to \(host)")
        default: return nil
        }
    }

    private static var adviceOnAuthorities: String {
        let problem = Authorities.ofSettings.withLock { $0 }.flatMap(problem(ofAuthorities:))
        return problem.map { "network.ca-file: \($0)" } ?? "to trust it, name its file in network.ca-file"
    }

    /// What messages of TLS libraries mean, by a part of them. The first that matches counts.
    private static let reasonsOfTLS: [(parts: [String], reason: @Sendable (String) -> String)] = [
        (["certificate has expired", "certificate expired"], { "the certificate of \($0) has expired" }),
        (
            ["not yet valid", "not yet activated"],
            { "the certificate of \($0) isn't valid yet; check this computer's clock" }
        ),
        (
            ["no alternative certificate subject name", "does not match target host", "not match host"],
            { "the certificate isn't for \($0)" }
        ),
        (
            ["certificate in certificate chain", "local issuer", "verify the first certificate", "issuer is unknown"],
            { "an unknown authority signed the certificate of \($0); \(adviceOnAuthorities)" }
        ),
        (
            ["self-signed certificate", "self signed certificate"],
            { "\($0) signed its certificate itself; \(adviceOnAuthorities)" }
        ),
        (["wrong version number", "packet length too long", "http request"], { "\($0) doesn't use TLS; try http://" }),
        (
            ["alert protocol version", "unsupported protocol", "key too small", "legacy renegotiation", "md too weak"],
            { "\($0) uses encryption that is no longer secure" }
        ),
        (["handshake failure", "no shared cipher"], { "\($0) and this computer have no encryption in common" }),
        (["unrecognized name", "internal error"], { "\($0) has no certificate for this name" }),
        (
            ["ssl_connect", "ssl_error_syscall", "unexpected eof"],
            { "\($0) closed the connection before it was secure" }
        ),
        (["certificate verify locations", "ca certificates"], { _ in "this computer's certificates can't be read" }),
    ]

    /// Returns the reason for a failure of TLS in plain words, or the library's message.
    static func reason(ofTLS message: String, host: String) -> String {
        let folded = message.lowercased()
        let known = reasonsOfTLS.first { $0.parts.contains(where: folded.contains) }
        return known?.reason(host) ?? message
    }

    private func message(_ result: ccurl_result) -> String {
        result.message.map { String(cString: $0) } ?? "unknown failure"
    }
}
