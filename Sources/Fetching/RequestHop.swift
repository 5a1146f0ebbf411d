import CCurl
import WebAddresses

/// The current address of a request, which changes with each redirect, and the rules that apply to it.
struct RequestHop: Sendable {
    private let request: FetchRequest
    private let first: Origin
    /// The origin of the current address, or `nil` if programs may find different hosts in it.
    private var origin: Origin?
    /// The address to fetch now, without user name and password.
    private(set) var url: WebAddress
    /// The header line for the credentials in the address, if any.
    private var authorization: String?
    private var redirects = 0
    private var isPermanent = true

    /// - Returns: `nil` unless the address is a web address in which all programs find the same host.
    init?(_ request: FetchRequest) {
        guard let first = Origin(request.url), let url = WebAddress(request.url) else { return nil }
        self.request = request
        self.url = url.withoutUser
        self.first = first
        origin = first
        authorization = url.user.flatMap { UserInfo.authorization(encoded: $0) }
    }

    /// The address to fetch now as text in normal form, which libcurl reads in only one way.
    var address: String { url.text }

    /// The address after permanent redirects alone, to which a feed may move, or `nil`.
    var permanentAddress: String? { redirects > 0 && isPermanent ? address : nil }

    /// Whether the host may be private: only the requested one, and only if allowed.
    var allowsPrivateHost: Bool {
        guard request.allowsPrivateHost else { return false }
        return origin.map { first.isOnSameHost(as: $0) } ?? false
    }

    /// The header lines for this address. Those of the request are only for its own origin.
    var secrets: [String] {
        var lines = isOwn ? request.headers.filter { $0.contains(":") && !$0.utf8.contains { $0 < 0x20 } } : []
        if let authorization, !lines.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
            lines.append(authorization)
        }
        return lines
    }

    /// Whether the current address has the origin of the request.
    private var isOwn: Bool { first == origin }

    /// Moves to the target of a redirect.
    ///
    /// - Parameter target: An address, or a reference relative to the current one.
    /// - Throws: ``FetchError`` after the maximum number of redirects, and for a target that isn't a web address.
    mutating func follow(_ status: Int, to target: String) throws(FetchError) {
        guard redirects < request.limits.redirects else { throw .tooManyRedirects }
        guard let next = WebAddress(target, base: url), next.isWeb else {
            throw .failed("it redirects to an address that is neither http nor https")
        }
        redirects += 1
        let before = url
        url = next.withoutUser
        // Programs read a backslash differently, so such a target has no origin.
        origin = target.utf8.contains(UInt8(ascii: "\\")) ? nil : Origin(next)
        // The credentials of a request are secrets; those in a redirect belong to its target.
        let own = isOwn ? WebAddress(request.url)?.user : nil
        authorization = (own ?? next.user).flatMap { UserInfo.authorization(encoded: $0) }
        // An attacker on an http connection must not move a feed permanently away from https.
        let isDowngrade = before.scheme == "https" && url.scheme == "http"
        if (status != 301 && status != 308) || isDowngrade { isPermanent = false }
    }

    /// Rejects a proxied request for a host that is a private address by name, because the proxy may run on this
    /// computer or in its network. Only the proxy resolves other names.
    func checkProxied() throws(FetchError) {
        guard let host = url.host else { return }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let isLocalName = name == "localhost" || name.hasSuffix(".localhost")
        let kind = isLocalName ? 1 : url.ip.map { ccurl_kind_of_address($0.bytes, $0.bytes.count) } ?? 0
        if kind == 2 || kind == 1 && !allowsPrivateHost { throw .privateAddress(host) }
    }
}
