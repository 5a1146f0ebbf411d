import GRDB
import LibraryKernel

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
                ? FirstWords.of((try? row.text(2)) ?? "", maximum: length)
                : FirstWords.of(html: html, maximum: length)
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
}
