import TerminalUI

/// The commands for rules.
package enum RuleCommands {
    static let makeRule = CommandDefinition(
        "entry.rule", "Create rule from entry", keys: ["!"], group: "Marks", place: "entries", needs: "an entry",
        .worksFromList)
    package static let showRules = CommandDefinition(
        "rules.show", "Show rules", keys: ["ctrl-x r"], group: "Program", place: "everywhere")

    private static func rule(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil,
        _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition("rules.\(name)", title, keys: keys, group: "Rules", place: "rules", needs: need, traits)
    }

    package static let applyRule = rule("apply", "Apply to existing entries", ["a"], needs: "a rule", .isUndoable)
    package static let undoRule = rule("undo", "Undo rule", ["x"], needs: "a rule that was applied")
    static let closeRules = rule("close", "Close", ["q", "esc", "h", "backspace"])

    /// All of them, in the order of help and documents.
    package static let all = [makeRule, showRules, applyRule, undoRule, closeRules]
}
