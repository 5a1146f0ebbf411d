/// A command line of the user's that receives values from outside, such as a link or a title.
///
/// There is no other way to pass a value to a program: whoever can create a template may run it. A value is a whole
/// argument, or the end of one after `=` or `:`, and no shell or other interpreter reads that argument as code. All
/// values are in the environment too (``CommandVariable``), where scripts refer to them.
package struct CommandTemplate: Hashable, Sendable {
    /// Why a command line can't receive its values.
    package struct Problem: Error, Hashable {
        /// The reason, without what to write instead.
        package var reason: String
        /// The words to write instead, in the same notation, or `nil` if none are known.
        package var words: [String]?
        /// What to do instead if no words are known.
        package var advice: String

        /// The reason and what to write instead, as a sentence without a full stop.
        ///
        /// - Parameter write: Writes words as the user would.
        package func sentence(_ write: ([String]) -> String = CommandWords.joined) -> String {
            "\(reason); " + (words.map { "write \(write($0))" } ?? advice)
        }
    }

    private let words: [[CommandPiece]]
    /// The position from which tmux reads the words.
    private let firstOfTmux: Int?
    /// The name of the program that finally runs, if it is known, without its folder.
    package let finalProgram: String?

    /// Checks a command line.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - appended: The values that follow as arguments of their own, unless the user placed one of them.
    ///   - hasForeignInput: Whether the standard input comes from outside.
    package init(
        _ words: [String], _ notation: CommandNotation, appending appended: [String] = [], hasForeignInput: Bool = false
    ) throws(Problem) {
        var read = words.map(notation.read)
        let isPlaced =
            read.contains { !$0.values.isEmpty }
            || appended.contains { name in words.contains { $0.contains(CommandVariable.name(of: name)) } }
        if !isPlaced { read += appended.map { [.value($0)] } }
        try self.init(read, notation, hasForeignInput: hasForeignInput)
    }

    /// Checks a script for `sh`.
    package init(script: String, hasForeignInput: Bool = false) throws(Problem) {
        try self.init(["sh", "-c", script], .none, hasForeignInput: hasForeignInput)
    }

    private init(_ words: [[CommandPiece]], _ notation: CommandNotation, hasForeignInput: Bool) throws(Problem) {
        let arguments = words.map { CommandArgument($0) }
        if let reason = CommandTemplate.reason(against: words, arguments, notation, hasForeignInput) {
            let rewritten = CommandRewriter.rewrite(words).flatMap { better -> [[CommandPiece]]? in
                let new = better.map { CommandArgument($0) }
                return CommandTemplate.reason(against: better, new, notation, hasForeignInput) == nil ? better : nil
            }
            throw Problem(
                reason: reason, words: rewritten.map { $0.map(notation.write) },
                advice: CommandTemplate.advice)
        }
        let readers = CodeReaders(arguments)
        self.words = words
        firstOfTmux = readers.firstOfTmux
        finalProgram = readers.finalProgram ?? CommandTemplate.firstProgram(words, readers)
    }

    // MARK: Checking

    private static func reason(
        against words: [[CommandPiece]], _ arguments: [CommandArgument], _ notation: CommandNotation, _ hasInput: Bool
    ) -> String? {
        func name(_ value: String) -> String {
            guard value.hasPrefix("{") else { return value }
            return notation.write([.value(String(value.dropFirst().dropLast()))])
        }
        if let hazard = CommandHazard.first(in: arguments, hasForeignInput: hasInput) {
            return (hazard.value.map { name($0) + " " } ?? "the standard input comes from outside, and ")
                + hazard.reason
        }
        for word in words where !isPlace(word) {
            guard let value = word.values.first else { continue }
            return "\(name("{\(value)}")) stands inside a longer word"
        }
        return nil
    }

    /// Whether the values of a word are where values may be.
    static func isPlace(_ word: [CommandPiece]) -> Bool {
        guard word.values.count == 1, case .value? = word.last else { return word.values.isEmpty }
        return word.count == 1 || [.character("="), .character(":")].contains(word[word.count - 2])
    }

    private static let advice =
        "make it a whole word, or the end of one after = or :, of a program that is no shell, or let a script refer to "
        + "\"$\(CommandVariable.prefix)LINK\" in quotes"

    private static func firstProgram(_ words: [[CommandPiece]], _ readers: CodeReaders) -> String? {
        for (word, use) in zip(words, readers.uses) {
            guard case .script = use else { continue }
            let first = ShellScript(word).commands.first
            return first?.words.lazy.map { CommandArgument($0) { _ in false } }
                .first { $0.text?.contains("=") != true }?.programName
        }
        return nil
    }

    // MARK: Filling

    /// The program's name as the user wrote it.
    package var program: String { words.first?.text ?? "" }

    /// Returns the program's arguments with values.
    package func arguments(_ values: [String: String]) -> [String] {
        words.enumerated().dropFirst().map { index, word in
            guard case .value(let name)? = word.last else { return word.text ?? "" }
            let start = Array(word.dropLast()).text ?? ""
            let value = index == markupPosition ? CommandTemplate.escaped(values[name] ?? "") : values[name] ?? ""
            let argument = start.isEmpty ? CommandWords.argument(value) : start + value
            guard let firstOfTmux, index >= firstOfTmux, argument.hasSuffix(";") else { return argument }
            return argument.dropLast() + "\\;"
        }
    }

    /// Programs that show the text below their title as Pango markup.
    private static let markupReaders: Set<String> = [
        "notify-send", "dunstify", "notify-desktop", "notify-send.sh", "notify-send.py",
    ]
    /// Their options whose arguments are words of their own.
    private static let markupOptions: Set<String> = [
        "-u", "--urgency", "-t", "--expire-time", "-a", "--app-name", "-i", "--icon", "-c", "--category", "-h",
        "--hint", "-r", "--replace-id", "-A", "--action", "--appname", "--timeout", "--replace", "-n", "--app-icon",
    ]

    /// Whether the final program shows a text as markup.
    package var readsMarkup: Bool { CommandTemplate.markupReaders.contains(finalProgram ?? "") }

    /// The position of the argument that the final program reads as markup: the second that is no option.
    private var markupPosition: Int? {
        guard readsMarkup,
            let program = words.firstIndex(where: { CommandArgument($0).programName == finalProgram })
        else { return nil }
        var found = 0
        var isOfOption = false
        for index in words.indices where index > program {
            let start = CommandArgument(words[index]).start
            if isOfOption {
                isOfOption = false
            } else if start.hasPrefix("-"), start != "-", start != "--" {
                isOfOption = CommandTemplate.markupOptions.contains(start) && words[index].values.isEmpty
            } else if start != "--" {
                found += 1
                if found == 2 { return index }
            }
        }
        return nil
    }

    /// Escapes a text for programs that read markup.
    package static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Returns the variables with values.
    package static func environment(_ values: [String: String]) -> [String: String] {
        Dictionary(values.map { (CommandVariable.name(of: $0), CommandWords.argument($1)) }) { _, last in last }
    }
}

/// A program with its path and its arguments, and the variables beyond this program's own.
package struct ProgramCall: Hashable, Sendable {
    package var words: [String]
    package var environment: [String: String]

    /// Fills in values.
    ///
    /// - Parameter find: Returns the path of a program, or `nil` if it doesn't exist.
    /// - Returns: `nil` if the program doesn't exist.
    package init?(_ template: CommandTemplate, _ values: [String: String], find: (String) -> String?) {
        guard let path = find(template.program) else { return nil }
        words = [path] + template.arguments(values)
        environment = CommandTemplate.environment(values)
    }

    package init(_ words: [String], environment: [String: String] = [:]) {
        (self.words, self.environment) = (words, environment)
    }

    /// The program's name without its folder.
    package var name: String { String(words[0].split(separator: "/").last ?? "") }
}
