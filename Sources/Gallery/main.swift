import TerminalUI

// Every control and container of the toolkit, one a row: `make gallery`.

let navigation = NavigationController()
navigation.hasRule = true
let segments = SegmentsController(
    navigationController: navigation,
    segments: [
        .init("Controls") {
            let list = PageList("Controls", Pages.controls)
            return SplitViewController(primary: list, placeholder: MessageController("Choose a control."))
        },
        .init("Containers") {
            let list = PageList("Containers", Pages.containers)
            return SplitViewController(primary: list, placeholder: MessageController("Choose a container."))
        },
    ])
segments.setBadge(DisplayText(String(Pages.controls.count)), at: 0)

let terminal = NcursesTerminal()
do {
    try terminal.start()
    let application = Application(terminal: terminal, root: navigation)
    application.window.motion = .full
    let segmentCommands = navigation.additionalCommands
    navigation.additionalCommands = {
        segmentCommands() + [
            Command("gallery.help", "Keys that work here", keys: ["?"]) {
                navigation.present(HelpViewController(commands: application.window.availableCommands))
            },
            Command("gallery.palette", "Find a command", keys: [":"]) {
                navigation.present(
                    CommandPaletteViewController(
                        title: "Commands", commands: application.window.availableCommands, hasField: true))
            },
            Command("gallery.quit", "Quit", keys: ["q", "ctrl-c"]) { application.finish() },
        ]
    }
    application.run()
} catch {
    print("gallery: \(error)")
}
_ = segments
