import CCurl

/// The current address of a request, which changes with each redirect, and what applies to it there.
struct RequestHop: Sendable {
    /// The address as it was requested, without a user's name and password.
    private let first: String
    private let request: FetchRequest
    /// The address to fetch now, without a user's name and password.
    private(set) var address: String
    /// The header line for the name and the password that stand in the address, if any.
    private var authorization: String?
    private var redirects = 0
    private var isPermanent = true

    init(_ request: FetchRequest) {
        (first, authorization) = UserInfo.split(request.url)
        address = first
        self.request = request
    }

    /// The address that permanent redirects alone led to, or `nil`: a feed may move there for good.
    var permanentAddress: String? { redirects > 0 && isPermanent ? address : nil }

    /// Whether the host may have a private address: only the one that the request names, if it may.
    var allowsPrivateHost: Bool {
        guard request.allowsPrivateHost else { return false }
        return Origin(first).flatMap { first in Origin(address).map { first.isOnSameHost(as: $0) } } ?? false
    }

    /// The header lines for this address alone: the request's own go to the origin that they were meant for.
    var secrets: [String] {
        let isOwn = Origin(first).map { $0 == Origin(address) } ?? false
        var lines = isOwn ? request.headers.filter { $0.contains(":") && !$0.utf8.contains { $0 < 0x20 } } : []
        if let authorization, !lines.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
            lines.append(authorization)
        }
        return lines
    }

    /// Goes on to the address that a redirect names.
    ///
    /// - Throws: ``FetchError`` for the redirect after the last allowed one, and for an address that isn't of the web.
    mutating func follow(_ status: Int, to target: String) throws(FetchError) {
        guard redirects < request.limits.redirects else { throw .tooManyRedirects }
        guard Fetcher.isFetchable(target) else {
            throw .failed("it redirects to an address that is neither http nor https")
        }
        redirects += 1
        let before = address
        var next: String?
        (address, next) = UserInfo.split(target)
        // A request's own name and password are its secrets; those of a redirect are valid for its target.
        let isOwn = Origin(first).map { $0 == Origin(address) } ?? false
        authorization = isOwn ? UserInfo.split(request.url).authorization ?? next : next
        // Whoever can answer in place of a server over http must not move a feed away from https for good.
        let isDowngrade = Origin(before)?.scheme == "https" && Origin(address)?.scheme == "http"
        if (status != 301 && status != 308) || isDowngrade { isPermanent = false }
    }

    /// Refuses a proxied request whose host is a private address by its very name: the proxy may run on this computer or in its
    /// network. The addresses of all other names are known to the proxy alone.
    func checkProxied() throws(FetchError) {
        guard let host = Origin(address)?.host else { return }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let isLocalName = name == "localhost" || name.hasSuffix(".localhost")
        let kind = isLocalName ? 1 : ccurl_kind_of_address(name)
        if kind == 2 || kind == 1 && !allowsPrivateHost { throw .privateAddress(host) }
    }
}
