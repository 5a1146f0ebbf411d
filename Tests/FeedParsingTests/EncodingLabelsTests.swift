import Testing

@testable import FeedParsing

/// The choice of a document's encoding, and the problems reported.
@Suite struct EncodingLabelsTests {
    private func encode(_ text: String, _ encoding: String) throws -> [UInt8] {
        try #require(encoded(text, as: encoding))
    }

    private func decode(_ bytes: [UInt8], _ contentType: String? = nil) -> (text: String, problem: String?) {
        let document = TextDecoding.decode(bytes, contentType: contentType)
        return (String(decoding: document.utf8, as: UTF8.self), document.problem)
    }

    /// Labels with their encoding, and a text whose letters only this encoding has.
    private static let labels: [(labels: String, encoding: String, text: String)] = [
        (
            "iso-8859-1 ISO-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 us-ascii ascii windows-1252 cp1252",
            "WINDOWS-1252", "“5 €” – é"
        ),
        ("gb2312 GB2312 gbk gb_2312-80 x-gbk gb18030", "GB18030", "朱镕基 € 㐀"),
        ("shift_jis Shift-JIS x-sjis sjis cp932", "CP932", "① 髙 ア"),
        ("ks_c_5601-1987 euc-kr EUC-KR cp949", "CP949", "햏 한글"),
        ("big5 Big5 big5-hkscs", "BIG5-HKSCS", "喺 中文"), ("cp-is cp_is csibm861 cp861", "CP861", "Þorlákur ð"),
        (
            "macroman mac-roman x-mac-roman maciceland mac-iceland macturkish mac-turkish macgreek mac-greek macintosh",
            "MACINTOSH", "é ∞ Ω"
        ),
        ("maccentraleurope maclatin2 mac-latin2", "MAC-CENTRALEUROPE", "ž ł ą"), ("koi8-r KOI8_R", "KOI8-R", "Привет"),
        ("iso-8859-2", "ISO-8859-2", "žluť"), ("utf8 UTF-8", "UTF-8", "é €"), ("utf-16le", "UTF-16LE", "<é €"),
        ("utf-16be", "UTF-16BE", "<é €"),
    ]

    @Test func recognizesEncodingsByLabel() throws {
        for (labels, encoding, text) in Self.labels {
            let bytes = try encode(text, encoding)
            for label in labels.split(separator: " ") {
                let decoded = decode(bytes, "text/xml; charset=\(label)")
                #expect(decoded.text == text && decoded.problem == nil, "\(label): \(decoded)")
            }
        }
        // All EBCDIC encodings share these letters.
        for label in ["ibm039", "IBM-039", "cp037"] {
            #expect(decode(try encode("<a>", "CP037"), "text/xml; charset=\(label)").text == "<a>")
        }
    }

    @Test func ignoresUnknownEncodingLabels() {
        for label in [
            "x-user-defined", "tcvn", "tcvn-5712", "tcvn5712-1", "tcvn5712-1:1993", "viscii", "ms-cyrl", "no/such",
            "nonsense", "a b",
        ] {
            #expect(decode(Array("é".utf8), "text/xml; charset=\(label)").text == "é", "\(label)")
            #expect(decode([0x63, 0xE9], "text/xml; charset=\(label)").text == "cé", "\(label)")
        }
    }

    @Test func prefersTheServersCharset() throws {
        func document(_ declaration: String) -> [UInt8] {
            Array("<?xml version='1.0'\(declaration)?><a>".utf8) + [0xE9]
        }
        let (cyrillic, greek, latin) = ("й", "ι", "é")
        for (type, declaration, letter) in [
            ("text/xml; charset=windows-1251", " encoding='windows-1253'", cyrillic),
            ("text/xml", " encoding='windows-1253'", greek), (nil, " encoding='windows-1253'", greek),
            (nil, " encoding = \"windows-1253\"", greek), (nil, " encoding=\"windows-1253\" standalone='yes'", greek),
            (nil, "", latin), (nil, " encoding=''", latin), (nil, " encoding=windows-1253", latin),
            ("text/xml; charset=", " encoding='windows-1253'", greek),
            ("text/xml; Charset=\"windows-1251\"", "", cyrillic), ("text/xml;charset='windows-1251'", "", cyrillic),
            ("text/xml; x=1; charset = windows-1251 ; y=2", "", cyrillic), ("charset=windows-1251", "", latin),
            ("text/xml; xcharset=windows-1251", "", latin),
            // An encoding that doesn't fit the bytes is skipped.
            ("text/xml; charset=utf-8", " encoding='windows-1253'", greek),
            ("text/xml; charset=nonsense", " encoding='windows-1253'", greek),
        ] as [(String?, String, String)] {
            #expect(decode(document(declaration), type).text.hasSuffix("<a>" + letter), "\(type ?? "-") \(declaration)")
        }
        // A byte order mark takes precedence.
        #expect(decode([0xEF, 0xBB, 0xBF] + Array("é".utf8), "text/xml; charset=windows-1251").text == "é")
        #expect(decode([0xEF, 0xBB, 0xBF, 0x63, 0xE9]).text == "c\u{FFFD}")
    }

    @Test func FEE_03_reportsProblemsOfEncodings() {
        #expect(decode(Array("é".utf8)).problem == nil)
        #expect(
            decode(Array("é".utf8), "text/xml; charset=x-unknown").problem
                == "the encoding x-unknown does not fit the document; UTF-8 does")
        #expect(decode([0x63, 0xE9]).problem == "bytes that are not UTF-8 were read as windows-1252")
        #expect(
            decode([0x63, 0xE9], "text/xml; charset=x-unknown").problem
                == "bytes that are not x-unknown were read as windows-1252")
        #expect(decode([0xE9, 0x81], "text/xml; charset=latin1").problem == "1 bytes are not valid WINDOWS-1252")
        let reading = try? FeedParser.parse(
            Array("<rss><channel><title>".utf8) + [0xE9] + Array("</title></channel></rss>".utf8))
        #expect(
            reading?.problems.first?.message == "bytes that are not UTF-8 were read as windows-1252"
                && reading?.feed.title == "é")
    }

    /// UTF-16 and UTF-32 without a byte order mark, declared or not.
    @Test func recognizesWideEncodingsByTheirFirstBytes() throws {
        for encoding in ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"] {
            for text in [
                "<rss><channel><title>Évora</title></channel></rss>",
                "<rss><channel><title>Evora</title></channel></rss>",
            ] {
                let bytes = try encode(text, encoding)
                for type in [
                    nil, "text/xml", "text/xml; charset=\(encoding)", "text/xml; charset=\(encoding.prefix(6))",
                ] {
                    #expect(decode(bytes, type).text == text, "\(encoding) \(type ?? "-")")
                }
            }
        }
    }

    @Test func guessesNoEncodingFromAFewLetters() throws {
        // 8 and 44 non-ASCII bytes.
        for (text, isTold) in [("ひらがな", false), ("ひらがなとカタカナのぶんしょうです、よめますか", true)] {
            let decoded = decode(try encode(text, "EUC-JP"))
            #expect((decoded.text == text) == isTold)
        }
        for text in ["café", "Zürich", "señor Ñu", "à è ì ò ù", "Besançon, Nîmes"] {
            #expect(decode(try encode(text, "WINDOWS-1252")).text == text)
        }
        #expect(decode(try encode("ひらがなとカタカナ", "ISO-2022-JP")).text == "ひらがなとカタカナ")
    }
}
