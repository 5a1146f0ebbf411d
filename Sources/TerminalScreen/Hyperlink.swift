/// An address that cells lead to, for terminals that open links themselves (OSC 8).
public struct Hyperlink: Hashable, Sendable {
    let address: String
    /// Parts of one link, on several lines, have the same number.
    let number: Int32

    /// The longest address that terminals keep (VTE's limit).
    private static let mostBytes = 2083

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - address: Of the web or of mail, in visible ASCII alone: anything else could end the sequence that tells it.
    ///   - number: Tells the parts of one link from those of others.
    public init?(_ address: String, number: Int32) {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["http", "https", "mailto"].contains(scheme), address.utf8.count <= Hyperlink.mostBytes,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.address = address
        self.number = number
    }
}

/// Cells of a row that lead to an address.
struct HyperlinkRun: Hashable {
    var row: Int
    var columns: Range<Int>
    var link: Hyperlink
}

/// Whether the terminal opens links itself. Nothing can be asked about that: those that do are known by name, and tmux, from 3.4
/// on, tells what its terminals have.
enum HyperlinkSupport {
    static func isKnown(_ environment: (String) -> String) -> Bool {
        guard environment("TMUX").isEmpty, environment("STY").isEmpty else { return false }
        if KnownTerminal.name(environment) != nil { return true }
        return Int(environment("VTE_VERSION")) ?? 0 >= 5000 || !environment("WT_SESSION").isEmpty
    }

    /// What tmux says of the terminals around it.
    static func isKnown(_ answer: GraphicsDetection.TmuxAnswer?) -> Bool {
        guard let clients = answer?.clients, !clients.isEmpty else { return false }
        return clients.allSatisfy { $0.features.split(separator: ",").contains("hyperlinks") }
    }
}

/// Writes the cells of links once more, with their addresses: ncurses knows nothing of them.
@MainActor
enum HyperlinkWriter {
    /// The sequences for some rows of a grid; the cursor and the look are left as they were.
    static func bytes(of grid: CellGrid, rows: Set<Int>, palette: ColorPalette) -> [UInt8] {
        var text = ""
        for run in grid.links where rows.contains(run.row) {
            var x = run.columns.lowerBound
            while x < run.columns.upperBound {
                // What was drawn over a link since is none.
                guard grid[x, run.row].isLink, grid[x, run.row].columns > 0 else {
                    x += 1
                    continue
                }
                text += "\u{1B}[\(run.row + 1);\(x + 1)H\u{1B}]8;id=\(run.link.number);\(run.link.address)\u{1B}\\"
                var look: String?
                while x < run.columns.upperBound, grid[x, run.row].isLink {
                    let cell = grid[x, run.row]
                    let present = palette.sequence(of: cell)
                    if present != look { text += present }
                    look = present
                    text += cell.text
                    x += 1
                }
                text += "\u{1B}]8;;\u{1B}\\"
            }
        }
        return text.isEmpty ? [] : Array("\u{1B}7\(text)\u{1B}8".utf8)
    }
}
