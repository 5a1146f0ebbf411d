import Accounts
import Feeds
import GRDB
import LibraryKernel
import Races
import Synchronization

/// The definition of a setting.
package struct SettingDefinition: Hashable, Sendable {
    /// The type of a setting's values.
    package enum Kind: Hashable, Sendable {
        /// One of several names.
        case choice([String])
        /// One of several names, or a name that the user defined.
        case named([String])
        /// Any text, with a description of what it is.
        case text(String)
        /// A program with its arguments as one command line, with a description of other values.
        case program(String)
        /// A range of hours, or none.
        case hours
        /// The places of segments, in order.
        case places
        /// On or off.
        case toggle
        /// A whole number in a range, with suggested values, a unit, and a word for 0 if that is special.
        case number(ClosedRange<Int>, offered: [Int], unit: String, zero: String? = nil)
    }

    /// The name in configuration files, such as `appearance.theme`.
    package let name: String
    package let section: String
    package let title: String
    /// What the setting does, in one or two sentences.
    package let explanation: String
    package let kind: Kind
    package let defaultValue: String

    /// Returns the value that a text stands for, or `nil` if it is invalid.
    package func value(of text: String) -> String? {
        if kind == .places { return PlaceList(text)?.text }
        return accepts(text) ? text : nil
    }

    /// Whether a text is a valid value.
    package func accepts(_ value: String) -> Bool {
        switch kind {
        case .choice(let names): names.contains(value)
        case .named: !value.isEmpty
        case .text, .program: !value.trimmingPrefix { $0 == " " }.isEmpty && !value.contains("\n")
        case .places: PlaceList(value) != nil
        case .hours: value == QuietHours.none || QuietHours(value) != nil
        case .toggle: value == "on" || value == "off"
        case .number(let range, _, _, _): Int(value).map(range.contains) ?? false
        }
    }

    /// A description of the valid values, for messages.
    package var domain: String {
        switch kind {
        case .choice(let names): names.joined(separator: ", ")
        case .named(let names): names.joined(separator: ", ") + ", or one of your own"
        case .text(let what): what
        case .program(let what): "\(what), as a string or a list of strings"
        case .places:
            "a list of \(SegmentName.allCases.map(\.rawValue).joined(separator: ", ")), unread, starred, folder:NAME, tag:NAME, search:QUERY, feed:URL or race:NAME"
        case .hours: "hours such as 22-7 or 22:30-6:45, or none"
        case .toggle: "on or off"
        case .number(let range, _, _, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
    }
}

/// The source of a setting's value.
package enum SettingOrigin: String, Hashable, Sendable {
    case standard = "default"
    case file
    case here
    case environment
    case flag
}

/// A setting's value with its source.
package struct SettingValue: Hashable, Sendable {
    package var value: String
    package var origin: SettingOrigin

    package init(value: String, origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}

/// The user's settings.
///
/// Flags and the environment take precedence over changes in the program, those over the configuration file, and that
/// over the defaults.
package final class Settings: Sendable {
    /// Returns the definition of a setting.
    package static func definition(_ name: String) -> SettingDefinition? { definitionsByName[name] }

    /// Returns the full name of a setting that is given by its name or the last part of it, such as `theme`.
    package static func fullName(of name: String) -> String? {
        if let definition = definition(name) { return definition.name }
        let meant = definitions.filter { $0.name.split(separator: ".").last.map(String.init) == name }
        return meant.count == 1 ? meant.first?.name : nil
    }

    private static let definitionsByName = Dictionary(definitions.map { ($0.name, $0) }) { first, _ in first }

    private let overrides: [String: SettingValue]
    private let state: Mutex<State>

    private struct State {
        var file: [String: String]
        var here: [String: String]
        /// The values of all settings. Lists look up several for each row.
        var values: [String: SettingValue] = [:]
    }

    /// The names of the settings that name a program, a folder or authorities.
    static let namesOfPrograms = Set(
        [SettingKey<String>.browser, .player, .notifier, .mediaFolder, .authorities].map(\.name))

    /// Reads the settings that were changed in the program.
    ///
    /// - Parameters:
    ///   - file: The values in the configuration file, by name.
    ///   - overrides: The values in the environment and flags.
    package init(library: Library, file: [String: String], overrides: [String: SettingValue] = [:])
        throws(LibraryError)
    {
        self.overrides = overrides
        let stored = try library.read { db in
            try Row.fetchAll(db, sql: "SELECT name, value FROM setting").map {
                (try $0.at(0) as String, try $0.at(1) as String)
            }
        }
        var here: [String: String] = [:]
        for (name, text) in stored where !library.isForeign || !Settings.namesOfPrograms.contains(name) {
            // Values that only a previous version allowed are ignored.
            here[name] = Settings.definition(name)?.value(of: text)
        }
        state = Mutex(State(file: file, here: here))
        change { _ in }
    }

    /// The value of a setting and its source.
    package subscript(_ name: String) -> SettingValue {
        state.withLock { $0.values[name] } ?? SettingValue(value: "", origin: .standard)
    }

    /// Changes what the values come from.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            for setting in Settings.definitions {
                let (here, file) = (state.here[setting.name], state.file[setting.name])
                state.values[setting.name] =
                    overrides[setting.name] ?? here.map { SettingValue(value: $0, origin: .here) }
                    ?? file.map { SettingValue(value: $0, origin: .file) }
                    ?? SettingValue(value: setting.defaultValue, origin: .standard)
            }
        }
    }

    /// The value of a setting with names.
    package subscript(_ key: SettingKey<String>) -> String { self[key.name].value }

    /// Whether a toggle is on.
    package subscript(_ key: SettingKey<Bool>) -> Bool { self[key.name].value == "on" }

    /// The value of a number.
    package subscript(_ key: SettingKey<Int>) -> Int { number(key.name) }

    /// The value of a number whose setting is only known by name.
    func number(_ name: String) -> Int { Int(self[name].value) ?? 0 }

    /// Replaces the values of the configuration file.
    ///
    /// - Returns: The names of the settings whose values changed.
    package func use(file new: [String: String]) -> [String] {
        let before = Settings.definitions.map { self[$0.name] }
        change { $0.file = new }
        return zip(Settings.definitions, before).filter { self[$0.name] != $1 }.map(\.0.name)
    }

    /// Uses a stored value, or with `nil` that of the file or the default.
    package func use(_ value: String?, for name: String) { change { $0.here[name] = value } }
}
