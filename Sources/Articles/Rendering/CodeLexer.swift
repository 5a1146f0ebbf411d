import TerminalText

/// Finds keywords, strings and comments in code that no highlighter has marked, without knowing its language.
struct CodeLexer {
    private var isInComment = false

    /// Returns whether lines look like code: some end as statements or blocks do.
    static func isCode(_ lines: some Sequence<TextParagraph>) -> Bool {
        lines.contains { line in
            guard let last = line.spans.last?.text.string.last(where: { $0 != " " }) else { return false }
            return "{};:)".contains(last)
        }
    }

    /// Returns a line with its keywords, strings and comments marked by roles.
    mutating func color(_ line: [StyledSpan]) -> [StyledSpan] {
        guard line.count == 1, let span = line.first, span.link == 0 else { return line }
        let characters = Array(span.text.string)
        var spans: [StyledSpan] = []
        var start = 0
        func add(_ end: Int, _ role: TextRole) {
            if end > start {
                spans.append(StyledSpan(DisplayText(String(characters[start..<end])), span.role.union(role)))
            }
            start = end
        }
        var index = 0
        // After a quotation mark without its end, the line has no more strings.
        var hasStrings = true
        while index < characters.count {
            let isQuote = characters[index] == "\"" || characters[index] == "'"
            if let end = commentEnd(characters, index) {
                add(index, [])
                add(end, .comment)
                index = end
            } else if isQuote, hasStrings, index == 0 || !CodeLexer.isWord(characters[index - 1]) {
                add(index, [])
                guard let end = CodeLexer.stringEnd(characters, index) else {
                    hasStrings = false
                    index += 1
                    continue
                }
                add(end, .string)
                index = end
            } else if CodeLexer.isWord(characters[index]) {
                let end = characters[index...].firstIndex { !CodeLexer.isWord($0) } ?? characters.count
                if CodeLexer.keywords.contains(String(characters[index..<end])) {
                    add(index, [])
                    add(end, .keyword)
                }
                index = end
            } else {
                index += 1
            }
        }
        add(characters.count, [])
        return spans
    }

    /// Returns the end of the comment that begins at an index, or `nil` if none does.
    private mutating func commentEnd(_ line: [Character], _ index: Int) -> Int? {
        func has(_ mark: String, at place: Int) -> Bool { line[place...].starts(with: mark) }
        if isInComment || has("/*", at: index) {
            let first = isInComment ? index : index + 2
            isInComment = true
            guard let end = line.indices.dropFirst(first).first(where: { has("*/", at: $0) }) else { return line.count }
            isInComment = false
            return end + 2
        }
        let isFree = index == 0 || line[index - 1] == " "
        return isFree && (has("// ", at: index) || has("# ", at: index) || has("-- ", at: index)) ? line.count : nil
    }

    /// Returns the end of the string that begins at an index, or `nil` if it doesn't end in this line.
    private static func stringEnd(_ line: [Character], _ index: Int) -> Int? {
        var end = index + 1
        while end < line.count {
            if line[end] == line[index] { return end + 1 }
            end += line[end] == "\\" ? 2 : 1
        }
        return nil
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static let keywords: Set<String> = Set(
        """
        as async await bool break case catch char class const continue def default defer do double elif else enum except
        export extends extension false final finally float fn for from func function guard if impl implements import in
        int interface lambda let loop match mod module mut namespace new nil none null override package pass private
        protected protocol pub public raise return self static string struct super switch this throw throws trait true
        try type typedef typeof union unsafe use using var void when where while with yield None True False
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
