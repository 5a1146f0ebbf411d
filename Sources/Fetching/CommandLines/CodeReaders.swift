/// Finds out which arguments of a command line a shell or another interpreter reads as code.
///
/// Programs that start others are followed: `nohup`, `env`, `tmux new-window`, `xterm -e`. Of programs that it doesn't
/// know, only shells and interpreters among the arguments count, and options whose names say that they run something.
struct CodeReaders {
    enum Use: Hashable {
        /// The program gets it.
        case data
        /// The shell with this name reads it as a script, with or without this program's environment.
        case script(by: String, Environment)
        /// The program with this name reads it as code of another kind, as a part of code, or as a program's name.
        case code(by: String)
    }

    /// What a script finds in its environment.
    enum Environment: Hashable {
        case inherited
        /// A server's; only these variables come along. The option goes to the position after its command.
        case tmux(passed: Set<String>, command: Int)
        /// Another user's or program's.
        case other
    }

    private(set) var uses: [Use]
    /// The position from which tmux reads arguments: it ends a command at a semicolon.
    private(set) var firstOfTmux: Int?
    /// Whether the program reads its standard input as code.
    private(set) var readsInputAsCode = false
    /// The name of the program that finally runs in this terminal, or `nil` if a script decides.
    private(set) var finalProgram: String?
    private let arguments: [CommandArgument]

    init(_ arguments: [CommandArgument]) {
        self.arguments = arguments
        uses = Array(repeating: .data, count: arguments.count)
        program(at: 0, .inherited)
        for index in arguments.indices.dropFirst() where uses[index] == .data && namesCode(index) {
            uses[index] = .code(by: arguments[0].programName ?? "the program")
        }
    }

    /// Stands for a reader that starts the value itself.
    static let programPlace = ""

    // MARK: Programs

    /// Reads the arguments from a program on.
    private mutating func program(at index: Int, _ environment: Environment) {
        guard index < arguments.count else { return }
        guard let name = arguments[index].programName else {
            uses[index] = .code(by: CodeReaders.programPlace)
            return unknown(from: index + 1, environment)
        }
        finalProgram = name
        switch CodeReaders.kind(of: name) {
        case .shell: shell(name, from: index + 1, environment)
        case .applets: program(at: index + 1, environment)
        case .interpreter(let options, let readsFirst): interpreter(name, from: index + 1, options, readsFirst)
        case .reader: markAll(from: index + 1, by: name)
        case .tmux:
            tmux(from: index + 1)
            finalProgram = name
        case .terminal(let takesOneWord):
            terminal(name, from: index + 1, takesOneWord, environment)
            finalProgram = name
        case .optionForShell(let options): optionForShell(name, from: index + 1, options, environment)
        case .launcher(let keepsEnvironment):
            launcher(name, from: index + 1, keepsEnvironment ? environment : .other)
        case nil: unknown(from: index + 1, environment)
        }
    }

    private mutating func markAll(from start: Int, by name: String) {
        for index in arguments.indices where index >= start { uses[index] = .code(by: name) }
        // A shell reads the only argument of these as it is.
        if ["eval", "watch"].contains(name), start == arguments.count - 1 {
            uses[start] = .script(by: name, .inherited)
        }
    }

    private mutating func unknown(from start: Int, _ environment: Environment) {
        for index in arguments.indices where index >= start {
            guard let name = arguments[index].programName, CodeReaders.isUnmistakable(name) else { continue }
            return program(at: index, environment)
        }
    }

    /// Reads the options of a shell, its script and the script's arguments.
    private mutating func shell(_ name: String, from start: Int, _ environment: Environment) {
        var index = start
        var hasScript = false
        var readsInput = false
        while index < arguments.count, let option = arguments[index].text, let sign = option.first {
            if option == "--" || option == "-" {
                index += 1
                break
            }
            guard sign == "-" || sign == "+" else { break }
            if option.hasPrefix("--") {
                if ["--rcfile", "--init-file", "--init-command"].contains(option) { index += 1 }
                hasScript = hasScript || option == "--command"
            } else {
                hasScript = hasScript || option.contains("c")
                readsInput = readsInput || option.contains("s")
                if option.hasSuffix("o") || option.hasSuffix("O") || option == "-C" { index += 1 }
            }
            index += 1
        }
        for option in start..<min(index, arguments.count) where arguments[option].text == nil {
            uses[option] = .code(by: name)
        }
        guard index < arguments.count, !readsInput || hasScript else {
            readsInputAsCode = true
            return
        }
        uses[index] = hasScript ? .script(by: name, environment) : .code(by: name)
        // Its program starts the script, and a literal script file is the user's own.
        finalProgram = hasScript ? nil : arguments[index].programName
    }

    private mutating func interpreter(_ name: String, from start: Int, _ options: Set<String>, _ readsFirst: Bool) {
        var index = start
        var hasCode = false
        while index < arguments.count {
            let begin = arguments[index].start
            guard begin.hasPrefix("-") || begin.hasPrefix("+"), begin != "-" else { break }
            if begin == "--" {
                index += 1
                break
            }
            let option = String(begin.prefix { $0 != "=" })
            let isCode =
                options.contains(option)
                || !option.hasPrefix("--") && option.last.map { options.contains("-\($0)") } == true
            if isCode || begin.hasPrefix("+") {
                hasCode = true
                uses[index] = .code(by: name)
                if option == arguments[index].text, !begin.hasPrefix("+"), index + 1 < arguments.count {
                    index += 1
                    uses[index] = .code(by: name)
                }
            } else if name.hasSuffix("awk"), option == "-v" || option == "-F" {
                // A variable's value is no code.
                index += 1
            } else if arguments[index].text == nil {
                uses[index] = .code(by: name)
            }
            index += 1
        }
        if readsFirst, !hasCode {
            if index < arguments.count { uses[index] = .code(by: name) } else { readsInputAsCode = true }
            index += 1
        }
        // Editors have their options among the files.
        for later in arguments.indices.dropLast() where later >= index && !readsFirst {
            if options.contains(arguments[later].text ?? "") { uses[later + 1] = .code(by: name) }
        }
    }

    private mutating func terminal(_ name: String, from start: Int, _ takesOneWord: Bool, _ environment: Environment) {
        let options = ["-e", "-x", "--", "--command", "--execute"]
        guard let index = arguments.indices.first(where: { $0 >= start && options.contains(arguments[$0].text ?? "") })
        else {
            // Without an option the first other argument is the program.
            return launcher(name, from: start, environment)
        }
        let first = index + 1
        let isWhole = ["--", "-x"].contains(arguments[index].text ?? "")
        if first == arguments.count - 1 || takesOneWord && !isWhole && first < arguments.count {
            uses[first] = .script(by: name, environment)
            finalProgram = nil
        } else {
            program(at: first, environment)
        }
    }

    /// Reads a program of which an option passes an argument to a shell.
    private mutating func optionForShell(
        _ name: String, from start: Int, _ options: Set<String>, _ environment: Environment
    ) {
        for index in arguments.indices where index >= start {
            guard let option = arguments[index].text, option.hasPrefix("-"), index + 1 < arguments.count,
                options.contains(option) || !option.hasPrefix("--") && options.contains("-\(option.suffix(1))")
            else { continue }
            uses[index + 1] = .script(by: name, environment)
            finalProgram = nil
            return
        }
        unknown(from: start, environment)
    }

    /// Reads a program that starts the program among its arguments.
    private mutating func launcher(_ name: String, from start: Int, _ environment: Environment) {
        var environment = environment
        for index in arguments.indices where index >= start {
            let begin = arguments[index].start
            if begin.hasPrefix("-") {
                if begin == "-E" || begin == "--preserve-env" { environment = .inherited }
                if ["-S", "--split-string", "-X", "-Q"].contains(String(begin.prefix { $0 != "=" })) {
                    return markAll(from: index, by: name)
                }
                continue
            }
            if begin.contains("=") { continue }
            guard let word = arguments[index].text else {
                uses[index] = .code(by: name)
                continue
            }
            if word.first?.isNumber == true, word.allSatisfy({ $0.isNumber || ".smhd:,".contains($0) }) { continue }
            program(at: index, environment)
            if name == "xargs" { findInput(options: start..<index) }
            return
        }
    }

    /// Finds out whether xargs inserts its standard input into code.
    private mutating func findInput(options: Range<Int>) {
        let texts = options.map { arguments[$0].text ?? "" }
        guard let option = texts.firstIndex(where: { $0.hasPrefix("-I") || $0 == "-i" || $0.hasPrefix("--replace") })
        else { return }
        let sign =
            texts[option] == "-I"
            ? arguments[options.lowerBound + option + 1].text ?? ""
            : texts[option].hasPrefix("-I") ? String(texts[option].dropFirst(2)) : "{}"
        for index in arguments.indices where index >= options.upperBound && uses[index] != .data {
            if !sign.isEmpty, arguments[index].text?.contains(sign) == true { readsInputAsCode = true }
        }
    }

    // MARK: tmux

    private mutating func tmux(from start: Int) {
        firstOfTmux = start
        var index = start
        while index < arguments.count, let option = arguments[index].text, option.hasPrefix("-"), option != "--" {
            if let last = option.last, "cfLST".contains(last) {
                index += 1
                if last == "c", index < arguments.count { uses[index] = .code(by: "tmux") }
            }
            index += 1
        }
        for option in start..<min(index, arguments.count) where arguments[option].text == nil {
            uses[option] = .code(by: "tmux")
        }
        // Commands end with a semicolon of the user's.
        var first = index
        while first < arguments.count {
            let last = (first..<arguments.count).first { arguments[$0].text?.hasSuffix(";") == true } ?? arguments.count
            tmuxCommand(first, last)
            first = last + 1
        }
    }

    /// The commands of tmux that start programs, with their options as for getopt.
    private static let starters: [(name: String, alias: String, options: String)] = [
        ("new-window", "neww", "abc:de:F:kn:PSt:"), ("split-window", "splitw", "bc:de:fF:hIl:p:Pt:vZ"),
        ("new-session", "new", "Ac:dDe:EF:f:n:Ps:t:x:Xy:"), ("respawn-pane", "respawnp", "c:e:kt:"),
        ("respawn-window", "respawnw", "c:e:kt:"), ("display-popup", "popup", "BCEb:c:d:e:h:kNs:S:t:T:w:x:y:"),
    ]

    private mutating func tmuxCommand(_ first: Int, _ end: Int) {
        guard first < end else { return }
        let name = arguments[first].text ?? ""
        if ["set-buffer", "setb"].contains(name) { return }
        guard let starter = CodeReaders.starters.first(where: { $0.name == name || $0.alias == name }) else {
            // Other commands expand formats, in which `#(…)` runs a program, or take a command line.
            for index in first..<end { uses[index] = .code(by: "tmux") }
            if ["run-shell", "run", "if-shell", "if"].contains(name), let last = (first..<end).last {
                uses[last] = .script(by: "tmux", .tmux(passed: [], command: -1))
            }
            return
        }
        var index = first + 1
        var passed: Set<String> = []
        while index < end, arguments[index].start.hasPrefix("-"), arguments[index].start != "-" {
            let option = arguments[index].start
            if option == "--" {
                index += 1
                break
            }
            let needsArgument = option.last.map { starter.options.contains("\($0):") } ?? false
            if arguments[index].text == nil, !option.hasPrefix("-e") { uses[index] = .code(by: "tmux") }
            if option.hasPrefix("-e") {
                let variable = index + (option == "-e" ? 1 : 0)
                if variable < end {
                    let begin = String(arguments[variable].start.dropFirst(option == "-e" ? 0 : 2))
                    if begin.contains("=") { passed.insert(String(begin.prefix { $0 != "=" })) }
                    if !begin.contains("="), arguments[variable].value != nil { uses[variable] = .code(by: "tmux") }
                }
            } else if needsArgument, index + 1 < end, arguments[index + 1].value != nil {
                uses[index + 1] = .code(by: "tmux")
            }
            index += needsArgument && arguments[index].text != nil ? 2 : 1
        }
        let environment = Environment.tmux(passed: passed, command: first)
        if index == end - 1 {
            uses[index] = .script(by: "tmux", environment)
            finalProgram = nil
        } else if index < end {
            // Several arguments are started without a shell.
            program(at: index, environment)
        }
    }

    // MARK: Names

    /// Words in the names of options that run something: `--exec`, `--checkpoint-action=exec:`.
    private static let running: Set<String> = [
        "exec", "execute", "execdir", "okdir", "ok", "eval", "command", "cmd", "shell", "system", "rcfile", "ext",
    ]

    /// Whether an argument with a value belongs to an option whose name says that it runs something.
    private func namesCode(_ index: Int) -> Bool {
        guard arguments[index].value != nil else { return false }
        func runs(_ text: String) -> Bool {
            text.lowercased().split { !$0.isLetter }.contains { CodeReaders.running.contains(String($0)) }
        }
        let start = arguments[index].start
        if !start.isEmpty { return runs(start) }
        guard index > 0, let option = arguments[index - 1].text, option.hasPrefix("-") else { return false }
        return runs(option)
    }
}
