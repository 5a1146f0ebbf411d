import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

@Suite struct SettingsTests {
    @Test func SET_01_valuesKeepTheirOrigin() async throws {
        let library = try Library(path: nil)
        let settings = try Settings(library: library, file: ["appearance.dates": "iso"])
        #expect(settings["appearance.theme"] == SettingValue(value: "terminal", origin: .standard))
        #expect(settings["appearance.dates"] == SettingValue(value: "iso", origin: .file))
        try await settings.set("rosa", for: "appearance.theme", in: library)
        try await settings.set("day", for: "appearance.dates", in: library)
        let again = try Settings(library: library, file: ["appearance.dates": "iso"])
        #expect(again["appearance.theme"] == SettingValue(value: "rosa", origin: .here))
        #expect(again["appearance.dates"] == SettingValue(value: "day", origin: .here))
        try await again.set(nil, for: "appearance.dates", in: library)
        #expect(again["appearance.dates"].origin == .file)
    }

    @Test func acceptsEveryDefault() {
        for definition in Settings.definitions { #expect(definition.accepts(definition.defaultValue)) }
    }

    /// A key and its definition have the same type of value.
    @Test func readsValuesOfKeys() throws {
        let settings = try Settings(
            library: try Library(path: nil), file: ["feeds.keep-days": "30", "terminal.mouse": "off"])
        #expect(settings[.theme] == "terminal" && settings[.listWidth] == 38 && settings[.motion])
        #expect(settings[.keepDays] == 30 && !settings[.mouse])
        settings.use("on", for: SettingKey.mouse.name)
        #expect(settings[.mouse])
        #expect(Set(Settings.definitions.map(\.name)).count == Settings.definitions.count)
    }
}
