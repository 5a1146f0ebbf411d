import GRDB
import Synchronization

/// One thing that the user can set.
package struct SettingDefinition: Hashable, Sendable {
    /// What can be set.
    package enum Kind: Hashable, Sendable {
        /// One of several names.
        case choice([String])
        /// One of several names, or another that the user has made.
        case named([String])
        /// Any words, with what they are.
        case text(String)
        /// A program with its arguments as one command line, and what else it can be.
        case program(String)
        /// Hours of the day, or none.
        case hours
        /// On or off.
        case toggle
        /// A whole number in a range, some that are offered, a unit for people, and what 0 means, where that is no number.
        case number(ClosedRange<Int>, offered: [Int], unit: String, zero: String? = nil)
    }

    /// The name in configuration files, such as `appearance.theme`.
    package let name: String
    package let section: String
    package let title: String
    /// What it does, in a sentence or two.
    package let explanation: String
    package let kind: Kind
    package let defaultValue: String
    /// What it was called before.
    package var previousName: String?
    /// What its values were called before.
    package var previousValues: [String: String] = [:]

    /// What a text means as its value; `nil` when it can be none.
    package func value(of text: String) -> String? {
        let text = previousValues[text] ?? text
        return accepts(text) ? text : nil
    }

    /// Whether a text can be its value.
    package func accepts(_ value: String) -> Bool {
        switch kind {
        case .choice(let names): names.contains(value)
        case .named: !value.isEmpty
        case .text, .program: !value.trimmingPrefix { $0 == " " }.isEmpty && !value.contains("\n")
        case .hours: value == QuietHours.none || QuietHours(value) != nil
        case .toggle: value == "on" || value == "off"
        case .number(let range, _, _, _): Int(value).map(range.contains) ?? false
        }
    }

    /// What can be its value, for messages.
    package var domain: String {
        switch kind {
        case .choice(let names): names.joined(separator: ", ")
        case .named(let names): names.joined(separator: ", ") + ", or one of your own"
        case .text(let what): what
        case .program(let what): "\(what), as a string or a list of strings"
        case .hours: "hours such as 22-7 or 22:30-6:45, or none"
        case .toggle: "on or off"
        case .number(let range, _, _, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
    }
}

/// Where a setting's value came from.
package enum SettingOrigin: String, Hashable, Sendable {
    case standard = "default"
    case file
    case here
    case environment
    case flag
}

/// A setting with its value.
package struct SettingValue: Hashable, Sendable {
    package var value: String
    package var origin: SettingOrigin

    package init(value: String, origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}

/// The user's settings: flags and the environment come before what was set here, that before the configuration file, and that before the
/// defaults.
package final class Settings: Sendable {
    /// The definition of a name.
    package static func definition(_ name: String) -> SettingDefinition? {
        definitions.first { $0.name == name || $0.previousName == name }
    }

    private let file: Mutex<[String: String]>
    private let overrides: [String: SettingValue]
    private let here: Mutex<[String: String]>

    /// Reads what was set here before.
    ///
    /// - Parameters:
    ///   - file: What the configuration file says, by name.
    ///   - overrides: What the environment and flags say.
    package init(library: Library, file: [String: String], overrides: [String: SettingValue] = [:])
        throws(LibraryError)
    {
        self.file = Mutex(file)
        self.overrides = overrides
        let stored = try library.read { db in
            try Row.fetchAll(db, sql: "SELECT name, value FROM setting").map {
                (try $0.at(0) as String, try $0.at(1) as String)
            }
        }
        // Values that a previous version allowed are passed over.
        let isTrusted = !library.isForeign
        let known = stored.filter {
            isTrusted || !SwitchedOff.settingNames.contains(Settings.definition($0.0)?.name ?? "")
        }
        .compactMap { name, text in
            Settings.definition(name).flatMap { definition in
                definition.value(of: text).map { (definition.name, $0, isNew: definition.name == name) }
            }
        }
        here = Mutex(
            Dictionary(known.map { ($0.0, ($0.1, $0.isNew)) }) { $0.1 ? $0 : $1 }.mapValues(\.0))
    }

    /// The value of a setting and where it came from.
    package subscript(_ name: String) -> SettingValue {
        if let value = overrides[name] { return value }
        if let value = here.withLock({ $0[name] }) { return SettingValue(value: value, origin: .here) }
        if let value = file.withLock({ $0[name] }) { return SettingValue(value: value, origin: .file) }
        return SettingValue(value: Settings.definition(name)?.defaultValue ?? "", origin: .standard)
    }

    /// The name that was chosen.
    package subscript(_ key: SettingKey<String>) -> String { self[key.name].value }

    /// Whether a toggle is on.
    package subscript(_ key: SettingKey<Bool>) -> Bool { self[key.name].value == "on" }

    /// The value of a number.
    package subscript(_ key: SettingKey<Int>) -> Int { number(key.name) }

    /// The value of a number that is known by its definition.
    package func number(_ name: String) -> Int { Int(self[name].value) ?? 0 }

    /// Uses what the configuration file says now.
    ///
    /// - Returns: The names of the settings that have other values by it.
    package func use(file new: [String: String]) -> [String] {
        let before = Settings.definitions.map { self[$0.name] }
        file.withLock { $0 = new }
        return zip(Settings.definitions, before).filter { self[$0.name] != $1 }.map(\.0.name)
    }

    /// Uses a value that was stored; `nil`: the file's, or the default.
    package func use(_ value: String?, for name: String) { here.withLock { $0[name] = value } }
}
