import TerminalUI

/// All controls and containers of the toolkit, one on each row, in two segments.
@MainActor
struct GalleryNavigation {
    let navigation = NavigationController()
    private let segments: SegmentsController

    init() {
        navigation.hasRule = true
        func segment(_ title: DisplayText, _ pages: [Page], _ message: DisplayText) -> SegmentsController.Segment {
            .init(title) {
                SplitViewController(primary: PageList(title, pages), placeholder: ContentController(Label(message)))
            }
        }
        segments = SegmentsController(
            navigationController: navigation,
            segments: [
                segment("Controls", Pages.controls, "Choose a control."),
                segment("Containers", Pages.containers, "Choose a container."),
            ])
        segments.setBadge(DisplayText(String(Pages.controls.count)), at: 0)
    }

    /// Adds the commands that are available everywhere.
    func addCommands(of application: Application) {
        let segmentCommands = navigation.additionalCommands
        navigation.additionalCommands = { [navigation] in
            segmentCommands() + [
                Command("gallery.help", "Keys", keys: ["?"]) {
                    navigation.present(HelpViewController(commands: application.window.availableCommands))
                },
                Command("gallery.palette", "Find a command", keys: [":"]) {
                    navigation.present(
                        CommandPaletteViewController(
                            title: "Commands", choices: application.window.availableCommands.map { Choice($0.command) },
                            hasField: true))
                },
                Command("gallery.quit", "Quit", keys: ["q", "ctrl-c"]) { application.finish() },
            ]
        }
    }
}
