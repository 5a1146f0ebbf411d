/// A text that a POSIX shell reads, divided into commands and their words.
///
/// It knows quotation, expansions, redirections and separators, which decide what each program receives. Compound
/// commands only appear as the commands in them.
struct ShellScript {
    enum Quoting: Hashable {
        case none, single, double, escaped
    }

    struct Element: Hashable {
        enum Kind: Hashable {
            case character(Character)
            /// The place of a value.
            case value(String)
            /// `$NAME` or `${NAME…}`.
            case reference(String)
            /// Anything else that the shell replaces, such as the output of a command.
            case expansion
        }

        var kind: Kind
        var quoting: Quoting
        /// Its position in the text.
        var range: Range<Int>
    }

    struct Word: Hashable {
        var elements: [Element] = []
        var range: Range<Int>
    }

    /// A program with its arguments.
    struct Command: Hashable {
        var words: [Word] = []
        /// The words on standard input: here-documents and here-strings.
        var documents: [Word] = []
        /// Whether its standard input is the output of the previous command.
        var readsPipe = false
    }

    /// The commands in their order, those of substitutions before the commands that contain them.
    var commands: [Command] = []
    /// Whether the text contains anything that only a shell does, beyond quoting the words of one command.
    var needsShell = false
    /// Whether the text has here-strings, which only some shells know.
    var hasHereStrings = false
    /// Whether each construct is one that this type knows.
    var isCertain = true

    init(_ pieces: [CommandPiece]) {
        var parser = ShellParser(pieces)
        parser.parseList(closing: nil)
        self = parser.script
        if parser.index < pieces.count { isCertain = false }
        if commands.count != 1 { needsShell = true }
    }
}

struct ShellParser {
    private let pieces: [CommandPiece]
    private(set) var index = 0
    var script = ShellScript(empty: ())
    /// Here-documents whose text follows the line: the commands' positions, the last lines, and whether they are quoted.
    private var documents: [(command: Int, end: String, isQuoted: Bool, isIndented: Bool)] = []

    init(_ pieces: [CommandPiece]) { self.pieces = pieces }

    /// The number of open lists, which call each other, and its maximum.
    private var lists = 0
    private static let maximumLists = 50

    private var next: Character? { character(at: index) }

    private func character(at index: Int) -> Character? {
        guard pieces.indices.contains(index), case .character(let character) = pieces[index] else { return nil }
        return character
    }

    private static let ends: Set<Character> = [" ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"]
    private static let globs: Set<Character> = ["*", "?", "[", "{", "}"]

    // MARK: Commands

    /// Reads commands up to the end or a closing character, which it consumes.
    mutating func parseList(closing: Character?) {
        lists += 1
        defer { lists -= 1 }
        guard lists < ShellParser.maximumLists else {
            (index, script.isCertain) = (pieces.count, false)
            return
        }
        var command = ShellScript.Command()
        var depth = 0
        func isSeparator(_ character: Character?) -> Bool { character.map { ";&|()\n".contains($0) } ?? false }
        while index < pieces.count {
            guard let character = next else {
                command.words.append(parseWord())
                continue
            }
            if character == closing, depth == 0 {
                index += 1
                finish(&command)
                return
            }
            switch character {
            case " ", "\t", "\r": index += 1
            case "#":
                script.needsShell = true
                while index < pieces.count, next != "\n" { index += 1 }
            case "<", ">": parseRedirection(&command)
            case "&" where self.character(at: index + 1) == ">":
                index += 1
                parseRedirection(&command)
            case _ where isSeparator(character):
                script.needsShell = true
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                let isPipe = character == "|" && self.character(at: index + 1) != "|"
                index +=
                    !isPipe && character == self.character(at: index + 1) && character != "(" && character != ")"
                    ? 2 : 1
                if isPipe, next == "&" { index += 1 }
                finish(&command)
                command.readsPipe = isPipe
                if character == "\n" { parseDocuments() }
            default: command.words.append(parseWord())
            }
        }
        finish(&command)
        if closing != nil { script.isCertain = false }
    }

    private mutating func finish(_ command: inout ShellScript.Command) {
        if !command.words.isEmpty || !command.documents.isEmpty
            || documents.contains(where: { $0.command == script.commands.count })
        {
            script.commands.append(command)
        }
        command = ShellScript.Command()
    }

    private mutating func parseRedirection(_ command: inout ShellScript.Command) {
        script.needsShell = true
        // A number right before it is a descriptor and no argument.
        if let last = command.words.last, last.range.upperBound == index, !last.elements.isEmpty,
            last.elements.allSatisfy({ if case .character(let digit) = $0.kind { digit.isNumber } else { false } })
        {
            command.words.removeLast()
        }
        let first = next
        index += 1
        if next == "(" {
            index += 1
            parseList(closing: ")")
            let range = index..<index
            command.words.append(
                ShellScript.Word(elements: [.init(kind: .expansion, quoting: .none, range: range)], range: range))
            return
        }
        var sign = first.map(String.init) ?? ""
        while let character = next, "<>&|-".contains(character), sign.count < 3 {
            if character == "-", sign != "<<" { break }
            sign.append(character)
            index += 1
        }
        while next == " " || next == "\t" { index += 1 }
        guard index < pieces.count, next.map({ !ShellParser.ends.contains($0) }) ?? true else {
            script.isCertain = false
            return
        }
        let word = parseWord()
        switch sign {
        case "<<<":
            script.hasHereStrings = true
            command.documents.append(word)
        case "<<", "<<-":
            let isQuoted = word.elements.contains { $0.quoting != .none }
            let end = word.elements.compactMap { if case .character(let one) = $0.kind { String(one) } else { nil } }
                .joined()
            documents.append((script.commands.count, end, isQuoted, sign == "<<-"))
        default:
            // A value that names a file may name any file.
            if word.elements.contains(where: { if case .value = $0.kind { true } else { false } }) {
                script.isCertain = false
            }
        }
    }

    /// Reads the here-documents that begin after a line.
    private mutating func parseDocuments() {
        for document in documents {
            var word = ShellScript.Word(range: index..<index)
            while index < pieces.count {
                var end = index
                while end < pieces.count, character(at: end) != "\n" { end += 1 }
                let line = Array(pieces[index..<end]).text ?? ""
                let text = document.isIndented ? String(line.trimmingPrefix { $0 == "\t" }) : line
                if text == document.end {
                    index = min(end + 1, pieces.count)
                    break
                }
                while index < end { parsePart(into: &word, document.isQuoted ? .single : .double) }
                index = min(end + 1, pieces.count)
            }
            // A value in it can't be replaced by a reference in each case.
            for index in word.elements.indices {
                if case .value = word.elements[index].kind { script.isCertain = false }
            }
            if script.commands.indices.contains(document.command) {
                script.commands[document.command].documents.append(word)
            }
        }
        documents = []
    }

    // MARK: Words

    private mutating func parseWord() -> ShellScript.Word {
        let start = index
        var word = ShellScript.Word(range: start..<start)
        while index < pieces.count {
            guard let character = next else {
                parsePart(into: &word, .none)
                continue
            }
            if ShellParser.ends.contains(character) { break }
            switch character {
            case "'": parseQuoted(into: &word, by: "'", .single)
            case "\"": parseQuoted(into: &word, by: "\"", .double)
            case "\\":
                index += 1
                if next == "\n" {
                    index += 1
                } else if index < pieces.count {
                    // What an escaped value would become depends on the value.
                    if next == nil { script.isCertain = false }
                    parseCharacter(into: &word, .escaped)
                } else {
                    script.isCertain = false
                }
            default:
                if ShellParser.globs.contains(character) || character == "~" && index == start {
                    script.needsShell = true
                }
                if character == "=", script.commands.isEmpty, isName(word) { script.needsShell = true }
                parsePart(into: &word, .none)
            }
        }
        // A character that no case consumes would be read forever.
        if index == start { index += 1 }
        word.range = start..<index
        if ["!", "if", "while", "until", "for", "case"].contains(word.literal ?? "") { script.needsShell = true }
        return word
    }

    /// Whether a word so far is a variable's name, so that an equals sign makes it an assignment.
    private func isName(_ word: ShellScript.Word) -> Bool {
        guard let name = word.literal, let first = name.first, !first.isNumber else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private mutating func parseQuoted(
        into word: inout ShellScript.Word, by quote: Character, _ quoting: ShellScript.Quoting
    ) {
        index += 1
        while index < pieces.count, next != quote {
            if quoting == .double, next == "\\" {
                let escaped = character(at: index + 1)
                if let escaped, "$`\"\\\n".contains(escaped) {
                    index += 1
                    if escaped == "\n" { index += 1 } else { parseCharacter(into: &word, .double) }
                    continue
                }
            }
            parsePart(into: &word, quoting)
        }
        if index >= pieces.count { script.isCertain = false }
        index += 1
    }

    private mutating func parseCharacter(into word: inout ShellScript.Word, _ quoting: ShellScript.Quoting) {
        switch pieces[index] {
        case .character(let character):
            word.elements.append(.init(kind: .character(character), quoting: quoting, range: index..<index + 1))
        case .value(let name):
            word.elements.append(.init(kind: .value(name), quoting: quoting, range: index..<index + 1))
        }
        index += 1
    }

    /// Reads a character, a value, or something that the shell replaces.
    private mutating func parsePart(into word: inout ShellScript.Word, _ quoting: ShellScript.Quoting) {
        guard quoting != .single, let character = next, character == "$" || character == "`" else {
            return parseCharacter(into: &word, quoting)
        }
        let start = index
        index += 1
        let kind = character == "`" ? parseBackquotes() : parseDollar(quoting)
        if kind != nil { script.needsShell = true }
        word.elements.append(.init(kind: kind ?? .character("$"), quoting: quoting, range: start..<index))
    }

    /// Reads what follows a dollar sign. Returns `nil` if the sign stands for itself.
    private mutating func parseDollar(_ quoting: ShellScript.Quoting) -> ShellScript.Element.Kind? {
        guard let character = next else { return nil }
        switch character {
        case "(":
            index += 1
            if next == "(" {
                skip(from: "(", to: ")")
                return .expansion
            }
            parseList(closing: ")")
            return .expansion
        case "{":
            let start = index + 1
            skip(from: "{", to: "}")
            let inner = Array(
                pieces[min(start, pieces.count)..<max(min(index - 1, pieces.count), min(start, pieces.count))])
            let name = inner.prefix {
                if case .character(let one) = $0 { one.isLetter || one.isNumber || one == "_" } else { false }
            }
            return Array(name).text.flatMap { $0.isEmpty ? nil : .reference($0) } ?? .expansion
        case "'" where quoting == .none:
            index += 1
            while index < pieces.count, next != "'" { index += next == "\\" ? 2 : 1 }
            index = min(index + 1, pieces.count)
            return .expansion
        case _ where character.isLetter || character == "_":
            var name = ""
            while let character = next, character.isASCII, character.isLetter || character.isNumber || character == "_"
            {
                name.append(character)
                index += 1
            }
            return name.isEmpty ? nil : .reference(name)
        case _ where character.isNumber || "@*#?-$!".contains(character):
            index += 1
            return .reference(String(character))
        default: return nil
        }
    }

    /// Skips to the character that closes the bracket at the position.
    private mutating func skip(from open: Character, to close: Character) {
        var depth = 0
        while index < pieces.count {
            if next == "\\" {
                index += 1
            } else if next == open {
                depth += 1
            } else if next == close {
                depth -= 1
                if depth == 0 {
                    index += 1
                    return
                }
            }
            index += 1
        }
        index = pieces.count
        script.isCertain = false
    }

    private mutating func parseBackquotes() -> ShellScript.Element.Kind {
        let start = index - 1
        var inner: [CommandPiece] = []
        while index < pieces.count, next != "`" {
            if next == "\\", let escaped = character(at: index + 1), "`$\\".contains(escaped) { index += 1 }
            if index < pieces.count { inner.append(pieces[index]) }
            index += 1
        }
        if index >= pieces.count { script.isCertain = false }
        index = min(index + 1, pieces.count)
        let nested = ShellScript(inner)
        // Positions in it are not those of this text.
        if !inner.values.isEmpty { script.isCertain = false }
        script.commands += nested.commands.map { command in
            var command = command
            for index in command.words.indices { command.words[index].range = start..<self.index }
            return command
        }
        script.isCertain = script.isCertain && nested.isCertain
        return .expansion
    }
}

extension ShellScript {
    fileprivate init(empty: Void) {}

    /// Whether it contains a value or refers to a variable from outside.
    func refers(_ isOutside: (_ variable: String) -> Bool) -> Bool {
        commands.contains { command in
            (command.words + command.documents).contains { word in
                word.elements.contains { element in
                    switch element.kind {
                    case .value: true
                    case .reference(let name): isOutside(name)
                    case .character, .expansion: false
                    }
                }
            }
        }
    }
}

extension ShellScript.Word {
    /// Its text if the shell replaces nothing in it, quoted or not.
    var literal: String? {
        var text = ""
        for element in elements {
            guard case .character(let character) = element.kind else { return nil }
            text.append(character)
        }
        return text
    }
}
