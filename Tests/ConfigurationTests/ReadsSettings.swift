import Feeds
import LibraryKernel
import TerminalUI
import Testing

@testable import Configuration
@testable import ModelCore

/// Every setting from every source: its table in the file, its variable, its flag.
@Suite struct ReadsSettings {
    private static let commands = ConfigurationFile.Commands(CommandTable([]))

    private func parse(_ text: String) -> ConfigurationFile {
        ConfigurationFile.parse(text, path: "c.toml", for: ReadsSettings.commands)
    }

    /// Values that a setting of a type accepts, as TOML and as its value, and values that it rejects.
    private static func examples(_ kind: SettingDefinition.Kind) -> (accepted: [(String, String)], rejected: [String]) {
        switch kind {
        case .choice(let names), .named(let names):
            (
                names.map { ("\"\($0)\"", $0) },
                // Where 'on' is one of several values, true is accepted too.
                ["\"no such\"", "\"\"", "[\"\(names[0])\"]"] + (names.contains("on") ? [] : ["true"])
            )
        case .text:
            ([("\"some words\"", "some words"), ("'a'", "a")], ["\"\"", "\"  \"", "[\"a\"]", "[]", "\"a\\nb\""])
        case .program:
            (
                [
                    ("\"my program -x\"", "my program -x"),
                    ("[\"my program\", \"\", \"a\\\"b\"]", "\"my program\" \"\" 'a\"b'"),
                ],
                ["\"\"", "[]", "[\"\", \"x\"]", "[\"x\", 1]"]
            )
        case .places:
            (
                [
                    ("[\"feeds\", \"search:is:unread tag:work\"]", "feeds \"search:is:unread tag:work\""),
                    ("\"stages tag:a\"", "stages tag:a"), ("[\"feeds\", \"feeds\", \"race:giro\"]", "feeds race:giro"),
                ],
                [
                    "[]", "\"\"", "[\"no such\"]", "[\"entry:4\"]", "[\"race:giro/3\"]",
                    "[\"settings:appearance.theme\"]", "[1]",
                    "[\"folder:\"]", "[\"search:(\"]", "true",
                ]
            )
        case .hours: ([("\"22-7\"", "22-7"), ("\"none\"", "none")], ["\"25-7\"", "\"x\"", "22", "[\"22-7\"]"])
        case .toggle:
            ([("true", "on"), ("false", "off"), ("\"on\"", "on"), ("\"off\"", "off")], ["\"yes\"", "1", "[true]"])
        case .number(let range, _, _, _):
            (
                [range.lowerBound, range.lowerBound + 1, range.upperBound].map { ("\($0)", "\($0)") },
                ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "\"x\"", "true", "[\(range.lowerBound)]"]
            )
        }
    }

    private func document(_ definition: SettingDefinition, _ value: String) -> String {
        let parts = definition.name.split(separator: ".")
        // Settings without a table are above all tables.
        return parts.count == 1 ? "\n\n\(parts[0]) = \(value)\n" : "\n[\(parts[0])]\n\(parts[1]) = \(value)\n"
    }

    @Test func acceptsValidValuesAndNamesTheAlternatives() {
        for definition in Settings.definitions {
            let (accepted, rejected) = ReadsSettings.examples(definition.kind)
            for (text, value) in accepted {
                let file = parse(document(definition, text))
                #expect(file.settings == [definition.name: value], "\(definition.name) = \(text)")
                #expect(file.lines == [definition.name: 3] && file.problems.isEmpty && file.isReadable)
            }
            for text in rejected {
                let file = parse(document(definition, text))
                #expect(file.settings.isEmpty && file.lines.isEmpty && file.isReadable, "\(definition.name) = \(text)")
                let beginning = "c.toml, line 3: \(definition.name) must be "
                #expect(
                    file.problems.count == 1 && file.problems[0].description.hasPrefix(beginning)
                        && file.problems[0].description.contains(" must be \(definition.domain)"),
                    "\(definition.name) = \(text): \(file.problems)")
            }
        }
    }

    /// Nested tables and dotted names refer to the same setting.
    @Test(arguments: [
        ("feeds.refresh = 30", 1), ("[feeds]\nrefresh = 30", 2), ("feeds = { refresh = 30 }", 1),
        ("\"feeds\".\"refresh\" = 30", 1),
    ]) func findsASettingInEachFormOfItsTable(text: String, line: Int) {
        let file = parse(text)
        #expect(file.settings == ["feeds.refresh": "30"] && file.lines == ["feeds.refresh": line])
        #expect(file.problems.isEmpty)
    }

    @Test func reportsEachUnknownNameAndKeepsTheRest() {
        let file = parse("top = 1\n[feeds]\nfirst = 1\nrefresh = 5\nlast = 2\n[nothing]\nx = 1\n[keysx]\ny = 1")
        #expect(file.settings == ["feeds.refresh": "5"])
        #expect(file.problems.map(\.line) == [1, 3, 5, 7, 9])
        for (name, problem) in zip(["top", "feeds.first", "feeds.last", "nothing.x", "keysx.y"], file.problems) {
            #expect(problem.message.hasPrefix("no such setting: '\(name)'"))
        }
    }

    /// A message quotes only as much of a file as fits on a screen.
    @Test(arguments: [(400, false), (5000, true)]) func truncatesValuesInMessages(count: Int, isCut: Bool) {
        let name = String(repeating: "x", count: count)
        let message = parse("\(name) = 1").problems.first?.message ?? ""
        #expect(message.hasSuffix("…") == isCut && message.count <= 501)
        #expect(message.contains(name) == !isCut)
    }

    // MARK: The environment and flags

    @Test func readsEachSettingFromItsVariableAndItsFlag() {
        for definition in Settings.definitions {
            let variable = "TAPPA_" + definition.name.uppercased().map { $0.isLetter ? String($0) : "_" }.joined()
            #expect(SettingOverrides.variable(definition.name) == variable)
            guard let (_, value) = ReadsSettings.examples(definition.kind).accepted.last else { continue }
            let environment = SettingOverrides.read(environment: [variable: value, "TAPPA_NOTHING": "x"], flags: [])
            #expect(environment.values == [definition.name: SettingValue(value: value, origin: .environment)])
            #expect(environment.problems.isEmpty)
            let flag = SettingOverrides.read(environment: [:], flags: ["\(definition.name)=\(value)"])
            #expect(
                flag.values == [definition.name: SettingValue(value: value, origin: .flag)] && flag.problems.isEmpty)
            let wrong = SettingOverrides.read(environment: [variable: "\n"], flags: ["\(definition.name)=\n"])
            #expect(wrong.values.isEmpty || definition.kind.isOpen)
            guard !definition.kind.isOpen else { continue }
            #expect(
                wrong.problems == [variable, definition.name].map { "\($0) must be \(definition.domain), not '\n'" })
        }
    }

    @Test(
        arguments: [
            (["feeds.refresh=20"], ["feeds.refresh": "20"], 0),
            (["feeds.refresh=20", "feeds.refresh=30"], ["feeds.refresh": "30"], 0),
            (["feeds.browser=w3m -o a=b"], ["feeds.browser": "w3m -o a=b"], 0),
            (["terminal.mouse=true"], ["terminal.mouse": "on"], 0),
            (["terminal.mouse=false"], ["terminal.mouse": "off"], 0), (["feeds.refresh"], [:], 1),
            (["feeds.refresh="], [:], 1),
            (["=20"], [:], 1), ([""], [:], 1), (["x=1", "feeds.refresh=20", "y=2"], ["feeds.refresh": "20"], 2),
        ] as [([String], [String: String], Int)])
    func readsFlagsOneByOne(flags: [String], values: [String: String], problems: Int) {
        let read = SettingOverrides.read(environment: [:], flags: flags)
        #expect(read.values.mapValues(\.value) == values && read.problems.count == problems, "\(flags)")
        #expect(read.values.values.allSatisfy { $0.origin == .flag })
    }

    @Test func prefersFlagsOverVariablesOverFiles() async throws {
        let library = try Library(path: nil)
        let name = "feeds.refresh"
        for (hasFlag, hasVariable, isHere, isInFile) in (0..<16).map({
            ($0 & 1 != 0, $0 & 2 != 0, $0 & 4 != 0, $0 & 8 != 0)
        }) {
            let own = SettingOverrides.read(
                environment: hasVariable ? ["TAPPA_FEEDS_REFRESH": "2"] : [:], flags: hasFlag ? ["\(name)=1"] : [])
            let settings = try Settings(library: library, file: isInFile ? [name: "4"] : [:], overrides: own.values)
            if isHere { settings.use("3", for: name) }
            let expected: SettingValue =
                hasFlag
                ? .init(value: "1", origin: .flag)
                : hasVariable
                    ? .init(value: "2", origin: .environment)
                    : isHere
                        ? .init(value: "3", origin: .here)
                        : isInFile ? .init(value: "4", origin: .file) : .init(value: "60", origin: .standard)
            #expect(settings[name] == expected)
            // As in the configuration file: what the user set in the program, unless something overrides it.
            #expect(
                SettingOverrides.toml(of: settings)
                    == (isHere && !hasFlag && !hasVariable ? "[feeds]\nrefresh = 3" : ""))
        }
    }

    // MARK: What is written

    @Test func writesTheDefaultsWithTheirExplanations() {
        let lines = ConfigurationFile.defaults.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var sections: [String] = []
        for definition in Settings.definitions {
            let parts = definition.name.split(separator: ".").map(String.init)
            if parts.count > 1, sections.last != parts[0] { sections.append(parts[0]) }
            let comment = lines.firstIndex(of: "# \(definition.explanation) Can be \(definition.domain).")
            guard let comment else {
                Issue.record("\(definition.name) is not explained")
                continue
            }
            let line = lines[comment + 1]
            switch definition.kind {
            case .number: #expect(line == "\(parts[1]) = \(definition.defaultValue)")
            case .toggle: #expect(line == "\(parts[1]) = \(definition.defaultValue == "on")")
            case .places:
                let names = SegmentName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                #expect(line == "\(parts[0]) = [\(names)]")
                // It isn't part of a table.
                #expect(!lines[..<comment].contains { $0.hasPrefix("[") })
            default: #expect(line == "\(parts[1]) = \"\(definition.defaultValue)\"")
            }
        }
        // Each table appears once, with a blank line before all but the first.
        #expect(lines.filter { $0.hasPrefix("[") } == sections.map { "[\($0)]" })
        for (index, line) in lines.enumerated() where line.hasPrefix("[") {
            #expect(index == 0 || lines[index - 1].isEmpty)
        }
        #expect(lines.contains("# What is done with entries as they arrive: \(Rule.Action.known)."))
    }

    @Test func writesSettingsThatReadBackEqual() async throws {
        for definition in Settings.definitions {
            guard let (_, value) = ReadsSettings.examples(definition.kind).accepted.last else { continue }
            let settings = try Settings(library: try Library(path: nil), file: ["feeds.refresh": "7"])
            settings.use(value, for: definition.name)
            let file = parse(SettingOverrides.toml(of: settings))
            #expect(file.settings == [definition.name: value] && file.problems.isEmpty)
        }
    }
}

extension SettingDefinition.Kind {
    /// Whether any word is a valid value.
    fileprivate var isOpen: Bool { if case .named = self { true } else { false } }
}

/// Suggestions for misspelled names.
@Suite struct NearNameTests {
    @Test(
        arguments: [
            ("appearance.theme", "appearance.theme"), ("appearance.them", "appearance.theme"),
            ("appearence.theme", "appearance.theme"), ("apearence.theem", "appearance.theme"),
            // In another table.
            ("feeds.theme", "appearance.theme"), ("theme", "appearance.theme"), ("refresh", "feeds.refresh"),
            ("feeds.refesh", "feeds.refresh"), ("xyz", nil), ("", nil), ("feeds", nil),
            // At most four letters and a third of the name.
            ("abcdefghijklm", nil), ("xxxearance.thyme", "appearance.theme"), ("xxxxarance.thyme", nil),
        ] as [(String, String?)])
    func suggestsTheNearestName(name: String, expected: String?) {
        #expect(NearName.nearest(to: name, in: ["feeds.refresh", "appearance.theme", "feeds.order"]) == expected)
    }

    @Test func suggestsTheFirstOfEquallyNearNames() {
        #expect(NearName.nearest(to: "abcx", in: ["abcd", "abce"]) == "abcd")
        #expect(NearName.nearest(to: "abcd", in: []) == nil)
        let long = String(repeating: "a", count: 80)
        #expect(NearName.nearest(to: long, in: [long + "b"]) == long + "b")
        #expect(NearName.nearest(to: long + "a", in: [long]) == nil)
        // An insertion, a deletion and a replacement count once; swapped letters count twice.
        for name in ["abcdef1", "abcde", "abcdex", "1abcdef", "bcdef", "abXdef"] {
            #expect(NearName.nearest(to: name, in: ["abcdef"]) == "abcdef", "\(name)")
        }
    }
}
