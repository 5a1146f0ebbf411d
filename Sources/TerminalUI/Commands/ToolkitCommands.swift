/// The commands of the toolkit's own views and controllers.
///
/// Each kind of view or controller has its own, such as ``ListCommands`` and ``TextCommands``. A program's command table
/// starts with ``all``, after the commands of the extras that it uses. Keys can be bound to each by its identifier.
public enum ToolkitCommands {
    /// All commands, innermost first.
    public static let all: [CommandDefinition] = [
        SidewaysCommands.all, FindCommands.all, ListCommands.all, DataTableCommands.all, TextCommands.all,
        PictureCommands.all, PreviewCommands.all, ColumnCommands.all, NavigationCommands.all, SegmentCommands.all,
        PromptCommands.all, AlertCommands.all, PaletteCommands.all, HelpCommands.all,
    ].flatMap { $0 }

    /// Ends the program. It exists in every program without global commands, so it isn't part of ``all``.
    public static let quit = CommandDefinition(
        "application.quit", "Quit", keys: ["q", "ctrl-c"], group: "Program", place: "everywhere",
        [.givesWay, .needsNoContent])
}
