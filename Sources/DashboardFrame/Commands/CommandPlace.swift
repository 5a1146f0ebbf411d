import ModelCore
import TerminalUI

/// The place of a command, to go there from anywhere.
package enum CommandPlace {
    case feeds
    case entries
    case stages
    case settings
    /// The page of a setting, by its name.
    case setting(String)
    /// A sheet or page that another command shows.
    case shown(by: CommandDefinition)

    /// Finds the place of a command, or `nil` for commands of views that appear in many places.
    package init?(of command: CommandDefinition) {
        switch command.place {
        case "feeds": self = .feeds
        case "entries": self = .entries
        case "stages", "maps", "profiles": self = .stages
        case "settings": self = .settings
        case "the list of segments": self = .setting(SettingKey.segments.name)
        case "storage": self = .shown(by: ProgramCommands.showStorage)
        case "downloads": self = .shown(by: DownloadCommands.showDownloads)
        case "rules": self = .shown(by: RuleCommands.showRules)
        case "the outbox": self = .shown(by: AccountCommands.showOutbox)
        case "the reload status": self = .shown(by: FeedCommands.watchReload)
        case "search results": self = .shown(by: FeedCommands.search)
        default: return nil
        }
    }
}

extension CommandDefinition {
    /// The row or place that the command needs, such as "on a feed".
    package var condition: DisplayText {
        switch (place, need) {
        case ("feeds", let need?): "on " + need
        case ("entries", "a list of entries"?), ("entries", "the entries of a feed"?): "in " + (need ?? .empty)
        case ("entries", "an entry"?), ("entries", "a previous entry"?), ("entries", "a next entry"?): "on an entry"
        case ("entries", "a hidden entry"?), ("entries", "a changed entry"?), ("entries", "an entry about a stage"?):
            "on " + (need ?? .empty)
        case ("entries", let need?): "on an entry with " + need
        case ("stages", "a race"?), ("stages", "a stage"?): "on " + (need ?? .empty)
        case (CommandTable.everywhere, let need?): "with " + need
        case (CommandTable.everywhere, nil): "everywhere"
        default: "in " + place
        }
    }
}
