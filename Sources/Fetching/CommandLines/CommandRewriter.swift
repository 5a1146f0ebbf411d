/// Rewrites command lines so that scripts refer to values in the environment instead of containing them.
///
/// What it can't rewrite with certainty it doesn't rewrite. The result is checked like any other command line.
package enum CommandRewriter {
    // MARK: Words

    /// Rewrites the words of a program. Returns `nil` if that isn't possible.
    static func rewrite(_ words: [[CommandPiece]]) -> [[CommandPiece]]? {
        let readers = CodeReaders(words.map { CommandArgument($0) })
        var new = words
        var passed: (values: [String], position: Int)?
        for (index, use) in readers.uses.enumerated() where !words[index].values.isEmpty {
            guard case .script(_, let environment) = use else {
                if case .code = use { return nil }
                continue
            }
            switch environment {
            case .inherited:
                guard let text = rewrite(script: words[index]) else { return nil }
                new[index] = characters(text)
            case .tmux(let variables, let command):
                guard command >= 0, let text = rewrite(script: words[index]) else { return nil }
                new[index] = characters(text)
                passed = (
                    unique(words[index].values).filter { !variables.contains(CommandVariable.name(of: $0)) }, command
                )
            case .other:
                // Its arguments come along where the environment doesn't.
                let values = unique(words[index].values)
                guard index == words.count - 1,
                    let text = rewrite(script: words[index], by: { "\((values.firstIndex(of: $0) ?? 0) + 1)" })
                else { return nil }
                new[index] = characters(text)
                new += [characters("sh")] + values.map { [.value($0)] }
            }
        }
        if let passed {
            let options = passed.values.flatMap {
                [characters("-e"), characters(CommandVariable.name(of: $0) + "=") + [.value($0)]]
            }
            new.insert(contentsOf: options, at: passed.position + 1)
        }
        guard new.contains(where: { !CommandTemplate.isPlace($0) }) else { return new }
        // Only a shell can put a word together.
        return [characters("sh"), characters("-c"), characters(new.map(shellWord).joined(separator: " "))]
    }

    private static func characters(_ text: String) -> [CommandPiece] { CommandNotation.none.read(text) }

    private static func unique(_ values: [String]) -> [String] {
        var seen: Set<String> = []
        return values.filter { seen.insert($0).inserted }
    }

    /// Returns a word for a shell, which refers to the values in it.
    private static func shellWord(_ word: [CommandPiece]) -> String {
        if let text = word.text { return quoted(text) }
        let inner = word.map { piece in
            switch piece {
            case .character(let character): "$`\"\\".contains(character) ? "\\\(character)" : String(character)
            case .value(let name): "${\(CommandVariable.name(of: name))}"
            }
        }
        // Braces only where a letter follows.
        let text = inner.enumerated().map { index, part -> String in
            guard part.hasPrefix("${"), index + 1 == inner.count || !isNamePart(inner[index + 1].first) else {
                return part
            }
            return "$" + part.dropFirst(2).dropLast()
        }
        return "\"\(text.joined())\""
    }

    private static func isNamePart(_ character: Character?) -> Bool {
        character.map { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
    }

    /// Quotes a text for a shell if it needs that.
    static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_./=:,%+@".contains($0) }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    // MARK: Scripts

    /// Replaces the values in a script by quoted references. Returns `nil` if one is where that isn't possible.
    ///
    /// - Parameter name: The name of the variable or parameter with a value.
    static func rewrite(
        script pieces: [CommandPiece], depth: Int = 0, by name: (String) -> String = CommandVariable.name
    ) -> String? {
        let script = ShellScript(pieces)
        guard script.isCertain, depth < 4 else { return nil }
        var edits: [(range: Range<Int>, text: String)] = []
        var found = 0
        for command in script.commands {
            guard let own = self.edits(in: command, pieces, depth, name) else { return nil }
            edits += own.edits
            found += own.values
        }
        // A value elsewhere, such as in a comment, has no place.
        guard found == pieces.values.count else { return nil }
        var text = ""
        var index = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard edit.range.lowerBound >= index else { return nil }
            text += Array(pieces[index..<edit.range.lowerBound]).text ?? ""
            text += edit.text
            index = edit.range.upperBound
        }
        text += Array(pieces[index...]).text ?? ""
        return text
    }

    private static func edits(
        in command: ShellScript.Command, _ pieces: [CommandPiece], _ depth: Int, _ name: (String) -> String
    ) -> (edits: [(range: Range<Int>, text: String)], values: Int)? {
        // The program may follow assignments.
        let words = Array(command.words.drop { $0.literal.map { $0.contains("=") && !$0.hasPrefix("=") } ?? false })
        let readers = CodeReaders(words.map { CommandArgument($0) { _ in false } })
        var edits: [(range: Range<Int>, text: String)] = []
        var count = 0
        for (word, use) in zip(words, readers.uses) + command.documents.map({ ($0, .data) }) {
            let values = word.elements.filter { if case .value = $0.kind { true } else { false } }
            guard !values.isEmpty else { continue }
            count += values.count
            switch use {
            case .code: return nil
            case .data: edits += values.map { edit($0, pieces, name) }
            case .script(_, let environment):
                let inner = word.elements.compactMap(piece)
                if case .other = environment { return nil }
                guard inner.count == word.elements.count,
                    let text = rewrite(script: inner, depth: depth + 1, by: name)
                else { return nil }
                edits.append((word.range, quoted(text)))
                if case .tmux(let passed, let position) = environment {
                    guard position >= 0 else { return nil }
                    let variables = unique(inner.values.map(CommandVariable.name)).filter { !passed.contains($0) }
                    let end = words[position].range.upperBound
                    edits.append((end..<end, variables.map { " -e \($0)=\"$\($0)\"" }.joined()))
                }
            }
        }
        return (edits, count)
    }

    /// Returns the reference that replaces a value, which depends on the quotation around it.
    private static func edit(
        _ value: ShellScript.Element, _ pieces: [CommandPiece], _ name: (String) -> String
    ) -> (range: Range<Int>, text: String) {
        guard case .value(let label) = value.kind else { return (value.range, "") }
        let (start, end) = (value.range.lowerBound, value.range.upperBound)
        func piece(_ index: Int) -> Character? {
            guard pieces.indices.contains(index), case .character(let character) = pieces[index] else { return nil }
            return character
        }
        switch value.quoting {
        case .single where piece(start - 1) == "'" && piece(end) == "'":
            return (start - 1..<end + 1, "\"$\(name(label))\"")
        case .single: return (value.range, "'\"$\(name(label))\"'")
        case .double: return (value.range, isNamePart(piece(end)) ? "${\(name(label))}" : "$\(name(label))")
        case .none, .escaped: return (value.range, "\"$\(name(label))\"")
        }
    }

    // MARK: Imports

    /// A command line of another program's configuration, which a shell read there, as tappa runs it.
    package enum Imported: Hashable, Sendable {
        /// A program and its arguments, in the notation for the result.
        case words([String])
        /// A script for `sh`.
        case script(String)
    }

    /// Converts a command line of another program's configuration.
    ///
    /// - Parameters:
    ///   - notation: How the line names its values.
    ///   - appended: The values that follow if the line names none, and `nil` for an empty argument.
    ///   - written: How the result names its values.
    /// - Throws: Why that isn't possible.
    package static func convert(
        _ line: String, _ notation: CommandNotation, appending appended: [String?], writing written: CommandNotation
    ) throws(CommandTemplate.Problem) -> Imported {
        let advice = "write it again under [[commands]]"
        var pieces = notation.read(line)
        if let odd = pieces.values.first(where: { $0.hasPrefix("%") }) {
            throw CommandTemplate.Problem(reason: "tappa has no value for \(odd)", advice: advice)
        }
        let added = pieces.values.isEmpty ? appended : []
        let script = ShellScript(pieces)
        if !script.needsShell, script.isCertain, let command = script.commands.first {
            let words =
                command.words.map { $0.elements.compactMap(piece) } + added.map { $0.map { [.value($0)] } ?? [] }
            if let better = rewrite(words) {
                let texts = better.map(written.write)
                _ = try CommandTemplate(texts, written)
                return texts.prefix(2) == ["sh", "-c"] && texts.count == 3 && !words.elementsEqual(better)
                    && words.first?.text != "sh" ? .script(texts[2]) : .words(texts)
            }
        }
        for value in added { pieces += [.character(" ")] + (value.map { [.value($0)] } ?? characters("\"\"")) }
        guard let text = rewrite(script: pieces) else {
            let arguments = [
                CommandArgument(characters("sh")), CommandArgument(characters("-c")), CommandArgument(pieces),
            ]
            let hazard = CommandHazard.first(in: ShellScript(pieces)) ?? CommandHazard.first(in: arguments)
            let reason = hazard.map {
                "\(notation.write([.value($0.value?.filter { !"{}".contains($0) } ?? "")])) \($0.reason)"
            }
            throw CommandTemplate.Problem(
                reason: reason ?? "it can't be rewritten so that no shell reads the link", advice: advice)
        }
        _ = try CommandTemplate(script: text)
        // Only some shells know here-strings.
        return ShellScript(pieces).hasHereStrings ? .words(["bash", "-c", text]) : .script(text)
    }

    private static func piece(_ element: ShellScript.Element) -> CommandPiece? {
        switch element.kind {
        case .character(let character): .character(character)
        case .value(let name): .value(name)
        case .reference, .expansion: nil
        }
    }
}
