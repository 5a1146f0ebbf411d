import CCurl

/// The current address of a request, which changes with each redirect, and the rules that apply to it.
struct RequestHop: Sendable {
    /// The requested address without user name and password.
    private let first: String
    private let request: FetchRequest
    /// The address to fetch now, without user name and password.
    private(set) var address: String
    /// The header line for the credentials in the address, if any.
    private var authorization: String?
    private var redirects = 0
    private var isPermanent = true

    init(_ request: FetchRequest) {
        (first, authorization) = UserInfo.split(request.url)
        address = first
        self.request = request
    }

    /// The address after permanent redirects alone, to which a feed may move, or `nil`.
    var permanentAddress: String? { redirects > 0 && isPermanent ? address : nil }

    /// Whether the host may be private: only the requested one, and only if allowed.
    var allowsPrivateHost: Bool {
        guard request.allowsPrivateHost else { return false }
        return Origin(first).flatMap { first in Origin(address).map { first.isOnSameHost(as: $0) } } ?? false
    }

    /// The header lines for this address. Those of the request are only for its own origin.
    var secrets: [String] {
        let isOwn = Origin(first).map { $0 == Origin(address) } ?? false
        var lines = isOwn ? request.headers.filter { $0.contains(":") && !$0.utf8.contains { $0 < 0x20 } } : []
        if let authorization, !lines.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
            lines.append(authorization)
        }
        return lines
    }

    /// Moves to the target of a redirect.
    ///
    /// - Throws: ``FetchError`` after the maximum number of redirects, and for a target that isn't a web address.
    mutating func follow(_ status: Int, to target: String) throws(FetchError) {
        guard redirects < request.limits.redirects else { throw .tooManyRedirects }
        guard Fetcher.isFetchable(target) else {
            throw .failed("it redirects to an address that is neither http nor https")
        }
        redirects += 1
        let before = address
        var next: String?
        (address, next) = UserInfo.split(target)
        // The credentials of a request are secrets; those in a redirect belong to its target.
        let isOwn = Origin(first).map { $0 == Origin(address) } ?? false
        authorization = isOwn ? UserInfo.split(request.url).authorization ?? next : next
        // An attacker on an http connection must not move a feed permanently away from https.
        let isDowngrade = Origin(before)?.scheme == "https" && Origin(address)?.scheme == "http"
        if (status != 301 && status != 308) || isDowngrade { isPermanent = false }
    }

    /// Rejects a proxied request for a host that is a private address by name, because the proxy may run on this
    /// computer or in its network. Only the proxy resolves other names.
    func checkProxied() throws(FetchError) {
        guard let host = Origin(address)?.host else { return }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let isLocalName = name == "localhost" || name.hasSuffix(".localhost")
        let kind = isLocalName ? 1 : ccurl_kind_of_address(name)
        if kind == 2 || kind == 1 && !allowsPrivateHost { throw .privateAddress(host) }
    }
}
