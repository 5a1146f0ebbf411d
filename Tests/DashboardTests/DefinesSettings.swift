import Foundation
import LibraryKernel
import ModelCore
import Testing

@testable import Dashboard
@testable import SettingsSegment

/// Every setting with its section, name and default.
@MainActor
@Suite struct DefinesSettings {
    /// A line for each setting: its name and default, valid values with the word for 0, section and title.
    nonisolated private static var list: [String] {
        Settings.definitions.map { definition in
            var values = definition.domain
            if case .number(_, _, _, let zero?) = definition.kind { values += ", 0: \(zero)" }
            return "\(definition.name) = \(definition.defaultValue) (\(values)), \(definition.section): "
                + "\(definition.title)"
        }
    }

    /// No name, default or limit of a setting changes by accident: they are recorded. `make screens` records others.
    @Test func eachSettingHasSectionNameAndDefault() throws {
        let list = DefinesSettings.list
        let difference = try RecordedLines.difference(list, from: "Settings.txt")
        #expect(difference.isEmpty, "`make screens` records the settings as they are now: \(difference)")
        #expect(list.count > 40)
        let settings = try Settings(library: try Library(path: nil), file: [:])
        for definition in Settings.definitions {
            #expect(
                settings[definition.name] == SettingValue(value: definition.defaultValue, origin: .standard),
                "\(definition.name)")
        }
    }

    /// A number has the limits that messages show, and offered values are within them.
    @Test func limitsNumericSettings() {
        for definition in Settings.definitions {
            guard case .number(let range, let offered, _, let zero) = definition.kind else { continue }
            #expect(definition.domain == "a whole number from \(range.lowerBound) to \(range.upperBound)")
            for value in [range.lowerBound, range.upperBound] + offered {
                #expect(definition.accepts(String(value)), "\(definition.name)")
            }
            for value in [range.lowerBound - 1, range.upperBound + 1] {
                #expect(!definition.accepts(String(value)), "\(definition.name)")
            }
            #expect(!definition.accepts("") && !definition.accepts("x"))
            // A word for 0 replaces the number with its unit.
            let text = SettingText.value("0", of: definition).string
            #expect(zero.map { text == $0 } ?? text.hasPrefix("0"), "\(definition.name): \(text)")
        }
    }
}
