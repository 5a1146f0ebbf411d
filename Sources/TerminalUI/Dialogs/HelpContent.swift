/// A key, or several keys for related commands, that the help shows first where their commands are available.
public struct HelpEssential: Sendable {
    /// The title, or `nil` for the command's own.
    let title: DisplayText?
    /// The commands, all of which must be available.
    let definitions: [CommandDefinition]

    /// Defines an essential key.
    ///
    /// - Parameters:
    ///   - title: A title for all commands together, or `nil` for the title of the first command.
    ///   - definitions: The commands.
    public init(titled title: DisplayText? = nil, _ definitions: CommandDefinition...) {
        self.title = title
        self.definitions = definitions
    }
}

/// A sign on the screen with its meaning.
public struct HelpSign: Sendable {
    let sign: DisplayText
    let role: ThemeRole
    let meaning: DisplayText

    /// Describes a sign.
    ///
    /// - Parameter role: The role that determines its style.
    public init(_ sign: DisplayText, role: ThemeRole = .text, _ meaning: DisplayText) {
        self.sign = sign
        self.role = role
        self.meaning = meaning
    }
}

/// Signs that appear in the same part of the program.
public struct HelpLegend: Sendable {
    let title: DisplayText
    let signs: [HelpSign]

    /// Creates a part of the legend.
    public init(_ title: DisplayText, _ signs: [HelpSign]) {
        self.title = title
        self.signs = signs
    }
}

/// A key or sign with its explanation.
@MainActor
struct HelpItem {
    var sign: DisplayText
    var role = ThemeRole.accent
    var text: DisplayText
    /// The lowercase text in which typed words are found.
    var words = ""
    var command: Command?
    /// Where it works if it isn't available at the focus, as a sentence.
    var sentence: DisplayText?
}

/// Items under a title.
@MainActor
struct HelpGroup {
    var title: DisplayText
    var items: [HelpItem]

    /// Returns the group with the items that contain all words.
    func matching(_ words: [Substring]) -> HelpGroup {
        HelpGroup(title: title, items: items.filter { item in words.allSatisfy { item.words.contains($0) } })
    }
}

extension HelpGroup {
    init(_ legend: HelpLegend) {
        self.init(
            title: legend.title,
            items: legend.signs.map { sign in
                HelpItem(
                    sign: sign.sign, role: sign.role, text: sign.meaning,
                    words: "\(legend.title.string) \(sign.sign.string) \(sign.meaning.string)".lowercased())
            })
    }
}

/// The keys of the help: the essential ones, and all in groups.
@MainActor
struct HelpKeys {
    static let maximumEssentials = 8

    let essentials: [HelpItem]
    let groups: [HelpGroup]
    /// The commands of other places, which are only found by typing.
    let elsewhere: HelpGroup

    /// - Parameters:
    ///   - commands: The reachable commands with their keys.
    ///   - elsewhere: The commands of other places, with the row or place that each needs.
    ///   - essentials: The candidates for the essential keys, most important first.
    init(
        _ commands: [(command: Command, keys: [KeySequence])],
        elsewhere: [(command: Command, condition: DisplayText)], _ essentials: [HelpEssential], _ keyMap: KeyMap
    ) {
        self.elsewhere = HelpGroup(
            title: "Elsewhere",
            items: elsewhere.filter(\.command.isEnabled).map { command, condition in
                let sign = keyMap.label(for: command.definition) ?? .empty
                let key = sign.isEmpty ? sign : " (" + sign + ")"
                return HelpItem(
                    sign: sign, text: command.title + ", " + condition,
                    words: HelpKeys.words(of: command, sign), command: command,
                    sentence: command.title + key + " works " + condition + ".")
            })
        self.essentials = Array(
            essentials.compactMap { HelpKeys.item($0, commands, keyMap) }.prefix(HelpKeys.maximumEssentials))
        groups = HelpKeys.groups(commands.filter { $0.command.isListed }, keyMap)
    }

    /// Returns the text in which typed words find a command with its keys.
    private static func words(of command: Command, _ sign: DisplayText) -> String {
        let definition = command.definition
        let parts = [definition.group.string, command.title.string, command.name, sign.string, definition.synonyms]
        return parts.joined(separator: " ").lowercased()
    }

    /// Returns the row of an essential key, or `nil` if one of its commands isn't available.
    private static func item(
        _ essential: HelpEssential, _ commands: [(command: Command, keys: [KeySequence])], _ keyMap: KeyMap
    ) -> HelpItem? {
        let found = essential.definitions.compactMap { definition in
            commands.first { $0.command.definition == definition }
        }
        guard let first = found.first, found.count == essential.definitions.count else { return nil }
        let keys = found.compactMap { found in found.keys.first.map { keyMap.label(of: $0).string } }
        return HelpItem(
            sign: DisplayText(keys.joined(separator: " ")), text: essential.title ?? first.command.title)
    }

    /// Returns the groups, those of every list and text last, since they are the least interesting.
    private static func groups(
        _ commands: [(command: Command, keys: [KeySequence])], _ keyMap: KeyMap
    ) -> [HelpGroup] {
        let extras = commands.map(\.command.definition).filter { $0.traits.contains(.isGeneral) }
        let general = Set((ToolkitCommands.all + extras).map(\.group))
        var titles: [DisplayText] = []
        var rows: [DisplayText: [(item: HelpItem, keys: [KeySequence])]] = [:]
        for (command, keys) in commands {
            let group = command.definition.group
            if rows[group] == nil { titles.append(group) }
            // Two commands with the same title here share a row with both keys.
            let same = rows[group]?.firstIndex { $0.item.text == command.title }
            let row = same ?? rows[group]?.count ?? 0
            if same == nil {
                rows[group, default: []].append((HelpItem(sign: .empty, text: command.title, command: command), []))
            }
            rows[group]?[row].keys += keys
            rows[group]?[row].item.words += " " + words(of: command, keyMap.label(of: keys))
        }
        return (titles.filter { !general.contains($0) } + titles.filter { general.contains($0) }).map { title in
            let items = (rows[title] ?? []).map { row in
                var item = row.item
                item.sign = keyMap.label(of: row.keys)
                return item
            }
            return HelpGroup(title: title, items: items)
        }
    }
}
