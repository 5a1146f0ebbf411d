/// The address of a link, for terminals that open links themselves (OSC 8).
public struct Hyperlink: Hashable, Sendable {
    let address: String
    /// The number of the link, which its parts on several lines share.
    let number: Int32

    /// The maximum length of an address in bytes (VTE's limit).
    private static let mostBytes = 2083

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - address: A web or mail address in visible ASCII. Anything else could end the sequence.
    ///   - number: The number that distinguishes the link from others.
    public init?(_ address: String, number: Int32) {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["http", "https", "mailto"].contains(scheme), address.utf8.count <= Hyperlink.mostBytes,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.address = address
        self.number = number
    }
}

/// The cells of a row that belong to a link.
struct HyperlinkRun: Hashable {
    var row: Int
    var columns: Range<Int>
    var link: Hyperlink
}

/// Whether the terminal opens links itself. Terminals can't be queried about it, so known ones are recognised by name,
/// and tmux from 3.4 on reports what its terminals support.
enum HyperlinkSupport {
    static func isKnown(_ environment: (String) -> String) -> Bool {
        guard environment("TMUX").isEmpty, environment("STY").isEmpty else { return false }
        if KnownTerminal.name(environment) != nil { return true }
        return Int(environment("VTE_VERSION")) ?? 0 >= 5000 || !environment("WT_SESSION").isEmpty
    }

    /// Whether the terminals around tmux support links according to its answer.
    static func isKnown(_ answer: GraphicsDetection.TmuxAnswer?) -> Bool {
        guard let clients = answer?.clients, !clients.isEmpty else { return false }
        return clients.allSatisfy { $0.features.split(separator: ",").contains("hyperlinks") }
    }
}

/// Writes the cells of links again with their addresses, because ncurses doesn't support links.
@MainActor
enum HyperlinkWriter {
    /// Returns the sequences for some rows of a grid. They restore the cursor and style.
    static func bytes(of grid: CellGrid, rows: Set<Int>, palette: ColorPalette) -> [UInt8] {
        var text = ""
        for run in grid.links where rows.contains(run.row) {
            var x = run.columns.lowerBound
            while x < run.columns.upperBound {
                // Cells that were overwritten since no longer belong to the link.
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
