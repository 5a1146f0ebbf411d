import FeedParsing
import GRDB
import LibraryKernel

extension EntryStore {
    /// Returns the beginning of an entry's text on one line. It is empty if there is no text, or if the text only
    /// repeats the title.
    package func excerpt(of entry: EntryID) throws(LibraryError) -> String {
        try store.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT e.title, c.html, c.text
                    FROM entry e JOIN entry_content c ON c.entry_id = e.id WHERE e.id = ?
                    """, arguments: [entry])
            guard let row, try !EntryStore.isSpoiler(entry, by: spoilers.read(db), db) else { return "" }
            func start(_ text: String?) -> String {
                String((text ?? "").unicodeScalars.prefix(EntryStore.excerptSource))
            }
            let (title, html, plain): (String, String, String) = (
                try row.at(0), start(try row.text(1)), start(try row.text(2))
            )
            var text = html.isEmpty ? plain : Markup.plainText(html)
            text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // The text is shown without a repeated title, unless the title is only the beginning of a longer word.
            let rest = text.dropFirst(title.count)
            if !title.isEmpty, text.hasPrefix(title), rest.first?.isLetter != true, rest.first?.isNumber != true {
                text = String(rest.drop { $0.isWhitespace || $0.isPunctuation })
            }
            return String(text.prefix(EntryStore.excerptLength))
        }
    }

    /// The number of characters to read for an excerpt, and its maximum length.
    private static let excerptSource = 3000, excerptLength = 240
}
