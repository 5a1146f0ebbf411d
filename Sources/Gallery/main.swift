import TerminalUI

// `make gallery`.

let gallery = GalleryNavigation()
let terminal = NcursesTerminal()
do {
    try terminal.start()
    let application = Application(terminal: terminal, root: gallery.navigation)
    application.window.motion = .full
    gallery.addCommands(of: application)
    application.run()
} catch {
    print("gallery: \(error)")
}
