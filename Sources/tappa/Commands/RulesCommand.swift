import ArgumentParser
import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import Platform

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Manage rules for new entries.",
        discussion: """
            Define rules in the configuration file as [[rules]] with name, when = "QUERY" (see 'tappa search') and then, a list of \
            actions: \(Rule.Action.known).
            """,
        subcommands: [List.self, Try.self, Apply.self, Undo.self], defaultSubcommand: List.self)

    static func rule(_ name: String, in library: Library) throws -> Rule {
        guard let rule = library.rules.first(where: { $0.name == name }) else {
            let names = library.rules.map { "'\($0.name)'" }.joined(separator: ", ")
            throw fail(
                "no such rule: '\(name)'" + (names.isEmpty ? " in the configuration" : "; the rules are \(names)"),
                ExitStatus.noInput)
        }
        return rule
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the rules, with the number and date of their matches (the default).")

        @Flag(help: "Print a JSON array.")
        var json = false

        @OptionGroup var options: LibraryOptions

        private struct Item: Encodable {
            var name: String
            var when: String
            var then: [String]
            var matches: Int
            var last: String?
            var error: String?
        }

        func run() throws {
            let library = try options.openLibrary()
            let tallies = try library.ruleTallies()
            let items = library.rules.map { rule in
                let tally = tallies[rule.name] ?? RuleTally()
                return Item(
                    name: rule.name, when: rule.when.text, then: rule.then.map(\.text), matches: tally.matches,
                    last: tally.last.map { Timestamp.rfc3339($0) }, error: tally.error)
            }
            if json { return try printJSON(items) }
            if items.isEmpty {
                printError("No rules. Define them in \(options.configurationPath) as [[rules]].")
            }
            for item in items {
                let last = item.last.map { "last \($0.prefix(10))" } ?? "never"
                let error = item.error.map { ["! \($0)"] } ?? []
                printFields(
                    [item.name, "\(item.matches)", last, item.when, item.then.joined(separator: ", ")] + error)
            }
        }
    }

    struct Try: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what rules would have done with recent entries.")

        @Argument(help: ArgumentHelp("The name of a rule; all if omitted.", valueName: "name"), completion: .ownRules)
        var name: String?

        @Option(help: ArgumentHelp("The number of days.", valueName: "n"))
        var days = 30

        @Option(help: ArgumentHelp("The maximum number of entries to print for each rule.", valueName: "n"))
        var limit = 10

        @OptionGroup var options: LibraryOptions

        func validate() throws {
            guard (1...36_500).contains(days) else { throw ValidationError("--days must be a number from 1 to 36500.") }
            guard (0...5000).contains(limit) else { throw ValidationError("--limit must be a number from 0 to 5000.") }
        }

        func run() throws {
            let library = try options.openLibrary()
            let rules = try name.map { [try RulesCommand.rule($0, in: library)] } ?? library.rules
            // A rule is tried on all entries, so it waits for the index.
            if rules.contains(where: \.when.needsIndex) { try IndexFilling(library).complete() }
            let since = Instant.now - Int64(days) * 86_400
            for rule in rules {
                let found = try library.search.entries(matching: rule.when, since: since, limit: limit)
                let actions = rule.then.map(\.text).joined(separator: ", ")
                printFields([rule.name, "\(found.count) in \(days) days", actions])
                for row in found.first {
                    printFields([
                        "  \(row.id)", row.title, try library.feeds.feed(row.subscriptionID)?.title ?? "",
                    ])
                }
            }
        }
    }

    struct Apply: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Apply a rule to the existing entries.",
            discussion: """
                Shows the number of entries and asks first, unless you use --yes. Notifications, commands, full texts and downloads \
                apply only to new entries.
                """)

        @Argument(help: ArgumentHelp("The name of a rule.", valueName: "name"), completion: .ownRules)
        var name: String

        @Flag(help: "Don't ask.")
        var yes = false

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary()
            let rule = try RulesCommand.rule(name, in: library)
            if rule.when.needsIndex { try IndexFilling(library).complete() }
            let count = try library.search.entries(matching: rule.when, limit: 0).count
            let last = try library.entries.lastID()
            let actions = rule.then.map(\.text).joined(separator: ", ")
            if !yes {
                printLine("\(count.counted("entry matches", "entries match")) '\(rule.when.text)': \(actions)")
                guard count > 0 else { return }
                guard isInteractive else { throw fail("use --yes to apply it", ExitStatus.usage) }
                guard confirms("Apply it? y/n") else { return }
            }
            let now = Instant.now
            let receipt = try library.carryOut(.applyRule(rule, upTo: last, now: now))
            let name = rule.name.contains(" ") ? "\"\(rule.name)\"" : rule.name
            printLine("\(actions): \(receipt.count.countedEntries); 'tappa rules undo \(name)' reverts this")
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Undo what a rule did: marks, tags, deletions.",
            discussion: "Reverts the last seven days.")

        @Argument(
            help: ArgumentHelp("The name of a rule, also of one that was removed.", valueName: "name"),
            completion: .ownRules)
        var name: String

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary()
            let receipt = try library.carryOut(.undoRule(name))
            printLine(receipt.sentence ?? "")
        }
    }
}
