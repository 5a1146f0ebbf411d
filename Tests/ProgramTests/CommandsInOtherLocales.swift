import CommonTesting
import Foundation
import Testing

/// What commands print of pages in other encodings, and in locales that aren't UTF-8.
@Suite struct CommandsInOtherLocales {
    private let temporary = TemporaryFolder()

    private func run(_ arguments: [String], locale: [String: String] = [:]) -> String {
        let variables = ["HOME": temporary.url.path].merging(locale) { $1 }
        return Program.run(Program.path.path, arguments, environment: variables).output
    }

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: temporary.url.appendingPathComponent(name))
        return temporary.path(name)
    }

    @Test func rendersPagesInAnyEncoding() throws {
        let utf8 = Array("<p>Caf\u{E9} cr\u{E8}me \u{2013} 5 \u{20AC}</p>".utf8)
        let latin: [UInt8] = Array("<p>Caf".utf8) + [0xE9] + Array(" cr".utf8) + [0xE8] + Array("me ".utf8)
        let windows = latin + [0x96] + Array(" 5 ".utf8) + [0x80] + Array("</p>".utf8)
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in "<p>Caf\u{E9} cr\u{E8}me \u{2013} 5 \u{20AC}</p>".utf16 {
            wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        let declared = Array("<html><head><meta charset=\"windows-1252\"></head><body>".utf8) + windows
        for (name, bytes) in [
            ("utf8", utf8), ("mark", [0xEF, 0xBB, 0xBF] + utf8), ("windows", windows), ("wide", wide),
            ("declared", declared),
        ] {
            let path = try write(bytes, to: name)
            let output = run(["render", path], locale: ["LC_ALL": "C.UTF-8"])
            #expect(output.contains("Caf\u{E9} cr\u{E8}me \u{2013} 5 \u{20AC}"), "\(name): \(output)")
        }
    }

    @Test func printsSignsOfTheLocale() throws {
        let page = try write(
            Array("<ul><li>One \u{2026} \u{201C}two\u{201D}</li></ul><hr><p>\u{C9}t\u{E9}</p>".utf8), to: "page")
        let isASCII = { (text: String) in text.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic } }
        for locale in [
            ["LC_ALL": "C"], ["LC_ALL": "", "LC_CTYPE": "POSIX"], ["LC_ALL": "", "LC_CTYPE": "", "LANG": "de_DE"],
        ] {
            let output = run(["render", page], locale: locale)
            #expect(
                isASCII(output) && output.contains("One ... \"two\"") && output.contains("\u{C9}t\u{E9}"), "\(output)")
            #expect(isASCII(run(["add", "--help"], locale: locale)))
        }
        for locale in [["LC_ALL": "C.UTF-8"], ["LC_ALL": "", "LC_CTYPE": "en_US.utf8", "LANG": "C"]] {
            let output = run(["render", page], locale: locale)
            #expect(output.contains("One \u{2026} \u{201C}two\u{201D}") && !isASCII(output), "\(output)")
        }
        // A document keeps its signs.
        let feed = try write(
            Array("<rss><channel><title>A \u{B7} B</title><item><title>C \u{2026}</title></item></channel></rss>".utf8),
            to: "feed")
        let parsed = run(["parse", feed], locale: ["LC_ALL": "C"])
        #expect(parsed.contains("A \u{B7} B") && parsed.contains("C \u{2026}"))
    }
}
