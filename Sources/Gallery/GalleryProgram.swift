import Foundation
import TerminalUI

/// `make gallery`: an asynchronous program, whose indicators are animated while it waits for keys.
@main
@MainActor
struct GalleryProgram {
    static func main() async {
        let gallery = GalleryNavigation()
        let application = Application(terminal: NcursesTerminal(), root: gallery.navigation)
        application.window.motion = .full
        gallery.addCommands(of: application)
        // From here on the runtime drives the main queue.
        await Task.yield()
        exit(await application.run())
    }
}
