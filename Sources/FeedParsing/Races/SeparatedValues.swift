/// A table of separated values (RFC 4180): a heading, then a row on each line.
///
/// The separator is a comma or semicolon, whichever is more frequent in the heading. A quoted field may contain both,
/// line ends, and doubled quotation marks. White space is collapsed.
package struct SeparatedValues: Sendable {
    /// A row with its first line, from 1.
    package struct Row: Sendable {
        package let line: Int
        fileprivate let fields: [String]
        fileprivate let columns: [String: Int]

        /// Returns the field under a heading, or `nil` if it is missing or empty.
        package subscript(_ heading: String) -> String? {
            guard let column = columns[heading], fields.indices.contains(column), !fields[column].isEmpty else {
                return nil
            }
            return fields[column]
        }
    }

    /// The headings in lower case.
    package let headings: Set<String>
    /// The rows that aren't empty.
    package let rows: [Row]

    /// Parses a table.
    package init(_ text: String) {
        let all = SeparatedValues.records(text)
        var columns: [String: Int] = [:]
        for (index, name) in (all.first?.fields ?? []).enumerated() where columns[name.lowercased()] == nil {
            columns[name.lowercased()] = index
        }
        headings = Set(columns.keys)
        rows = all.dropFirst().filter { $0.fields.contains { !$0.isEmpty } }.map {
            Row(line: $0.line, fields: $0.fields, columns: columns)
        }
    }

    private static func records(_ text: String) -> [(line: Int, fields: [String])] {
        let heading = text.prefix { $0 != "\n" && $0 != "\r\n" }
        let separator: Character = heading.count { $0 == ";" } > heading.count { $0 == "," } ? ";" : ","
        var records: [(line: Int, fields: [String])] = []
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var endedQuote = false
        var (line, start) = (1, 1)
        func endField() {
            fields.append(Markup.collapseSpaces(field))
            field = ""
            endedQuote = false
        }
        for character in text {
            let isLineEnd = character == "\n" || character == "\r\n" || character == "\r"
            if isLineEnd { line += 1 }
            if character == "\"" {
                // Doubled inside quotation marks it stands for itself.
                if endedQuote, !isQuoted { field.append(character) }
                endedQuote = isQuoted
                isQuoted.toggle()
            } else if isQuoted {
                field.append(isLineEnd ? " " : character)
            } else if character == separator {
                endField()
            } else if isLineEnd {
                endField()
                records.append((start, fields))
                fields = []
                start = line
            } else if character != "\u{FEFF}" {
                endedQuote = false
                field.append(character)
            }
        }
        endField()
        if fields != [""] { records.append((start, fields)) }
        return records
    }
}
