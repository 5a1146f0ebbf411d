import Dashboard
import DashboardFrame
import Foundation

/// A pane of tmux, and the commands for it. No shell reads the arguments.
struct TmuxPane {
    /// The path of tmux.
    let tmux: String
    /// The path of the server's socket.
    let server: String
    /// The name of the pane, such as `%3`.
    let name: String

    /// The pane of this program, or `nil` outside tmux.
    static var own: TmuxPane? { TmuxPane(environment: ProcessInfo.processInfo.environment) }

    init?(environment: [String: String]) {
        guard let server = environment["TMUX"]?.split(separator: ",").first, let name = environment["TMUX_PANE"],
            TmuxPane.isName(name), let tmux = ChildProcess.find("tmux")
        else { return nil }
        self.tmux = tmux
        self.server = String(server)
        self.name = name
    }

    /// Whether a text is the name of a pane: a percent sign and digits.
    static func isName(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("%") && (2...12).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Returns the answer to a command of tmux, or `nil` if it fails.
    func ask(_ words: String...) -> String? { ChildProcess.output(of: [tmux] + words) }

    /// The names of all panes in this window.
    var neighbours: [String] {
        let answer = ask("list-panes", "-t", name, "-F", "#{pane_id}") ?? ""
        return answer.split(separator: "\n").filter { TmuxPane.isName($0) && $0 != name }.map(String.init)
    }

    /// Returns the command line that runs a program in a new pane.
    ///
    /// tmux runs several arguments directly, without a shell, but an argument that ends in a semicolon would end its own
    /// command.
    func words(for program: [String], in pane: NewPane, folder: String) -> [String] {
        let split =
            switch pane {
            case .below: ["split-window", "-v", "-t", name]
            case .beside: ["split-window", "-h", "-t", name]
            case .window: ["new-window", "-a", "-t", name]
            }
        return ([tmux] + split + ["-c", folder] + program).map { word in
            word.hasSuffix(";") ? word.dropLast() + "\\;" : word
        }
    }
}
