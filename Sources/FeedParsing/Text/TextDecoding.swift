import CUchardet
import Platform

struct DecodedDocument {
    /// The text in valid UTF-8, which later code doesn't check again.
    var utf8: [UInt8]
    var problem: String?
}

/// Determines a document's encoding and converts it to UTF-8.
///
/// The order follows RFC 7303 and feedparser: a byte order mark, the charset in the HTTP header, the XML declaration,
/// UTF-8 if the bytes are valid, otherwise windows-1252. An encoding that contradicts the bytes is ignored.
enum TextDecoding {
    static func decode(_ bytes: [UInt8], contentType: String?) -> DecodedDocument {
        if let (name, length) = byteOrderMark(bytes) {
            let body = Array(bytes[length...])
            return convert(body, from: name) ?? DecodedDocument(utf8: repaired(body))
        }
        // EBCDIC: the letters of the declaration are the same in all variants.
        let isEBCDIC = bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94])
        let head = isEBCDIC ? convert(Array(bytes.prefix(512)), from: "CP037")?.utf8 ?? bytes : bytes
        let named = [charset(in: contentType), declaredEncoding(head)].compactMap { $0 }
        let wide = wideEncoding(bytes)
        for name in named.map(normalized) {
            // Any two bytes are valid UTF-16, so a document that starts with single-byte characters isn't UTF-16.
            let isWide = name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32") || name.hasPrefix("UCS")
            if isWide, wide == nil, isValidUTF8(bytes) { continue }
            // Text with one byte a character is never valid UTF-8 by chance, and longer text with two bytes isn't either.
            let isNarrow = ["WINDOWS-125", "ISO-8859", "KOI8"].contains(where: name.hasPrefix)
            let needed = isNarrow ? 1 : minimumLetters
            if !isWide, name != "UTF-8", bytes.count(where: { $0 >= 0x80 }) >= needed, isValidUTF8(bytes) { continue }
            // The name doesn't state the byte order, but the first bytes show it.
            if let document = convert(bytes, from: isWide ? wide ?? name : name) { return document }
        }
        if let wide, let document = convert(bytes, from: wide) { return document }
        if isValidUTF8(bytes) {
            // Japanese in seven bits, with escape sequences between character sets.
            if bytes.place(of: 0x1B, from: 0) != nil, let document = guess(bytes, only: "ISO-2022") { return document }
            let problem = named.first.map { "the encoding \($0) does not fit the document; UTF-8 does" }
            return DecodedDocument(utf8: bytes, problem: problem)
        }
        if let document = guess(bytes) { return document }
        let problem = "bytes that are not \(named.first ?? "UTF-8") were read as windows-1252"
        if let document = convert(bytes, from: "WINDOWS-1252") {
            return DecodedDocument(utf8: document.utf8, problem: problem)
        }
        return DecodedDocument(utf8: repaired(bytes), problem: "some bytes are not valid in any likely encoding")
    }

    private static func byteOrderMark(_ bytes: [UInt8]) -> (String, Int)? {
        if bytes.starts(with: [0x00, 0x00, 0xFE, 0xFF]) { return ("UTF-32BE", 4) }
        if bytes.starts(with: [0xFF, 0xFE, 0x00, 0x00]) { return ("UTF-32LE", 4) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return ("UTF-8", 3) }
        if bytes.starts(with: [0xFE, 0xFF]) { return ("UTF-16BE", 2) }
        if bytes.starts(with: [0xFF, 0xFE]) { return ("UTF-16LE", 2) }
        return nil
    }

    /// Returns the encoding of a document that starts with `<` in two or four bytes.
    private static func wideEncoding(_ bytes: [UInt8]) -> String? {
        switch Array(bytes.prefix(4)) {
        case [0, 0, 0, 0x3C]: "UTF-32BE"
        case [0x3C, 0, 0, 0]: "UTF-32LE"
        case let start where start.starts(with: [0, 0x3C]): "UTF-16BE"
        case let start where start.starts(with: [0x3C, 0]): "UTF-16LE"
        default: nil
        }
    }

    private static func charset(in contentType: String?) -> String? {
        guard let contentType else { return nil }
        for part in contentType.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            let name = pair[0].filter { !$0.isWhitespace }.lowercased()
            guard name == "charset", pair.count == 2 else { continue }
            let value = pair[1].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            return value.isEmpty ? nil : value
        }
        return nil
    }

    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let narrow = bytes.prefix(1024).filter { $0 != 0 }
        let head = String(decoding: narrow, as: UTF8.self)
        guard let start = head.firstRange(of: "<?xml"), let end = head[start.upperBound...].firstRange(of: "?>") else {
            return nil
        }
        let declaration = head[start.upperBound..<end.lowerBound]
        guard let key = declaration.firstRange(of: "encoding") else { return nil }
        let rest = declaration[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        let value = rest.dropFirst().prefix { $0 != quote }
        return value.isEmpty ? nil : String(value)
    }

    /// Returns the actual encoding of a name. On the web Latin-1 and ASCII mean windows-1252, and GB2312 means GB18030
    /// (the labels of the WHATWG Encoding Standard).
    private static func normalized(_ name: String) -> String {
        switch name.lowercased() {
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "us-ascii", "ascii": "WINDOWS-1252"
        case "gb2312", "gbk", "gb_2312-80", "x-gbk": "GB18030"
        case "shift_jis", "shift-jis", "x-sjis", "sjis": "CP932"
        case "utf8": "UTF-8"
        case "ks_c_5601-1987", "euc-kr": "CP949"
        case "big5": "BIG5-HKSCS"
        case "cp-is", "cp_is", "csibm861": "CP861"
        case "ibm039", "ibm-039": "CP037"
        case "macroman", "mac-roman", "x-mac-roman", "maciceland", "mac-iceland", "macturkish", "mac-turkish",
            "macgreek",
            "mac-greek":
            // The other variants differ from Roman in few places and have no converter.
            "MACINTOSH"
        case "maccentraleurope", "maclatin2", "mac-latin2": "MAC-CENTRALEUROPE"
        case "x-user-defined", "tcvn", "tcvn-5712", "tcvn5712-1", "tcvn5712-1:1993", "viscii", "ms-cyrl": ""
        default: name.uppercased()
        }
    }

    /// Detects the encoding of a document that states none or a wrong one, with uchardet.
    ///
    /// - Parameter kind: The prefix that the encoding's name must have.
    private static func guess(_ bytes: [UInt8], only kind: String = "") -> DecodedDocument? {
        // Too few letters for a reliable result, such as a name in an English text.
        guard !kind.isEmpty || bytes.count(where: { $0 >= 0x80 }) >= minimumLetters else { return nil }
        guard let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let head = bytes.prefix(bytesToGuessFrom)
        let isTaken = head.withUnsafeBytes { raw in
            uchardet_handle_data(detector, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count) == 0
        }
        guard isTaken else { return nil }
        uchardet_data_end(detector)
        let name = String(cString: uchardet_get_charset(detector))
        guard !name.isEmpty, name != "ASCII", name.hasPrefix(kind) else { return nil }
        // Many invalid bytes mean another encoding; a few are errors in the document.
        guard var document = convert(bytes, from: normalized(name)), document.problem == nil else { return nil }
        document.problem = "the encoding is not declared; it was guessed"
        return document
    }

    /// The minimum number of non-ASCII bytes for a detection, and the maximum number of bytes to examine.
    private static let minimumLetters = 16
    private static let bytesToGuessFrom = 1 << 20

    static func isValidUTF8(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { UTF8Validity($0).isUTF8 }
    }

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func convert(_ bytes: [UInt8], from name: String) -> DecodedDocument? {
        if name == "UTF-8" {
            return isValidUTF8(bytes) ? DecodedDocument(utf8: bytes) : nil
        }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        var converter = iconv_open("UTF-8", name)
        if converter == iconv_t(bitPattern: -1) { converter = iconv_open("UTF-8", name.replacing("_", with: "-")) }
        guard converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = bytes
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        var chunk = [CChar](repeating: 0, count: 16_384)
        var failures = 0
        let isComplete = input.withUnsafeMutableBytes { raw -> Bool in
            var source = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = raw.count
            while left > 0 {
                let made = chunk.withUnsafeMutableBufferPointer { buffer -> (count: Int, code: Int32) in
                    var target = buffer.baseAddress
                    var room = buffer.count
                    let result = iconv(converter, &source, &left, &target, &room)
                    return (buffer.count - room, result == Int.max || result == -1 || result == size_t.max ? errno : 0)
                }
                output.append(contentsOf: chunk[..<made.count].lazy.map { UInt8(truncatingIfNeeded: $0) })
                switch made.code {
                case 0, E2BIG: continue
                case EILSEQ, EINVAL:
                    // windows-1252 leaves five bytes undefined, and a few bad bytes don't make it another encoding.
                    failures += 1
                    if failures > 16 + bytes.count / 200 { return false }
                    output.append(contentsOf: [0xEF, 0xBF, 0xBD])
                    source = source?.advanced(by: 1)
                    left -= 1
                default: return false
                }
            }
            return true
        }
        guard isComplete else { return nil }
        let problem = failures > 0 ? "\(failures) bytes are not valid \(name)" : nil
        // From UCS-4, iconv converts values that are not characters, too.
        return DecodedDocument(utf8: isValidUTF8(output) ? output : repaired(output), problem: problem)
    }
}
