import Foundation
import LibraryKernel
import ModelCore
import TerminalUI

/// Reads the user's themes. Each has a few colours, from which a readable theme is mixed.
///
/// In TOML the colours have names. In YAML they are those of base16 and base24
/// (<https://github.com/tinted-theming/home/blob/main/styling.md>), flat or in a palette.
package enum ThemeFile {
    private static let maximumBytes = 65_536
    private static let maximumFiles = 200

    /// Returns the folder of themes, `themes` beside the configuration file.
    package static func folder(besideConfiguration path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("themes").path
    }

    private static func files(_ folder: String) throws(UserFile.Problem) -> [String] {
        try UserFile.names(inFolder: folder).filter { name in
            [".toml", ".yaml", ".yml"].contains { name.hasSuffix($0) }
        }.sorted()
    }

    /// Returns the name of a theme, which is that of its file.
    private static func name(_ file: String) -> String {
        file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }

    /// Returns the names of all themes in a folder, valid or not.
    static func names(folder: String) -> [String] { ((try? files(folder)) ?? []).map(name) }

    /// Reads the themes in a folder, sorted by name. A missing folder has none.
    ///
    /// - Returns: The themes, and the errors in invalid files.
    package static func read(folder: String) -> (themes: [Theme], problems: [String]) {
        var themes: [Theme] = []
        var problems: [String] = []
        let files: [String]
        do throws(UserFile.Problem) { files = try self.files(folder) } catch { return ([], [error.description]) }
        for file in files.prefix(maximumFiles) {
            let path = "\(folder)/\(file)"
            do {
                let data = try UserFile.read(path, maximum: maximumBytes, isFound: true)
                themes.append(try parse([UInt8](data), path: path))
            } catch {
                problems.append("\(error)")
            }
        }
        return (themes, problems)
    }

    /// Parses the text of a theme file.
    ///
    /// - Throws: ``ConfigurationFile/Problem``, with the line if there is one.
    static func parse(_ text: String, path: String) throws(Problem) -> Theme {
        try parse(Array(text.utf8), path: path)
    }

    /// Parses the bytes of a theme file. TOML must be UTF-8, while in YAML only the colours matter, which are ASCII.
    private static func parse(_ bytes: [UInt8], path: String) throws(Problem) -> Theme {
        let name = name(String(path.split(separator: "/").last ?? ""))
        let isTOML = path.hasSuffix(".toml")
        let slots: [String: Slot] = isTOML ? namedSlots : baseSlots
        let fields = isTOML ? try tomlFields(bytes, path) : yamlFields(String(decoding: bytes, as: UTF8.self))
        var colors: [Slot: RGB] = [:]
        for field in fields {
            guard let slot = slots[field.name] else {
                if isTOML {
                    let known = namedSlots.keys.sorted().joined(separator: ", ")
                    throw Problem(path, field.line, "unknown colour '\(field.name)'; use \(known)")
                }
                continue
            }
            guard let color = RGB(hexadecimal: field.value) else {
                throw Problem(path, field.line, "'\(field.value)' is not a colour such as #1a2b3c")
            }
            colors[slot] = color
        }
        guard let background = colors[.background], let foreground = colors[.foreground] else {
            let names = slots.filter { $0.value == .background || $0.value == .foreground }.map(\.key).sorted()
            throw Problem(path, 1, "a theme needs \(names.joined(separator: " and "))")
        }
        var ansi: [Int: RGB] = [:]
        for (slot, color) in colors {
            if case .ansi(let index) = slot { ansi[index] = color }
        }
        if let accent = colors[.accent] { ansi[6] = accent }
        return Theme(name: name, colors: TerminalColors(foreground: foreground, background: background, ansi: ansi))
    }

    private enum Slot: Hashable {
        case foreground, background, accent
        case ansi(Int)
    }

    private static let namedSlots: [String: Slot] = [
        "foreground": .foreground, "background": .background, "accent": .accent, "red": .ansi(1), "green": .ansi(2),
        "yellow": .ansi(3), "blue": .ansi(4), "magenta": .ansi(5), "cyan": .ansi(6),
    ]

    /// The purposes of base16 colours.
    private static let baseSlots: [String: Slot] = [
        "base00": .background, "base05": .foreground, "base08": .ansi(1), "base0B": .ansi(2), "base0A": .ansi(3),
        "base0D": .ansi(4), "base0E": .ansi(5), "base0C": .ansi(6),
    ]

    typealias Problem = ConfigurationFile.Problem
    private typealias Field = (name: String, value: String, line: Int)

    private static func tomlFields(_ bytes: [UInt8], _ path: String) throws(Problem) -> [Field] {
        do {
            let table = try TOMLParser.parse(bytes)
            return table.keys.compactMap { key in table[key].map { (key, $0.text, $0.line) } }
        } catch {
            throw Problem(path, error.line, error.message)
        }
    }

    /// Returns the colours in a YAML file: lines with a name, a colon and a value with or without quotation marks.
    private static func yamlFields(_ text: String) -> [Field] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
            index, line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].trimmingCharacters(in: .whitespaces)
            guard name.lowercased().hasPrefix("base"), name.count == 6 else { return nil }
            var value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            if let quote = value.first, quote == "\"" || quote == "'" {
                value = String(value.dropFirst().prefix { $0 != quote })
            } else if let comment = value.range(of: " #") {
                value = value[..<comment.lowerBound].trimmingCharacters(in: .whitespaces)
            }
            return ("base" + name.dropFirst(4).uppercased(), value, index + 1)
        }
    }

    // MARK: Writing

    /// The first line of files written by tappa. Only these are overwritten.
    private static let mark = "# Made in tappa's settings, and written anew by them.\n"

    /// Writes a theme to the folder of themes.
    ///
    /// - Returns: The theme as it is read.
    /// - Throws: ``UserFile/Problem``, also if a file that tappa did not write has the name.
    package static func write(_ colors: TerminalColors, name: String, besideConfiguration path: String) throws -> Theme
    {
        let folder = folder(besideConfiguration: path)
        let file = "\(folder)/\(name).toml"
        let names = names(folder: folder)
        if names.contains(name) {
            guard let data = PrivateFile.contents(file), data.starts(with: mark.utf8) else {
                throw UserFile.Problem(description: "The theme '\(name)' exists and was not created here")
            }
        }
        guard names.count < maximumFiles || names.contains(name) else {
            throw UserFile.Problem(description: "\(folder) already has \(maximumFiles) themes")
        }
        let text = text(of: colors)
        let theme = try parse(text, path: file)
        PrivateFile.makeFolder(folder, isOwn: false)
        try UserFile.replace(file, with: Data(text.utf8), isPrivate: true)
        return theme
    }

    static func text(of colors: TerminalColors) -> String {
        var lines: [String] = []
        for (name, slot) in namedSlots.sorted(by: { $0.key < $1.key }) {
            let color =
                switch slot {
                case .foreground: colors.foreground
                case .background: colors.background
                case .accent: colors.ansi[6]
                // The accent has its own name.
                case .ansi(6): RGB?.none
                case .ansi(let index): colors.ansi[index]
                }
            if let color { lines.append("\(name) = \"\(color.hexadecimal)\"") }
        }
        return mark + lines.joined(separator: "\n") + "\n"
    }
}
