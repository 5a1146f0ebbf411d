import TerminalText

/// Notifications for a user who isn't looking at the terminal.
///
/// There is no standard. kitty has OSC 99; foot, Ghostty, WezTerm, Contour, Rio and VTE know urxvt's OSC 777; some
/// others know iTerm2's OSC 9. tmux forwards none of them, but shows the bell in its status line. All other terminals
/// handle the bell in their own way.
enum TerminalNotification {
    private static let bell: [UInt8] = [0x07]
    /// The maximum lengths of title and body in characters.
    private static let (maximumTitle, maximumBody) = (100, 300)

    /// The maximum length of an identifier in bytes.
    private static let maximumIdentifier = 200

    /// Returns the sequences for a terminal.
    ///
    /// - Parameter identifier: What kitty reports when the user opens the notification, or an empty text.
    static func bytes(
        title: String, body: String, identifier: String = "", _ environment: (String) -> String
    ) -> [UInt8] {
        guard environment("TMUX").isEmpty, environment("STY").isEmpty else { return bell }
        let (title, body) = (plain(title, maximumTitle), plain(body, maximumBody))
        switch KnownTerminal.name(environment) {
        case "kitty":
            let name = hexadecimal(identifier.utf8.count <= maximumIdentifier ? identifier : "")
            let key = name.isEmpty ? "i=1" : "i=\(name):a=focus,report"
            let first = "\u{1B}]99;\(key):d=0:p=title;\(title)\u{1B}\\"
            return Array((first + "\u{1B}]99;\(key):d=1:p=body;\(body)\u{1B}\\").utf8)
        case "foot", "ghostty", "wezterm", "contour", "rio":
            return Array("\u{1B}]777;notify;\(title);\(body)\u{1B}\\".utf8)
        case "iterm": return Array("\u{1B}]9;\(title): \(body)\u{07}".utf8)
        default:
            guard Int(environment("VTE_VERSION")) ?? 0 > 0 else { return bell }
            return Array("\u{1B}]777;notify;\(title);\(body)\u{1B}\\".utf8) + bell
        }
    }

    /// Identifiers have letters and digits only.
    private static func hexadecimal(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns text without characters that end or separate the parts of a sequence.
    private static func plain(_ text: String, _ maximum: Int) -> String {
        let safe = Sanitizer.sanitize(text).replacing("\n", with: " ").replacing(";", with: ",")
        return String(safe.prefix(maximum))
    }
}
