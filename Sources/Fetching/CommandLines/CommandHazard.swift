/// A value from outside at a place of a command line where a shell or another interpreter would read it as code.
struct CommandHazard: Hashable {
    /// What the user wrote for the value, or `nil` for the standard input.
    var value: String?
    /// Why it can't be there, as the end of a sentence.
    var reason: String

    // MARK: Finding

    /// Returns the first hazard in the arguments of a program.
    ///
    /// - Parameters:
    ///   - outside: The variables whose values come from outside, for scripts among the arguments.
    ///   - hasForeignInput: Whether the standard input comes from outside.
    ///   - depth: The number of scripts around it.
    static func first(
        in arguments: [CommandArgument], outside: Set<String> = [], hasForeignInput: Bool = false, depth: Int = 0
    ) -> CommandHazard? {
        let readers = CodeReaders(arguments)
        for (index, use) in readers.uses.enumerated() {
            switch use {
            case .data: break
            case .code(let name):
                guard let value = arguments[index].value else { continue }
                let reason =
                    name == CodeReaders.programPlace
                    ? "would be the program to start" : "would be read as code by \(name)"
                return CommandHazard(value: value, reason: reason)
            case .script(let name, let environment):
                if let value = arguments[index].value {
                    return CommandHazard(value: value, reason: "would be read as commands by the shell of \(name)")
                }
                // Variables that the line itself sets, as with env.
                let variables = arguments[..<index].filter { $0.value != nil }.compactMap(assigned)
                let later = arguments[(index + 1)...]
                let positions = later.enumerated().filter { $1.value != nil }.flatMap { ["\($0.offset)", "@", "*"] }
                let script = arguments[index].elements.map { element -> CommandPiece in
                    if case .character(let character) = element {
                        .character(character)
                    } else {
                        .character("\u{FFFC}")
                    }
                }
                guard depth < maximumScripts else {
                    return CommandHazard(value: nil, reason: "there are too many scripts in scripts")
                }
                let text = ShellScript(script)
                if let missing = missing(in: text, environment) {
                    return CommandHazard(value: "$\(missing)", reason: "doesn't reach the shell of \(name)")
                }
                if let hazard = first(
                    in: text, outside: outside.union(positions).union(variables), hasForeignInput: hasForeignInput,
                    depth: depth + 1)
                {
                    return hazard
                }
            }
        }
        if hasForeignInput, readers.readsInputAsCode {
            return CommandHazard(
                value: nil, reason: "\(arguments[0].programName ?? "the shell") would read it as commands")
        }
        return nil
    }

    private static let maximumScripts = 8

    /// Returns a variable to which a script refers although its environment doesn't have it.
    private static func missing(in script: ShellScript, _ environment: CodeReaders.Environment) -> String? {
        let passed: Set<String>
        switch environment {
        case .inherited: return nil
        case .tmux(let variables, _): passed = variables
        case .other: passed = []
        }
        for word in script.commands.flatMap({ $0.words + $0.documents }) {
            for case .reference(let name) in word.elements.map(\.kind)
            where name.hasPrefix(CommandVariable.prefix) && !passed.contains(name) { return name }
        }
        return nil
    }

    /// Words before the program of a command.
    private static let reserved: Set<String> = [
        "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!", "time", "coproc",
    ]

    static func first(
        in script: ShellScript, outside: Set<String> = [], hasForeignInput: Bool = false, depth: Int = 0
    ) -> CommandHazard? {
        var outside = outside
        var isFedFromOutside = hasForeignInput
        func isOutside(_ name: String) -> Bool { name.hasPrefix(CommandVariable.prefix) || outside.contains(name) }
        if hasForeignInput || script.refers(isOutside) { outside.formUnion(received(by: script)) }
        var places: [Range<Int>] = []
        func argument(_ word: ShellScript.Word) -> CommandArgument {
            let argument = CommandArgument(word, outside: isOutside) { expansion in
                places.contains { expansion.lowerBound <= $0.lowerBound && $0.upperBound <= expansion.upperBound }
            }
            if argument.value != nil { places.append(word.range) }
            return argument
        }
        for command in script.commands {
            var arguments = programWords(command).map(argument)
            // What a variable gets from outside stays from outside.
            while let first = arguments.first, let name = assigned(first) {
                if first.value != nil { outside.insert(name) }
                arguments.removeFirst()
            }
            if !command.readsPipe { isFedFromOutside = hasForeignInput }
            let documents = command.documents.map(argument)
            if documents.contains(where: { $0.value != nil }) { isFedFromOutside = true }
            outside.formUnion(declared(by: arguments))
            let hasValue = arguments.contains { $0.value != nil }
            if arguments.first?.text == "for", arguments.count > 1, let name = arguments[1].text {
                if hasValue { outside.insert(name) }
            } else if arguments.first?.text != "case",
                let hazard = first(in: arguments, outside: outside, hasForeignInput: isFedFromOutside, depth: depth)
            {
                return hazard
            }
            if hasValue { isFedFromOutside = true }
        }
        return nil
    }

    private static func programWords(_ command: ShellScript.Command) -> [ShellScript.Word] {
        Array(command.words.drop { reserved.contains($0.literal ?? "") })
    }

    /// Returns the variables and parameters whose values may come from outside in a script that refers to such values:
    /// those that it reads, and those of its functions and of `set`.
    private static func received(by script: ShellScript) -> Set<String> {
        var names = Set((1...9).map(String.init) + ["@", "*"])
        for command in script.commands {
            let words = programWords(command).map(\.literal).drop { $0?.contains("=") == true }
            if ["read", "mapfile", "readarray"].contains(words.first ?? nil) {
                names.formUnion(words.dropFirst().compactMap { $0 } + ["REPLY", "MAPFILE"])
            }
        }
        return names
    }

    /// Returns the variables to which a builtin assigns values from outside.
    private static func declared(by arguments: [CommandArgument]) -> [String] {
        switch arguments.first?.text {
        case "export", "readonly", "local", "declare", "typeset":
            return arguments.dropFirst().filter { $0.value != nil }.compactMap(assigned)
        case "printf":
            guard arguments.count > 2, arguments[1].text == "-v", arguments.contains(where: { $0.value != nil }) else {
                return []
            }
            return [arguments[2].text].compactMap { $0 }
        default: return []
        }
    }

    private static func assigned(_ argument: CommandArgument) -> String? {
        let start = argument.start
        guard let equals = start.firstIndex(of: "="), equals > start.startIndex else { return nil }
        let name = start[..<equals]
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(name) : nil
    }
}
