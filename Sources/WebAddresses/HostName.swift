import Foundation

/// The hosts of web addresses, parsed as browsers do.
enum HostName {
    /// Returns a host in lower-case ASCII, an IPv4 address in decimal, or an IPv6 address in brackets. `nil` if it is
    /// empty or invalid.
    static func normal(_ host: Substring) -> String? {
        if host.utf8.first == UInt8(ascii: "[") { return ipv6(host) }
        var name = String(host)
        if name.utf8.contains(UInt8(ascii: "%")) {
            guard let decoded = name.removingPercentEncoding else { return nil }
            name = decoded
        }
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            name = name.lowercased()
        } else {
            // Internationalised names have an ASCII form.
            guard let ascii = Punycode.host(name) else { return nil }
            name = ascii
        }
        // Checked at the end, because compatibility mapping and decoding can create separators.
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }) else {
            return nil
        }
        return endsInNumber(name) ? ipv4(name)?.text : name
    }

    /// Returns the host of an address that isn't a web address, with other than ASCII characters percent-encoded.
    static func opaque(_ host: Substring) -> String? {
        if host.utf8.first == UInt8(ascii: "[") { return ipv6(host) }
        return host.utf8.contains(where: separators.contains) ? nil : AddressPart.path.encoded(host)
    }

    private static let separators = Set("#/:<>?@[\\]^|".utf8)
    private static let forbidden = separators.union("%\"`{}".utf8)

    private static func ipv6(_ host: Substring) -> String? {
        guard host.utf8.last == UInt8(ascii: "]"), host.utf8.count > 2 else { return nil }
        let inner = Substring(host.utf8.dropFirst().dropLast())
        return IPAddress(inner).flatMap { $0.bytes.count == 16 ? "[\($0.text)]" : nil }
    }

    // MARK: IPv4

    private static func labels(_ name: String) -> [Substring.UTF8View] {
        var labels = name[...].utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return labels
    }

    private static func endsInNumber(_ name: String) -> Bool {
        guard let last = labels(name).last, !last.isEmpty else { return false }
        return last.allSatisfy { 0x30...0x39 ~= $0 } || number(last) != nil
    }

    /// Parses one to four numbers, of which the last one fills the remaining bytes.
    private static func ipv4(_ name: String) -> IPAddress? {
        let numbers = labels(name).map(number)
        guard numbers.count <= 4 else { return nil }
        var address: UInt64 = 0
        for (index, number) in numbers.enumerated() {
            guard let number else { return nil }
            let isLast = index == numbers.count - 1
            guard number < (isLast ? 1 << UInt64(8 * (4 - index)) : 256) else { return nil }
            address += isLast ? number : number << UInt64(8 * (3 - index))
        }
        return IPAddress(bytes: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) })
    }

    /// Parses a decimal, octal (`017`) or hexadecimal (`0xF`) number. Values beyond 32 bits are too large, not exact.
    private static func number(_ text: Substring.UTF8View) -> UInt64? {
        var (digits, radix): (Substring.UTF8View, UInt64) = (text, 10)
        if text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8) {
            (digits, radix) = (text.dropFirst(2), 16)
        } else if text.count > 1, text.first == UInt8(ascii: "0") {
            (digits, radix) = (text.dropFirst(), 8)
        } else if text.isEmpty {
            return nil
        }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt64.init), digit < radix else {
                return nil
            }
            value = min(value * radix + digit, 1 << 32)
        }
        return value
    }
}
