import WebAddresses

/// Makes the links in HTML absolute.
enum RelativeLinks {
    /// Returns HTML with `href`, `src` and similar attributes resolved and everything else unchanged.
    static func resolved(in html: String, base: String?) -> String {
        guard let base, html.has(UInt8(ascii: "=")) else { return html }
        var html = html
        let changed: String? = html.withUTF8 { bytes in
            var values = LinkValues(bytes)
            var result: [UInt8] = []
            var copied = 0
            while let place = values.next() {
                let value = String(decoding: bytes[place], as: UTF8.self)
                guard let absolute = resolved(value, base) else { continue }
                result += bytes[copied..<place.lowerBound]
                result += absolute.utf8
                copied = place.upperBound
            }
            return copied == 0 ? nil : String(decoding: result + bytes[copied...], as: UTF8.self)
        }
        return changed ?? html
    }

    /// Returns the absolute address for a relative link, or `nil` for a link that should be left alone.
    private static func resolved(_ value: String, _ base: String) -> String? {
        let trimmed = value.trimmingBlanks
        if trimmed.isEmpty || trimmed.hasPrefix("#") || WebAddress.hasScheme(trimmed) { return nil }
        // HTML references are decoded before the address is resolved.
        let plain = trimmed.replacing("&amp;", with: "&")
        return WebAddress.resolve(plain, base: base).map(MarkupWriting.escaped)
    }
}

private struct LinkValues {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var isInTag = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the place of the next value, without quotes.
    mutating func next() -> Range<Int>? {
        while true {
            if !isInTag {
                guard let start = bytes.place(of: UInt8(ascii: "<"), from: index) else { return nil }
                index = start + 1
                guard index < bytes.count, bytes[index].isLetter else { continue }
                skip { $0 != UInt8(ascii: ">") && !$0.isBlank }
                isInTag = true
            }
            if let place = nextInTag() { return place }
            isInTag = false
        }
    }

    private mutating func nextInTag() -> Range<Int>? {
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            let start = index
            guard bytes[start].isLetter else {
                index += 1
                continue
            }
            skip { $0.isLetter || $0 == UInt8(ascii: "-") }
            let isLink = isLink(start..<index)
            let end = index
            skip(\.isBlank)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
                index = end
                continue
            }
            index += 1
            skip(\.isBlank)
            guard let quote = index < bytes.count ? bytes[index] : nil else { return nil }
            let place: Range<Int>
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let end = bytes.place(of: quote, from: index + 1) ?? bytes.count
                place = index + 1..<end
                index = min(end + 1, bytes.count)
            } else {
                let start = index
                skip { !$0.isBlank && $0 != UInt8(ascii: ">") }
                place = start..<index
            }
            if isLink { return place }
        }
        return nil
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
    }

    private func isLink(_ name: Range<Int>) -> Bool {
        let names: [StaticString] = ["href", "src", "poster", "cite"]
        return names.contains { link in
            link.utf8CodeUnitCount == name.count
                && zip(name, 0..<name.count).allSatisfy { bytes[$0] | 0x20 == link.utf8Start[$1] }
        }
    }
}
