import Foundation
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Settings: accepted values, precedence of sources, and storage.
@Suite struct ReadsSettings {
    /// Accepted and rejected values for each kind of setting.
    @Test(arguments: [
        ("appearance.theme", ["dark", "mine"], [""]),
        ("appearance.dates", ["relative", "day", "iso"], ["", "ISO", "days"]),
        ("appearance.motion", ["on", "off"], ["", "On", "yes", "true", "1"]),
        ("appearance.article-width", ["40", "300", "80"], ["39", "301", "", "x", "80.5", "-80", " 80"]),
        ("appearance.list-width", ["20", "70"], ["19", "71"]),
        ("appearance.two-columns-from", ["40", "400"], ["39", "401"]),
        ("appearance.three-columns-from", ["100", "500"], ["99", "501"]),
        ("feeds.refresh", ["0", "1440"], ["-1", "1441"]), ("feeds.row-lines", ["1", "3"], ["0", "4"]),
        ("feeds.read-after", ["0", "600"], ["-1", "601"]), ("feeds.keep-days", ["0", "36500"], ["-1", "36501"]),
        ("feeds.keep-entries", ["0", "1000000"], ["-1", "1000001"]),
        ("feeds.order", ["newest first", "oldest first"], ["newest", ""]),
        ("feeds.start", ["Unread", "x"], ["", "  ", "a\nb"]),
        ("feeds.browser", ["w3m", "BROWSER"], ["", " ", "a\nb"]),
        ("audio.folder", ["~/x"], [""]),
        ("notifications.quiet-hours", ["none", "22-7", "0-24"], ["", "22", "25-1"]),
        ("appearance.colors", ["none", "16", "256", "direct", "auto"], ["8"]),
    ]) func acceptsValuesOfTheirKind(name: String, accepted: [String], refused: [String]) throws {
        let definition = try #require(Settings.definition(name))
        for value in accepted { #expect(definition.accepts(value) && definition.value(of: value) == value, "\(value)") }
        for value in refused { #expect(!definition.accepts(value) && definition.value(of: value) == nil, "\(value)") }
    }

    /// Suggested values are valid, and ranges, units and the meaning of 0 are in the definition.
    @Test func offersValuesThatItAccepts() {
        for definition in Settings.definitions {
            #expect(
                !definition.title.isEmpty && !definition.section.isEmpty && definition.explanation.hasSuffix("."),
                "\(definition.name)")
            switch definition.kind {
            case .number(let range, let offered, let unit, let zero):
                #expect(offered.allSatisfy(range.contains) && offered.sorted() == offered)
                #expect(Set(offered).count == offered.count)
                #expect(!unit.isEmpty && (zero != nil) == range.contains(0), "\(definition.name)")
                #expect(definition.domain == "a whole number from \(range.lowerBound) to \(range.upperBound)")
                #expect(definition.accepts("\(range.lowerBound)") && !definition.accepts("\(range.upperBound + 1)"))
            case .choice(let names):
                #expect(names.allSatisfy(definition.accepts) && definition.domain == names.joined(separator: ", "))
            case .named(let names):
                #expect(names.allSatisfy(definition.accepts) && definition.domain.hasSuffix(", or one of your own"))
            case .toggle: #expect(definition.domain == "on or off")
            case .places: #expect(definition.domain.hasPrefix("a list of stages, ") && !definition.accepts("x"))
            case .hours: #expect(definition.domain == "hours such as 22-7 or 22:30-6:45, or none")
            case .text(let what): #expect(definition.domain == what)
            case .program(let what): #expect(definition.domain == "\(what), as a string or a list of strings")
            }
        }
    }

    /// Settings that name a program, a folder or authorities are known, so that they aren't adopted from foreign libraries.
    @Test func readsProgramsAndFolders() {
        let programs = Settings.definitions.filter { if case .program = $0.kind { true } else { false } }.map(\.name)
        #expect(Settings.namesOfPrograms == Set(programs + ["audio.folder", "network.ca-file"]) && programs.count == 3)
    }

    @Test func ignoresInvalidStoredValues() async throws {
        let library = try Library(path: nil)
        for (name, value) in [("feeds.refresh", "99999"), ("unknown", "x")] {
            try await library.changes.perform(.set(name, value))
        }
        let settings = try Settings(library: library, file: ["feeds.refresh": "15"])
        #expect(settings[.reloadMinutes] == 15 && settings["feeds.refresh"].origin == .file)
        #expect(settings["unknown"] == SettingValue(value: "", origin: .standard))
    }

    @Test(arguments: 0..<16) func usesTheStrongestOrigin(bits: Int) async throws {
        let library = try Library(path: nil)
        let name = SettingKey<String>.dateStyle.name
        if bits & 1 != 0 { try await library.changes.perform(.set(name, "day")) }
        let settings = try Settings(
            library: library, file: bits & 2 != 0 ? [name: "iso"] : [:],
            overrides: bits & 4 == 0
                ? [:] : [name: SettingValue(value: "iso", origin: bits & 8 == 0 ? .environment : .flag)])
        let expected =
            switch bits {
            case 12...: SettingValue(value: "iso", origin: .flag)
            case _ where bits & 4 != 0: SettingValue(value: "iso", origin: .environment)
            case _ where bits & 1 != 0: SettingValue(value: "day", origin: .here)
            case _ where bits & 2 != 0: SettingValue(value: "iso", origin: .file)
            default: SettingValue(value: "relative", origin: .standard)
            }
        #expect(settings[name] == expected)
        #expect(settings["appearance.theme"].origin == .standard)
    }

    /// Only settings whose value changes with the file are reported.
    @Test func reportsWhatAFileChanges() async throws {
        let library = try Library(path: nil)
        try await library.changes.perform(.set("appearance.dates", "day"))
        let settings = try Settings(library: library, file: ["feeds.refresh": "30", "appearance.theme": "dark"])
        #expect(settings.use(file: ["feeds.refresh": "30", "appearance.theme": "dark"]) == [])
        #expect(
            settings.use(file: ["feeds.refresh": "15", "appearance.dates": "iso", "appearance.theme": "dark"]) == [
                "feeds.refresh"
            ])
        #expect(settings[.reloadMinutes] == 15 && settings[.dateStyle] == "day")
        #expect(settings.use(file: [:]) == ["appearance.theme", "feeds.refresh"] && settings[.reloadMinutes] == 60)
        settings.use("10", for: "feeds.refresh")
        #expect(settings[.reloadMinutes] == 10 && settings["feeds.refresh"].origin == .here)
        settings.use(nil, for: "feeds.refresh")
        #expect(settings["feeds.refresh"].origin == .standard && settings.number("appearance.theme") == 0)
    }

    @Test(
        arguments: [
            ("22-7", [22 * 60, 0, 419], [420, 22 * 60 - 1]), ("0-24", [0, 1439], []), ("9-9", [], [0, 540, 541]),
            ("00:30-00:31", [30], [29, 31]), ("23:59-0", [1439], [0, 1438]), ("24-6", [0, 359], [360, 1439]),
        ] as [(String, [Int], [Int])]) func knowsQuietHours(text: String, quiet: [Int], loud: [Int]) throws
    {
        setenv("TZ", "UTC", 1)
        tzset()
        let settings = try Settings(library: try Library(path: nil), file: ["notifications.quiet-hours": text])
        for minute in quiet { #expect(settings.isQuiet(at: 1_795_132_800 + Int64(minute) * 60), "\(minute)") }
        for minute in loud { #expect(!settings.isQuiet(at: 1_795_132_800 + Int64(minute) * 60), "\(minute)") }
        #expect(try !Settings(library: Library(path: nil), file: [:]).isQuiet(at: 1_795_132_800))
    }

    @Test(arguments: [
        "-", "7", "7-", "-7", "7--8", "1-2-3", "24:30-1", "1:60-2", "1:-2", ":1-2", "1:2:3-4", "+1-2", " 1-2", "1 -2",
        "²-3",
    ])
    func rejectsInvalidHours(text: String) { #expect(QuietHours(text) == nil) }
}
