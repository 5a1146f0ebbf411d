import TerminalUI

/// Commands for accounts and the outbox.
package enum AccountCommands {
    package static let showOutbox = CommandDefinition(
        "outbox.show", "Show outbox", keys: ["O"], group: "Feeds", place: "everywhere", needs: "an account")
    package static let addAccount = CommandDefinition(
        "account.add", "Add account", keys: ["C"], group: "Settings", place: "settings")
    package static let syncAccount = CommandDefinition(
        "account.sync", "Sync account", keys: ["r"], group: "Feeds", place: "feeds", needs: "an account", .givesWay)
    package static let removeAccount = CommandDefinition(
        "account.remove", "Remove account", keys: ["d"], group: "Feeds", place: "feeds", needs: "an account",
        .givesWay)

    private static func outbox(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText? = nil
    ) -> CommandDefinition {
        CommandDefinition("outbox.\(name)", title, keys: keys, group: "Feeds", place: "the outbox", needs: need)
    }

    package static let sendOutbox = outbox("send", "Send now", ["r"], needs: "a pending change")
    package static let dropOutboxItem = outbox("drop", "Discard change", ["d"], needs: "a pending change")
    package static let closeOutbox = outbox("close", "Close", ["q", "esc", "h", "backspace", "O"])

    /// All of them, in the order of help and documents.
    package static let all = [
        showOutbox, addAccount, syncAccount, removeAccount, sendOutbox, dropOutboxItem, closeOutbox,
    ]
}
