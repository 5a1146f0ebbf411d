/// Works out which pictures can be shown from what the environment, tmux and the terminal say.
enum GraphicsDetection {
    /// What stands between the program and the terminal's glass.
    enum Surroundings: Hashable {
        /// tmux, and the pane's name in it.
        case tmux(pane: String)
        /// Something that understands no pictures, or cannot be asked without harm: why, in a sentence.
        case unsuitable(String)
        /// Nothing: the terminal can be asked.
        case direct
    }

    /// Tells the surroundings from the environment, and from the colours in use.
    static func surroundings(_ environment: (String) -> String, colors: TerminalCapabilities.ColorDepth)
        -> Surroundings
    {
        let term = environment("TERM")
        if colors < .palette {
            return .unsuitable("Pictures are drawn with characters, because there are fewer than 256 colours.")
        }
        if !environment("TMUX").isEmpty {
            let pane = environment("TMUX_PANE")
            return pane.isEmpty ? .unsuitable("tmux does not say which pane this is.") : .tmux(pane: pane)
        }
        if !environment("STY").isEmpty || term.hasPrefix("screen") || term.hasPrefix("tmux") {
            return .unsuitable("Inside another program's window, perhaps of another machine, nothing can be asked.")
        }
        if ["linux", "vt", "ansi", "cons"].contains(where: { term.hasPrefix($0) }) {
            return .unsuitable("A terminal of the type '\(term)' shows characters only.")
        }
        return .direct
    }

    // MARK: tmux

    /// What tmux says of a pane and the terminals that show it.
    struct TmuxAnswer: Hashable {
        /// Whether sequences get through to the terminal.
        var passesThrough: Bool
        /// How many terminals show the pane's window right now.
        var viewers: Int
        /// The terminals of the session.
        var clients: [Client]

        /// A terminal.
        struct Client: Hashable {
            /// tmux's name for it.
            var name: String
            /// What it says it is.
            var type: String
            /// What tmux knows of it.
            var features: String
        }

        /// What tmux is asked: a line for the pane, then one for each terminal.
        static func question(pane: String) -> [String] {
            [
                "display-message", "-p", "-t", pane, "#{allow-passthrough}|#{window_active_clients}", ";",
                "list-clients", "-t", pane, "-F", "#{client_name}|#{client_termtype}|#{client_termfeatures}",
            ]
        }

        /// Reads the answer to ``question(pane:)``; `nil` when it is none.
        init?(_ text: String) {
            let lines = text.split(separator: "\n").map { line in
                line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            }
            guard let first = lines.first, first.count == 2 else { return nil }
            // tmux 3.4 writes `all` for panes that may do so unseen, older ones write numbers.
            passesThrough = ["1", "on", "2", "all"].contains(first[0])
            viewers = Int(first[1]) ?? 0
            clients = lines.dropFirst().filter { $0.count == 3 }.map {
                Client(name: $0[0], type: $0[1], features: $0[2])
            }
        }
    }

    /// What can be shown through tmux.
    static func support(_ answer: TmuxAnswer?) -> GraphicsSupport {
        guard let answer else { return GraphicsSupport(explanation: "tmux gave no answer.") }
        guard !answer.clients.isEmpty else { return GraphicsSupport(explanation: "No terminal shows this session.") }
        if let other = answer.clients.first(where: { !hasPlaceholders($0.type) }) {
            let name = other.type.isEmpty ? "does not say what it is" : "is \(other.type)"
            return GraphicsSupport(
                explanation: "The terminal around tmux \(name); kitty's pictures need kitty 0.28, or Ghostty.")
        }
        let name = answer.clients[0].type
        guard answer.passesThrough else {
            return GraphicsSupport(
                explanation: "\(name) shows pictures, but tmux lets none through: set -g allow-passthrough on")
        }
        return GraphicsSupport(
            protocols: [.kitty], explanation: "\(name), through tmux: kitty's pictures can be shown.")
    }

    // MARK: The terminal itself

    /// What a terminal has answered.
    struct Answers: Hashable {
        var version: String?
        var attributes: [Int] = []
        var cellSize: Size?
        var colorRegisters: Int?

        /// What it is asked: its name and version, the size of a cell, the colours of sixels and, last since all answer
        /// that, its attributes.
        static let question = "\u{1B}[>0q\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c"

        /// Takes an answer; the result tells whether it was the last.
        mutating func take(_ report: TerminalReport) -> Bool {
            switch report {
            case .version(let text): version = text
            case .cellSize(let size): cellSize = size
            case .colorRegisters(let count): colorRegisters = count
            case .attributes(let numbers):
                attributes = numbers
                return true
            case .color, .appearance, .capability, .style, .mode: break
            }
            return false
        }
    }

    /// What can be shown by a terminal that was asked.
    ///
    /// - Parameter cell: The pixels of a cell as the system knows them (TIOCGWINSZ), for terminals that do not say: xterm.
    static func support(_ answers: Answers, cellOfSystem cell: Size? = nil) -> GraphicsSupport {
        var result = GraphicsSupport(cellSize: answers.cellSize ?? cell, explanation: "")
        let name = answers.version.map { "The terminal is \($0)" } ?? "The terminal does not say what it is"
        var ways: [String] = []
        if let version = answers.version, hasPlaceholders(version) {
            result.protocols.insert(.kitty)
            ways.append("kitty's pictures")
        }
        // 4 stands for sixels: https://vt100.net/docs/vt510-rm/DA1.html
        if answers.attributes.contains(4), result.cellSize != nil {
            result.protocols.insert(.sixel)
            result.sixelColors = answers.colorRegisters ?? 256
            ways.append("sixels")
        }
        result.explanation =
            ways.isEmpty
            ? "\(name), and shows neither kitty's pictures nor sixels."
            : "\(name): \(ways.joined(separator: " and ")) can be shown."
        return result
    }

    /// Whether a terminal that calls itself so knows placeholders: kitty since 0.28, and Ghostty.
    static func hasPlaceholders(_ type: String) -> Bool {
        let name = type.lowercased()
        if name.hasPrefix("ghostty") { return true }
        guard name.hasPrefix("kitty(") else { return false }
        let numbers = name.dropFirst(6).prefix { $0 != ")" }.split(separator: ".").map { Int($0) ?? 0 }
        return numbers.count >= 2 && (numbers[0] > 0 || numbers[1] >= 28)
    }
}
