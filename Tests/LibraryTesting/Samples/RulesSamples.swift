import Feeds
import LibraryKernel

extension ChangeSamples {
    /// Rules on existing entries.
    static let rules = ChangeSamples(of: "Feeds") { library in
        let rule = Rule(
            name: "rule", when: try SearchQuery("words"), then: [.mark(.later), .fold, .tag("r"), .mark(.read)])
        let apply = Change.applyRule(rule, upTo: library.entries[9], now: 5)
        return [
            ChangeSample(
                apply, undo: "applying the rule rule",
                tables: ["entry", "entry_tag", "subscription", "counter", "rule_tally", "rule_step"],
                isIdempotent: false),
            ChangeSample(
                .undoRule("rule"), undo: nil, tables: ["entry", "entry_tag", "subscription", "counter", "rule_step"],
                after: [apply]),
        ]
    }
}
