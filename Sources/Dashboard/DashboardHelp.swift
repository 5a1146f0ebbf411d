import DashboardFrame
import StagesSegment
import TerminalUI

extension HelpEssential {
    /// The keys that the help shows first, most important first.
    ///
    /// Most commands are only available in some places, so these are the eight that matter there.
    static let dashboard = [
        HelpEssential(titled: "Move", ListCommands.down, ListCommands.up),
        HelpEssential(titled: "Scroll", TextCommands.down, TextCommands.up),
        HelpEssential(titled: "Move", DataTableCommands.down, DataTableCommands.up),
        HelpEssential(ListCommands.open), HelpEssential(TextCommands.pageDown),
        HelpEssential(NavigationCommands.back), HelpEssential(titled: "Back", ColumnCommands.focusLeft),
        HelpEssential(EntryCommands.nextUnread), HelpEssential(EntryCommands.toggleStar),
        HelpEssential(EntryCommands.openInBrowser), HelpEssential(EntryCommands.publishDate),
        HelpEssential(FeedCommands.reloadFeed), HelpEssential(FeedCommands.addFeed),
        HelpEssential(FeedCommands.markFeedRead),
        HelpEssential(titled: "Next, previous page", StageCommands.nextPage, StageCommands.previousPage),
        HelpEssential(StageCommands.stageArticle), HelpEssential(StageCommands.followRace),
        HelpEssential(ProgramCommands.resetSetting), HelpEssential(ProgramCommands.manageSubscriptions),
        HelpEssential(ProgramCommands.importSubscriptions),
        HelpEssential(FeedCommands.search), HelpEssential(SegmentCommands.next),
        HelpEssential(ProgramCommands.palette), HelpEssential(ProgramCommands.menu),
        HelpEssential(ProgramCommands.quit),
    ]
}

extension HelpLegend {
    /// The signs of the dashboard.
    @MainActor
    static func dashboard(hasUnicode: Bool) -> [HelpLegend] {
        let symbols = hasUnicode ? Symbols.unicode : .ascii
        return [
            HelpLegend(
                "Entries",
                [
                    HelpSign(DisplayText(symbols.dot), role: .accent, "Unread"),
                    HelpSign(EntryCell.starred, role: .accent, "Starred"),
                    HelpSign(EntryCell.later, role: .accent, "To read later"),
                    HelpSign(DisplayText(symbols.pending), role: .accent, "Not stored yet"),
                    HelpSign("×2", role: .secondary, "In two feeds"),
                    HelpSign(DisplayText(symbols.check), role: .accent, "Marked for a command"),
                    HelpSign(DisplayText(symbols.selection), role: .accent, "Selected"),
                    HelpSign(DisplayText(symbols.shown), role: .text, "Open beside the list"),
                ]),
            HelpLegend(
                "Feeds",
                [
                    HelpSign(RowSign.failure.sign, role: .failure, "Reload failed"),
                    HelpSign(RowSign.problem.sign, role: .secondary, "Read despite errors"),
                    HelpSign(RowSign.reloading, role: .secondary, "Being reloaded"),
                    HelpSign(RowSign.search.sign, role: .text, "Saved search"),
                    HelpSign(RowSign.closed.sign, role: .text, "Collapsed group"),
                    HelpSign(RowSign.open.sign, role: .text, "Expanded group"),
                ]),
            HelpLegend(
                "Stages",
                StageKind.allCases.map { kind in
                    HelpSign(DisplayText(kind.glyph(hasUnicode: hasUnicode)), role: kind.role, kind.name)
                } + [
                    HelpSign("▲2", role: .good, "Places won"), HelpSign("▼1", role: .failure, "Places lost"),
                ]),
            HelpLegend(
                "Ticker",
                TickerEvent.allCases.map { event in
                    HelpSign(
                        DisplayText(event.glyph(hasUnicode: hasUnicode)), role: event.isBad ? .failure : .text,
                        event.name)
                }),
            HelpLegend(
                "Bars and keys",
                [
                    HelpSign(symbols.toLeft, role: .accent, "Hides the list"),
                    HelpSign(symbols.toRight, role: .accent, "Shows the list"),
                    HelpSign(symbols.back.trimmed(), role: .accent, "Back"),
                    HelpSign(symbols.overflow, role: .accent, "More commands"),
                    HelpSign(KeyMap().label(of: "enter"), role: .accent, "Enter"),
                    HelpSign(KeyMap().label(of: "ctrl-x"), role: .accent, "Ctrl and X"),
                ]),
        ]
    }
}
