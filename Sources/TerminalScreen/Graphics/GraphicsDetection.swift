/// Determines which pictures can be shown from the environment, tmux and the terminal's answers.
enum GraphicsDetection {
    /// What is between the program and the screen.
    enum Surroundings: Hashable {
        /// tmux, with the name of the pane.
        case tmux(pane: String)
        /// A terminal that shows no pictures or can't be queried safely, with the reason as a sentence.
        case unsuitable(String)
        /// A terminal that can be queried directly.
        case direct
    }

    /// Returns the surroundings from the environment and the colours in use.
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

    /// Returns what can be shown through tmux.
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

    struct Answers: Hashable {
        var version: String?
        var attributes: [Int] = []
        var cellSize: Size?
        var colorRegisters: Int?

        /// The query: name and version, cell size, sixel colours, and finally the device attributes, which every
        /// terminal answers.
        static let question = "\u{1B}[>0q\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c"

        /// Adds an answer. Returns whether it was the last.
        mutating func take(_ report: TerminalReport) -> Bool {
            switch report {
            case .version(let text): version = text
            case .cellSize(let size): cellSize = size
            case .colorRegisters(let count): colorRegisters = count
            case .attributes(let numbers):
                attributes = numbers
                return true
            case .color, .appearance, .capability, .style, .mode, .notification: break
            }
            return false
        }
    }

    /// Returns what a terminal can show.
    ///
    /// - Parameter cell: The cell size in pixels that the system reports (TIOCGWINSZ), for terminals that don't report
    ///   it themselves, such as xterm.
    static func support(_ answers: Answers, cellOfSystem cell: Size? = nil) -> GraphicsSupport {
        var result = GraphicsSupport(cellSize: answers.cellSize ?? cell, explanation: "")
        let name = answers.version.map { "The terminal is \($0)" } ?? "The terminal does not say what it is"
        var ways: [String] = []
        if let version = answers.version, hasPlaceholders(version) {
            result.protocols.insert(.kitty)
            ways.append("kitty's pictures")
        }
        // 4 means sixels: https://vt100.net/docs/vt510-rm/DA1.html
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

    /// Whether a terminal of this type supports placeholders: kitty since 0.28, and Ghostty.
    static func hasPlaceholders(_ type: String) -> Bool {
        let name = type.lowercased()
        if name.hasPrefix("ghostty") { return true }
        guard name.hasPrefix("kitty(") else { return false }
        let numbers = name.dropFirst(6).prefix { $0 != ")" }.split(separator: ".").map { Int($0) ?? 0 }
        return numbers.count >= 2 && (numbers[0] > 0 || numbers[1] >= 28)
    }
}
