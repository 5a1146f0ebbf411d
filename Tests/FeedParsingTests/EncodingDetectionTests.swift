import FeedParsing
import Foundation
import Glibc
import Testing

/// Detects undeclared encodings from letters: the first article of the Universal Declaration of Human Rights in the
/// encodings that its languages used before UTF-8.
@Suite struct EncodingDetectionTests {
    private static let texts: [(text: String, encodings: [String])] = [
        (
            "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
            ["EUC-JP", "CP932", "ISO-2022-JP"]
        ),
        ("人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。", ["GB18030"]),
        ("人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。", ["BIG5"]),
        (
            "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
            ["CP949"]
        ),
        (
            "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
            ["WINDOWS-1251", "KOI8-R", "ISO-8859-5", "CP866"]
        ),
        (
            "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.",
            ["WINDOWS-1253", "ISO-8859-7"]
        ),
        (
            "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחוה.",
            ["WINDOWS-1255"]
        ),
        (
            "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.",
            ["WINDOWS-1256"]
        ),
        (
            "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
            ["TIS-620"]
        ),
        (
            "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
            ["WINDOWS-1254"]
        ),
        (
            "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.",
            ["WINDOWS-1250", "ISO-8859-2"]
        ),
        (
            "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy viseltessenek.",
            ["WINDOWS-1250", "ISO-8859-2"]
        ),
    ]

    /// A declaration of one byte a character is wrong if the text is valid UTF-8.
    @Test(arguments: ["ISO-8859-1", "windows-1252", "windows-1251", "koi8-r", "iso-8859-15"])
    func readsUTF8ThatIsDeclaredOtherwise(name: String) throws {
        let text =
            "<?xml version='1.0' encoding='\(name)'?><rss><channel><title>Caf\u{E9} \u{C11C}\u{C6B8}</title></channel></rss>"
        for type in [nil, "text/xml; charset=\(name)"] {
            let reading = try FeedParser.parse(Array(text.utf8), contentType: type)
            #expect(reading.feed.title == "Caf\u{E9} \u{C11C}\u{C6B8}")
            #expect(reading.problems.contains { $0.description.contains("does not fit") })
        }
        let narrow = Array(text.replacing(" \u{C11C}\u{C6B8}", with: "").unicodeScalars.map { UInt8($0.value) })
        let cyrillic = ["windows-1251", "koi8-r"].contains(name)
        #expect(try FeedParser.parse(narrow, contentType: nil).feed.title == "Caf\u{E9}" || cyrillic)
    }

    /// So is one of two bytes a character, unless the text is short.
    @Test(arguments: ["gb2312", "big5", "euc-kr", "shift_jis", "euc-jp"])
    func readsUTF8ThatIsDeclaredAsTwoBytes(name: String) throws {
        let text = "<?xml version='1.0' encoding='\(name)'?><rss><channel><title>京东手机很便宜</title></channel></rss>"
        let reading = try FeedParser.parse(Array(text.utf8), contentType: nil)
        #expect(reading.feed.title == "京东手机很便宜")
        #expect(reading.problems.contains { $0.description.contains("does not fit") })
    }

    @Test(arguments: 0..<texts.count) func decodesTheFirstArticle(language: Int) throws {
        let (article, encodings) = EncodingDetectionTests.texts[language]
        // Latin alphabets have few letters beyond ASCII, so the text is repeated.
        let text = article + " " + article
        for encoding in encodings {
            let document =
                "<rss><channel><title>A</title><item><guid>1</guid><description>\(text)</description></item></channel></rss>"
            let bytes = try #require(encoded(document, as: encoding), "\(encoding)")
            let reading = try FeedParser.parse(bytes, base: "https://a.example/")
            #expect(reading.feed.entries.first?.contentHTML == text, "\(encoding)")
            #expect(reading.problems.contains { $0.description.contains("it was guessed") }, "\(encoding)")
        }
    }

    /// A few letters are no evidence, and valid UTF-8 stays, whatever escape characters it contains.
    @Test func keepsTheEncodingWithoutEvidence() throws {
        func read(_ bytes: [UInt8]) throws -> String? {
            let document =
                Array("<rss><channel><item><guid>1</guid><title>".utf8) + bytes
                + Array("</title></item></channel></rss>".utf8)
            return try FeedParser.parse(document, base: "https://a.example/").feed.entries.first?.title
        }
        #expect(try read([0x63, 0x61, 0x66, 0xE9]) == "café")
        #expect(try read(Array("caf\u{E9} 東京".utf8) + [0x1B] + Array("$B".utf8))?.hasPrefix("café 東京") == true)
    }
}
