import GRDB
import Synchronization

/// One thing that the user can set.
package struct SettingDefinition: Hashable, Sendable {
    /// What can be set.
    package enum Kind: Hashable, Sendable {
        /// One of several names.
        case choice([String])
        /// On or off.
        case toggle
        /// A whole number in a range, some that are offered, and a unit for people.
        case number(ClosedRange<Int>, offered: [Int], unit: String)
    }

    /// The name in configuration files, such as `appearance.theme`.
    package let name: String
    package let section: String
    package let title: String
    /// What it does, in a sentence or two.
    package let explanation: String
    package let kind: Kind
    package let defaultValue: String

    /// Whether a text can be its value.
    package func accepts(_ value: String) -> Bool {
        switch kind {
        case .choice(let names): names.contains(value)
        case .toggle: value == "on" || value == "off"
        case .number(let range, _, _): Int(value).map(range.contains) ?? false
        }
    }

    /// What can be its value, for messages.
    package var domain: String {
        switch kind {
        case .choice(let names): names.joined(separator: ", ")
        case .toggle: "on or off"
        case .number(let range, _, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
    }
}

/// Where a setting's value came from.
package enum SettingOrigin: String, Hashable, Sendable {
    case standard = "default"
    case file
    case here
}

/// A setting with its value.
package struct SettingValue: Hashable, Sendable {
    package var value: String
    package var origin: SettingOrigin
}

/// The user's settings: what was set here comes before the configuration file, and that before the defaults.
package final class Settings: Sendable {
    /// All that can be set, in the order of the settings segment.
    package static let definitions: [SettingDefinition] = [
        SettingDefinition(
            name: "appearance.theme", section: "Appearance", title: "Theme",
            explanation: "Colours of the whole program. 'terminal' uses the terminal's own sixteen.",
            kind: .choice(["terminal", "dark", "light", "rosa", "high contrast", "plain"]), defaultValue: "terminal"),
        SettingDefinition(
            name: "appearance.dates", section: "Appearance", title: "Dates",
            explanation: "How lists show dates: how long ago, the day, or day and time as ISO 8601 has them.",
            kind: .choice(["relative", "day", "iso"]), defaultValue: "relative"),
        SettingDefinition(
            name: "appearance.list-width", section: "Appearance", title: "List width",
            explanation: "The list's share of the pane, where it stands beside the detail. < and > change it too.",
            kind: .number(20...70, offered: [26, 30, 34, 38, 42, 46, 50], unit: "%"), defaultValue: "38"),
        SettingDefinition(
            name: "appearance.tall-panes", section: "Appearance", title: "Tall narrow panes",
            explanation:
                "In panes of 58 to 77 columns and 30 rows or more: the list slides over the detail, or stands above it.",
            kind: .choice(["slide", "above"]), defaultValue: "slide"),
        SettingDefinition(
            name: "appearance.narrow-list", section: "Appearance", title: "Narrow panes",
            explanation:
                "In panes of 58 to 77 columns: the list slides over the detail, or is a popover at its button.",
            kind: .choice(["slide", "popover"]), defaultValue: "slide"),
        SettingDefinition(
            name: "appearance.list-side", section: "Appearance", title: "List side",
            explanation: "The side that the lists stand on.", kind: .choice(["left", "right"]), defaultValue: "left"),
        SettingDefinition(
            name: "appearance.motion", section: "Appearance", title: "Motion",
            explanation:
                "Whether lists and levels are seen to slide. Over a slow line, and without colours, they never are.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: "appearance.pictures", section: "Appearance", title: "Pictures",
            explanation:
                "How finely pictures are drawn once they rest. Sextants need a font with the symbols of Unicode 13; kitty and sixel give the terminal the pixels, and are quadrants where it does not show them.",
            kind: .choice(["halves", "quadrants", "sextants", "kitty", "sixel"]), defaultValue: "quadrants"),
        SettingDefinition(
            name: "appearance.start", section: "Appearance", title: "Start with",
            explanation: "The segment that is shown at start.",
            kind: .choice(["stages", "feeds", "settings"]), defaultValue: "stages"),
        SettingDefinition(
            name: "feeds.refresh", section: "Feeds", title: "Reload every",
            explanation: "Minutes between reloads while tappa runs; 0 reloads only when asked to.",
            kind: .number(0...1440, offered: [0, 15, 30, 60, 120, 360], unit: "min"), defaultValue: "0"),
        SettingDefinition(
            name: "feeds.mark-read-on-open", section: "Feeds", title: "Mark read on opening",
            explanation: "Whether opening an entry marks it read.", kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: "feeds.pictures", section: "Feeds", title: "Pictures in articles",
            explanation:
                "Whether articles show their pictures in the text, each fetched when its place comes near, or on request alone: P.",
            kind: .choice(["shown", "on request"]), defaultValue: "shown"),
        SettingDefinition(
            name: "feeds.fold-stories", section: "Feeds", title: "Fold stories",
            explanation:
                "Lists of several feeds show one row for entries that link to the same page, with their number.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: "feeds.keep-days", section: "Feeds", title: "Keep for",
            explanation: "Days that entries are kept; 0 keeps all. Starred ones and those for later always stay.",
            kind: .number(0...36_500, offered: [0, 30, 90, 180, 365, 730], unit: "days"), defaultValue: "0"),
        SettingDefinition(
            name: "feeds.keep-entries", section: "Feeds", title: "Keep of a feed",
            explanation:
                "Entries that are kept of each feed; 0 keeps all. Starred ones and those for later always stay.",
            kind: .number(0...1_000_000, offered: [0, 100, 500, 1000, 5000], unit: "entries"), defaultValue: "0"),
        SettingDefinition(
            name: "terminal.mouse", section: "Terminal", title: "Mouse",
            explanation: "Clicks, wheel and drags. Off, the terminal's own selection works without Shift.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: "terminal.synchronized", section: "Terminal", title: "Synchronised output",
            explanation:
                "Marks the beginning and end of each frame, for terminals that then show it at once; at the next start.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: "terminal.colors", section: "Terminal", title: "Colours",
            explanation: "How many colours to use; takes effect at the next start.",
            kind: .choice(["auto", "direct", "256", "16", "none"]), defaultValue: "auto"),
    ]

    /// The definition of a name.
    package static func definition(_ name: String) -> SettingDefinition? { definitions.first { $0.name == name } }

    private let file: [String: String]
    private let here: Mutex<[String: String]>

    /// Reads what was set here before.
    ///
    /// - Parameter file: What the configuration file says, by name.
    package init(library: Library, file: [String: String]) throws(LibraryError) {
        self.file = file
        let stored = try library.read { db in
            try Row.fetchAll(db, sql: "SELECT name, value FROM setting").map {
                (try $0.at(0) as String, try $0.at(1) as String)
            }
        }
        // Values that a former version allowed are passed over.
        let known = stored.filter { Settings.definition($0.0)?.accepts($0.1) == true }
        here = Mutex(Dictionary(uniqueKeysWithValues: known))
    }

    /// The value of a setting and where it came from.
    package subscript(_ name: String) -> SettingValue {
        if let value = here.withLock({ $0[name] }) { return SettingValue(value: value, origin: .here) }
        if let value = file[name] { return SettingValue(value: value, origin: .file) }
        return SettingValue(value: Settings.definition(name)?.defaultValue ?? "", origin: .standard)
    }

    /// Whether a toggle is on.
    package func isOn(_ name: String) -> Bool { self[name].value == "on" }

    /// The value of a number.
    package func number(_ name: String) -> Int { Int(self[name].value) ?? 0 }

    /// Uses a value that was stored; `nil`: the file's, or the default.
    package func use(_ value: String?, for name: String) { here.withLock { $0[name] = value } }
}
