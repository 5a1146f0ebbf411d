import FeedParsing
import GRDB
import LibraryKernel
import TerminalText

extension EntryStore {
    /// Returns the beginning of an entry's text on one line. It is empty if there is no text, or if the text only
    /// repeats the title.
    ///
    /// - Parameter maximum: The maximum length, of which lists show one or two lines.
    package func excerpt(of entry: EntryID, maximum: Int = 240) throws(LibraryError) -> String {
        try store.read { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT e.title, c.html, c.text
                    FROM entry e JOIN entry_content c ON c.entry_id = e.id WHERE e.id = ?
                    """)
            let row = try Row.fetchOne(find, arguments: [entry])
            guard let row, try !EntryStore.isSpoiler(entry, by: spoilers.read(db), db) else { return "" }
            let (title, html): (String, String) = (try row.at(0), (try? row.text(1)) ?? "")
            let length = title.unicodeScalars.count + 2 * maximum
            var text =
                html.isEmpty
                ? EntryStore.line((try? row.text(2)) ?? "", maximum: length)
                : EntryStore.line(ofHTML: html, maximum: length)
            // The text is shown without a repeated title, unless the title is only the beginning of a longer word.
            if !title.isEmpty, text.hasPrefix(title) {
                let rest = text.dropFirst(title.count)
                if rest.first?.isLetter != true, rest.first?.isNumber != true {
                    text = String(rest.drop { $0.isWhitespace || $0.isPunctuation })
                }
            }
            return String(text.prefix(maximum))
        }
    }

    /// Returns the words at the beginning of HTML. No more of it is parsed than necessary, which may be much if it begins
    /// with a picture in its own address.
    static func line(ofHTML html: String, maximum: Int) -> String {
        for size in [1500, 6000, 24_000, 96_000] where size < html.utf8.count {
            let line = line(Markup.plainText(html, bytes: size), maximum: maximum)
            if line.unicodeScalars.count(where: { $0 != " " }) == maximum { return line }
        }
        return line(Markup.plainText(html), maximum: maximum)
    }

    /// Returns the words of a text separated by single spaces.
    ///
    /// - Parameter most: The number of scalars after which the rest is omitted.
    static func line(_ text: String, maximum: Int) -> String {
        var text = text
        return text.withUTF8 { bytes in
            // There is at most one space before each scalar.
            String(unsafeUninitializedCapacity: min(bytes.count, 5 * maximum)) { line in
                var (index, count, used, isAfterBlank) = (0, 0, 0, false)
                while index < bytes.count, count < maximum {
                    let byte = bytes[index]
                    let (isBlank, length) =
                        byte < 0x80 ? (byte == 0x20 || (9...13).contains(byte), 1) : EntryStore.blank(bytes, at: index)
                    if !isBlank {
                        if isAfterBlank, count > 0 {
                            line[used] = UInt8(ascii: " ")
                            used += 1
                        }
                        for byte in index..<index + length {
                            line[used] = bytes[byte]
                            used += 1
                        }
                        count += 1
                    }
                    isAfterBlank = isBlank
                    index += length
                }
                return used
            }
        }
    }

    /// Returns whether a scalar that isn't ASCII is white space, and its length in bytes. Except for two scalars, all such
    /// white space is between U+1680 and U+3000.
    private static func blank(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (isBlank: Bool, length: Int) {
        let (scalar, length) = DisplayTextBuilder.scalar(bytes, at: index)
        let isBlank =
            switch scalar.value {
            case 0x85, 0xA0: true
            case 0x1680...0x3000: scalar.properties.isWhitespace
            default: false
            }
        return (isBlank, length)
    }
}
