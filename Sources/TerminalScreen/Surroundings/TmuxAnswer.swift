/// tmux's answer about a pane and the terminals that show it.
struct TmuxAnswer: Hashable {
    var passesThrough: Bool
    /// The number of terminals that currently show the pane's window.
    var viewers: Int
    /// Whether the pane receives keys, and with them the terminal's answers.
    var receivesKeys: Bool
    var clients: [Client]

    struct Client: Hashable {
        /// tmux's name for the terminal.
        var name: String
        /// The type that the terminal reported.
        var type: String
        /// The features that tmux detected.
        var features: String
    }

    /// Whether the terminal can be queried from the pane: exactly one terminal answers, and no other pane gets
    /// the answers.
    var reachesTerminal: Bool { passesThrough && viewers == 1 && receivesKeys }

    /// Whether there are terminals, and tmux has detected a feature of each.
    func allClientsHave(_ feature: String) -> Bool {
        !clients.isEmpty && clients.allSatisfy { $0.features.split(separator: ",").contains(feature[...]) }
    }

    /// Returns the query for tmux: a line for the pane, then one for each terminal.
    static func question(pane: String) -> [String] {
        [
            "display-message", "-p", "-t", pane,
            "#{allow-passthrough}|#{window_active_clients}|#{pane_active}|#{pane_in_mode}", ";",
            "list-clients", "-t", pane, "-F", "#{client_name}|#{client_termtype}|#{client_termfeatures}",
        ]
    }

    /// Parses the answer to ``question(pane:)``. Returns `nil` if it is invalid.
    init?(_ text: String) {
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
        guard let first = lines.first, first.count == 4 else { return nil }
        // tmux 3.4 returns `all` for panes that may pass sequences through while hidden. Older versions return
        // numbers.
        passesThrough = ["1", "on", "2", "all"].contains(first[0])
        viewers = Int(first[1]) ?? 0
        receivesKeys = first[2] == "1" && first[3] == "0"
        clients = lines.dropFirst().filter { $0.count == 3 }.map {
            Client(name: $0[0], type: $0[1], features: $0[2])
        }
    }

    /// Queries tmux about a pane with its own program. Nothing is sent to the terminal. This blocks, so don't call it
    /// on the main thread.
    static func ask(pane: String) -> TmuxAnswer? {
        TmuxProgram.run(question(pane: pane)).flatMap { $0.isEmpty ? nil : Self($0) }
    }
}
