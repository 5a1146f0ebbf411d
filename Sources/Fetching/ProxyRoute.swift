import Foundation
import WebAddresses

/// The proxies in the environment, interpreted like libcurl does (libcurl-env(3)).
///
/// tappa reads the variables itself because the policy on private addresses depends on the route. A direct request is
/// checked against the address that it connects to; a proxied one connects only to the proxy.
struct ProxyEnvironment: Sendable {
    private let variable: @Sendable (String) -> String?

    /// - Parameter variable: Returns the value of an environment variable, by default of the process at each request.
    init(variable: @escaping @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
        self.variable = variable
    }

    /// Returns the proxy for an http or https address, or `nil` for a direct request.
    ///
    /// - Parameter proxy: A proxy that replaces those of the environment; `no_proxy` still applies.
    func proxy(for address: String, instead proxy: String? = nil) -> String? {
        guard let origin = Origin(address) else { return nil }
        let names = ProxyEnvironment.variables(for: origin.scheme)
        guard let proxy = proxy ?? names.lazy.compactMap(value).first, !isExcluded(origin.host) else { return nil }
        return proxy
    }

    /// Returns the host and port of a proxy's address, which may contain a password.
    static func name(of proxy: String) -> String {
        let written = WrittenAddress(proxy) ?? WrittenAddress(afterSlashes: proxy)
        return String(written.hostAndPort)
    }

    /// `HTTP_PROXY` is missing on purpose: clients of CGI programs can set it (httpoxy).
    private static func variables(for scheme: String) -> [String] {
        let own = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return own + ["all_proxy", "ALL_PROXY"]
    }

    private func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }

    // MARK: Exceptions

    private func isExcluded(_ host: String) -> Bool {
        let list = value("no_proxy") ?? value("NO_PROXY") ?? ""
        let host = ProxyEnvironment.bare(host)
        if list.trimmingCharacters(in: .whitespaces) == "*" { return true }
        let ip = IPAddress(host)
        return list.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { pattern in
            let pattern = ProxyEnvironment.bare(pattern.lowercased())
            // Names match including subdomains, addresses by their bits.
            guard let ip else { return !pattern.isEmpty && (host == pattern || host.hasSuffix("." + pattern)) }
            return ip.isInside(pattern)
        }
    }

    /// Returns a host without brackets and without dots at its ends.
    private static func bare(_ host: String) -> String {
        var host = Substring(host)
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasSuffix(".") { host = host.dropLast() }
        if host.hasPrefix(".") { host = host.dropFirst() }
        return String(host)
    }
}

extension IPAddress {
    /// Whether it equals an address in a pattern or is in its network (`10.0.0.0/8`).
    fileprivate func isInside(_ pattern: String) -> Bool {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard let network = parts.first.flatMap({ IPAddress($0) }), network.bytes.count == bytes.count else {
            return false
        }
        guard parts.count > 1 else { return bytes == network.bytes }
        guard parts.count == 2, let bits = Int(parts[1]), (1...bytes.count * 8).contains(bits) else { return false }
        return (0..<bits).allSatisfy { bit in
            // One long expression costs the compiler 25 seconds.
            let difference: UInt8 = bytes[bit / 8] ^ network.bytes[bit / 8]
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return difference & mask == 0
        }
    }
}
