import WebAddresses

/// Makes the links in HTML absolute.
enum RelativeLinks {
    private static let attributes: Set<String> = ["href", "src", "poster", "cite"]

    /// Returns HTML with `href`, `src` and similar attributes resolved and everything else unchanged.
    static func resolved(in html: String, base: String?) -> String {
        guard let base, html.has(UInt8(ascii: "=")) else { return html }
        let bytes = Array(html.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 256)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count, isLetter(bytes[index + 1]) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            index = copyTag(bytes, from: index, to: &result, base: base)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// Copies a tag with its links resolved.
    ///
    /// - Returns: The offset after it.
    private static func copyTag(_ bytes: [UInt8], from start: Int, to result: inout [UInt8], base: String) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), !bytes[index].isBlank {
            result.append(bytes[index])
            index += 1
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            guard isLetter(bytes[index]) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let nameStart = index
            while index < bytes.count, isLetter(bytes[index]) || bytes[index] == UInt8(ascii: "-") { index += 1 }
            let name = String(decoding: bytes[nameStart..<index], as: UTF8.self).lowercased()
            result.append(contentsOf: bytes[nameStart..<index])
            var equals = index
            while equals < bytes.count, bytes[equals].isBlank { equals += 1 }
            guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { continue }
            equals += 1
            while equals < bytes.count, bytes[equals].isBlank { equals += 1 }
            guard equals < bytes.count else { continue }
            let quote = bytes[equals] == UInt8(ascii: "\"") || bytes[equals] == UInt8(ascii: "'") ? bytes[equals] : nil
            let valueStart = quote == nil ? equals : equals + 1
            var end = valueStart
            while end < bytes.count,
                quote.map({ bytes[end] != $0 }) ?? (!bytes[end].isBlank && bytes[end] != UInt8(ascii: ">"))
            { end += 1 }
            result.append(contentsOf: bytes[index..<valueStart])
            let value = String(decoding: bytes[valueStart..<end], as: UTF8.self)
            result.append(contentsOf: (attributes.contains(name) ? resolved(value, base) : value).utf8)
            index = end
            if quote != nil, index < bytes.count {
                result.append(bytes[index])
                index += 1
            }
        }
        return index
    }

    private static func resolved(_ value: String, _ base: String) -> String {
        let trimmed = value.trimmingBlanks
        if trimmed.isEmpty || trimmed.hasPrefix("#") || WebAddress.hasScheme(trimmed) { return value }
        // HTML references are decoded before the address is resolved.
        let plain = trimmed.replacing("&amp;", with: "&")
        return WebAddress.resolve(plain, base: base).map(MarkupWriting.escaped) ?? value
    }
}
