/// What a fetch may cost before it is ended.
package struct FetchLimits: Hashable, Sendable {
    /// Milliseconds until a connection stands.
    package var connectTimeout = 10_000
    /// Milliseconds for the whole transfer.
    package var totalTimeout = 60_000
    /// Bytes of the body, decoded.
    package var body = 16 << 20
    /// Bytes of all header fields.
    package var headers = 64 << 10
    package var redirects = 5

    package init() {}
}

/// A request for a document.
package struct FetchRequest: Hashable, Sendable {
    /// An http, https or file address.
    package var url: String
    /// The validators of an earlier answer: if the document is unchanged, the answer is 304 without a body (RFC 9110).
    package var etag: String?
    package var lastModified: String?
    /// Header lines of the user's own, such as `Cookie: x=y`: sent to the address's own origin alone, wherever redirects lead.
    package var headers: [String]
    /// What is sent with a method of its own; no redirect is followed then.
    package var message: FetchMessage?
    /// Where the answer's body goes instead of memory.
    package var file: FetchFile?
    /// Whether the address's own host may be a private one; redirects to other hosts may not.
    package let allowsPrivateHost: Bool
    package var limits = FetchLimits()

    /// Makes a request.
    ///
    /// - Parameter allowsPrivateHost: Whether the address's own host may be a private one. True for an address that the user typed, and
    ///   for one on the same host as that; false for any other address that came from outside.
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

/// What is sent to a server.
package struct FetchMessage: Hashable, Sendable {
    /// Such as POST.
    package var method: String
    package var body: [UInt8]
    package var contentType: String

    package init(_ method: String, _ body: [UInt8], contentType: String) {
        self.method = method
        self.body = body
        self.contentType = contentType
    }
}

/// A file that a part of a document is written to, behind what it has already; a server that gives no parts gives the whole, which is
/// written from the beginning (RFC 9110, section 14).
package struct FetchFile: Hashable, Sendable {
    /// Open for writing until the answer is there.
    package var descriptor: Int32
    /// The bytes that are asked for: from the file's end on.
    package var range: Range<Int64>
    /// The entity tag or date of what the file has already: of another document the whole is given.
    package var validator: String?

    package init(descriptor: Int32, range: Range<Int64>, validator: String?) {
        self.descriptor = descriptor
        self.range = range
        self.validator = validator
    }
}

/// A server's answer.
package struct FetchResponse: Sendable {
    /// The HTTP status; 200 for files.
    package var status: Int
    package var body: [UInt8]
    /// The header fields by their names in lower case; of fields that come twice the last.
    package var headers: [String: String]
    /// Where the document was after all redirects.
    package var effectiveURL: String
    /// Where permanent redirects alone have led, if there were any.
    package var permanentURL: String?
    /// Whether it was cut off: less came than was announced, or a compressed body did not end.
    package var isCut: Bool
    /// Seconds that the transfer took.
    package var seconds: Double
}

extension FetchResponse {
    /// What a program has printed.
    ///
    /// - Parameter source: The document that has gone through it.
    package init(program body: [UInt8], of source: FetchResponse?, seconds: Double) {
        self.init(
            status: 200, body: body, headers: [:], effectiveURL: source?.effectiveURL ?? "", permanentURL: nil,
            isCut: source?.isCut ?? false, seconds: seconds)
    }
}

/// Why there is no answer.
package enum FetchError: Error, Hashable, Sendable {
    /// The address is not one of http, https or file.
    case badAddress(String)
    /// libcurl is not installed.
    case unavailable
    case cancelled
    /// The host's name is unknown.
    case noSuchHost(String)
    case cannotConnect(String)
    case timedOut
    case bodyTooLarge(limit: Int)
    case headersTooLarge(limit: Int)
    case tooManyRedirects
    case insecure(String)
    case noSuchFile(String)
    /// A file address that names a directory, a pipe or a device.
    case notRegularFile(String)
    case cannotRead(String, String)
    /// The answer's file cannot be written to.
    case cannotWrite(String)
    /// A private or link-local address, where none may be.
    case privateAddress(String)
    /// What answers is no web server.
    case notHTTP(String)
    /// Anything else, in libcurl's words.
    case failed(String)
}

extension FetchError: CustomStringConvertible {
    /// The reason in plain words, without a full stop.
    package var description: String {
        switch self {
        case .badAddress(let address): "'\(address)' is not an http, https or file address"
        case .unavailable: "libcurl is not installed"
        case .cancelled: "stopped"
        case .noSuchHost(let host): "no such host: \(host)"
        case .cannotConnect(let host): "\(host) does not answer"
        case .timedOut: "the server took too long"
        case .bodyTooLarge(let limit): "the document is larger than \(limit >> 20) MiB"
        case .headersTooLarge(let limit): "the server's header is larger than \(limit >> 10) KiB"
        case .tooManyRedirects: "too many redirects"
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
