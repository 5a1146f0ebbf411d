import TerminalUI

extension CommandTable {
    /// All commands of the program.
    ///
    /// Bars, help, palette, menus, the guide's table of keys and the output of `tappa config --keys` are made from this
    /// table. The user's key bindings are validated against it.
    package static let dashboard = CommandTable(
        EntryCommands.all + FeedCommands.all + StageCommands.all + DownloadCommands.all + RuleCommands.all
            + AccountCommands.all + PlaceCommands.all + ProgramCommands.all + ToolkitCommands.all,
        inner: [
            "entries": ["lists", "texts", "lists and texts"], "full texts": ["texts", "lists and texts"],
            "search results": ["lists", "lists and texts", "entries"], "feeds": ["lists", "lists and texts"],
            "stages": ["lists", "texts", "lists and texts", "tables", "pictures", "maps", "profiles"],
            "settings": ["lists", "lists and texts"], "the list of segments": ["lists", "lists and texts"],
            "storage": ["texts", "lists and texts", "settings"],
            "downloads": ["lists", "lists and texts"], "rules": ["lists", "lists and texts"],
            "the outbox": ["lists", "lists and texts"], "the reload status": ["lists", "lists and texts"],
            "lists": ["lists and texts"], "texts": ["lists and texts"], "tables": ["lists and texts"],
        ])
}

/// Key bindings known from other programs.
package enum KeyPresets {
    /// The presets by name.
    package static let all: [String: KeyMap] = [
        "tappa": KeyMap(),
        "vim": KeyMap([
            "entry.delete": ["d d"], "feed.unsubscribe": ["d d"], "race.remove": ["d d"], "search.delete": ["d d"],
            "entry.copyLink": ["y y"], "entry.browser": ["g x"], "feed.browser": ["g x"], "stage.browser": ["g x"],
            "segments.next": ["g t", "tab"], "segments.previous": ["g T", "backtab"], "program.quit": ["Z Z", "q"],
            "program.quitNow": ["Z Q"],
        ]),
        "newsboat": KeyMap([
            "entry.toggleRead": ["N"], "entry.previousUnread": ["p"], "entry.publishDate": ["T"], "entry.delete": ["D"],
            "entry.next": ["J"], "entry.previous": ["K"], "entry.nextFeed": ["}"], "entry.previousFeed": ["{"],
            "entry.link": ["u"], "entry.changes": ["d"], "program.undo": ["U"], "search.save": ["B"],
            "feed.unsubscribe": ["D"],
        ]),
    ]
}
