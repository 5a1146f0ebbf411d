import Platform

/// The limits of a fetch.
package struct FetchLimits: Hashable, Sendable {
    /// The timeout for connecting in milliseconds.
    var connectTimeout = 10_000
    /// The timeout for the whole transfer in milliseconds.
    package var totalTimeout = 60_000
    /// The maximum size of the decoded body in bytes.
    package var body = 16 << 20
    /// The maximum size of all header fields in bytes.
    var headers = 64 << 10
    package var redirects = 5

    package init() {}
}

/// A request for a document.
package struct FetchRequest: Hashable, Sendable {
    /// An http, https or file address.
    var url: String
    /// The validators of an earlier response. If the document has not changed, the response is 304 without a body (RFC
    /// 9110).
    var etag: String?
    var lastModified: String?
    /// Additional header lines of the user, such as `Cookie: x=y`. They are sent only to the address's own origin,
    /// wherever redirects lead.
    var headers: [String]
    /// A request with another method, which follows no redirects.
    package var message: FetchMessage?
    /// The file that receives the body instead of memory.
    package var file: FetchFile?
    /// Whether the address's own host may be private. Other hosts in redirects may not.
    let allowsPrivateHost: Bool
    package var limits = FetchLimits()

    /// Creates a request.
    ///
    /// - Parameter allowsPrivateHost: Whether the address's own host may be private. Set it for addresses that the user
    ///   typed, and others on the same host, but not for any other address from outside.
    package init(
        url: String, allowsPrivateHost: Bool, etag: String? = nil, lastModified: String? = nil, headers: [String] = []
    ) {
        self.allowsPrivateHost = allowsPrivateHost
        self.headers = headers
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
    }
}

/// A request with a method and a body.
package struct FetchMessage: Hashable, Sendable {
    /// The method, such as POST.
    var method: String
    var body: [UInt8]
    var contentType: String

    package init(_ method: String, _ body: [UInt8], contentType: String) {
        self.method = method
        self.body = body
        self.contentType = contentType
    }
}

/// A file to which the rest of a document is appended. If the server doesn't support ranges, the whole document is
/// written from the start (RFC 9110, section 14).
package struct FetchFile: Hashable, Sendable {
    /// The descriptor, open for writing until the response has arrived.
    var descriptor: Int32
    /// The requested bytes, from the end of the file.
    var range: Range<Int64>
    /// The entity tag or date of the existing bytes. If the document has changed, the whole document is returned.
    var validator: String?

    package init(descriptor: Int32, range: Range<Int64>, validator: String?) {
        self.descriptor = descriptor
        self.range = range
        self.validator = validator
    }
}

/// A response of a server.
package struct FetchResponse: Sendable {
    /// The HTTP status; 200 for files.
    package var status: Int
    package var body: [UInt8]
    /// The header fields by lower-case name. Of repeated fields the last one.
    package var headers: [String: String]
    /// The address after all redirects.
    package var effectiveURL: String
    /// The address after permanent redirects alone, if there were any.
    package var permanentURL: String?
    /// Whether the body was truncated: it is shorter than announced, or compressed data ended early.
    package var isCut: Bool
    /// The duration of the transfer in seconds.
    package var seconds: Double
}

extension FetchResponse {
    /// Creates a response from a program's output, which may be compressed.
    ///
    /// - Parameter source: The document that the program filtered.
    package init(program body: [UInt8], of source: FetchResponse?, seconds: Double) throws(FetchError) {
        let content = try CompressedDocument.content(of: body, maximum: FetchLimits().body)
        self.init(
            status: 200, body: content.bytes, headers: [:], effectiveURL: source?.effectiveURL ?? "",
            permanentURL: nil, isCut: content.isCut || source?.isCut ?? false, seconds: seconds)
    }
}

/// The reason why there is no response.
package enum FetchError: Error, Hashable, Sendable {
    /// The address is not an http, https or file address.
    case badAddress(String)
    /// libcurl is not installed.
    case unavailable
    case cancelled
    /// The host doesn't exist.
    case noSuchHost(String)
    case cannotConnect(String)
    /// A proxy failed, as a sentence that names it.
    case proxyFailed(String)
    case timedOut
    case bodyTooLarge(limit: Int)
    case headersTooLarge(limit: Int)
    case tooManyRedirects
    /// The server sent a part (206) of a document that was requested as a whole.
    case unrequestedPart
    case insecure(String)
    case noSuchFile(String)
    /// A file address leads to a directory, pipe or device.
    case notRegularFile(String)
    case cannotRead(String, String)
    /// The file for the body can't be written.
    case cannotWrite(String)
    /// The address is private or link-local, which is not allowed here.
    case privateAddress(String)
    /// The server doesn't speak HTTP.
    case notHTTP(String)
    /// Any other error, in libcurl's words.
    case failed(String)
}

extension FetchError: CustomStringConvertible {
    /// The reason without a full stop.
    package var description: String {
        switch self {
        case .badAddress(let address): "'\(address)' is not an http, https or file address"
        case .unavailable: "libcurl is not installed"
        case .cancelled: "stopped"
        case .noSuchHost(let host): "no such host: \(host)"
        case .cannotConnect(let host): "\(host) does not answer"
        case .proxyFailed(let sentence): sentence
        case .timedOut: "the server took too long"
        case .bodyTooLarge(let limit): "the document is larger than \(limit >> 20) MiB"
        case .headersTooLarge(let limit): "the server's header is larger than \(limit >> 10) KiB"
        case .tooManyRedirects: "too many redirects"
        case .unrequestedPart: "the server sent only a part of the document (206)"
        case .insecure(let reason): "the connection is not secure: \(reason)"
        case .noSuchFile(let path): "no such file: \(path)"
        case .notRegularFile(let path): "\(path) is a directory, pipe or device; only regular files are read"
        case .cannotRead(let path, let reason): "can't read \(path): \(reason)"
        case .cannotWrite(let reason): "can't write the file: \(reason)"
        case .privateAddress(let host): "\(host) resolves to a private address; request refused"
        case .notHTTP(let host): "\(host) doesn't speak HTTP"
        case .failed(let reason): "the transfer failed: \(reason)"
        }
    }
}
