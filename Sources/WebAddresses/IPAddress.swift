import Platform

/// A numeric IPv4 or IPv6 address.
package struct IPAddress: Hashable, Sendable {
    /// Four or sixteen bytes in network order.
    package let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses four decimal numbers or an IPv6 address without brackets (RFC 4291, section 2.2). Returns `nil` for
    /// anything else.
    package init?(_ text: some StringProtocol) {
        guard !text.utf8.contains(0) else { return nil }
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            guard inet_pton(family, String(text), &bytes) == 1 else { continue }
            self.bytes = bytes
            return
        }
        return nil
    }

    /// Parses a host, in which IPv6 addresses have brackets.
    init?(host: String) {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        self.init(isBracketed ? Substring(host.utf8.dropFirst().dropLast()) : host[...])
    }

    /// The only form of the address (RFC 5952, section 4, without embedded IPv4 addresses).
    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let zeros = IPAddress.longestZeros(groups)
        func hex(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard zeros.count > 1 else { return hex(groups[...]) }
        return hex(groups[..<zeros.lowerBound]) + "::" + hex(groups[zeros.upperBound...])
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var (longest, start) = (0..<0, 0)
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        return longest
    }
}
