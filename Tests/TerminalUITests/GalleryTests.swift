import TerminalUITesting
import TerminalUI
import Testing

@testable import Gallery

/// Every control and container, with every key and the mouse, compared line by line.
@MainActor
@Suite struct GalleryTests {
    private let gallery = GalleryNavigation()

    private func screen(_ width: Int, _ height: Int) -> TestScreen {
        let screen = TestScreen(root: gallery.navigation, size: Size(width: width, height: height))
        gallery.addCommands(of: screen.application)
        return screen
    }

    /// Keys that controls handle, in an order in which each has an effect.
    private static let keys = [
        "tab", "down", "right", "right", "right", "left", "enter", "down", "enter", "space", "up", "space", "end",
        "left",
        "home", "right", "pagedown", "pageup", "x", "y", "space", "z", "enter", "w", "backspace", "left", "delete",
        "ctrl-a",
        "ctrl-k", "ctrl-z", "ctrl-e", "ctrl-w", "ctrl-u", "+", "+", "-", "0", "ctrl-d",
        "ctrl-u", "G",
        "g g", "J", "esc",
    ]

    /// Each page as the whole window, and as a sheet, where Tab cycles.
    @Test(arguments: 0..<12, [false, true]) func showsControls(page: Int, isSheet: Bool) {
        let controller = Pages.controls[page].make()
        controller.title = Pages.controls[page].title
        let root = isSheet ? ViewController() : controller
        let screen = TestScreen(root: root, size: Size(width: 46, height: 12))
        if isSheet {
            controller.preferredContentSize = Size(width: 34, height: 8)
            root.present(controller)
        }
        let story = ScreenStory(of: screen)
        for key in GalleryTests.keys where key != "esc" { story.press(key) }
        for (x, y) in [(3, 1), (12, 1), (4, 3), (20, 3), (8, 5), (45, 2), (45, 10), (8, 4), (14, 7), (9, 2)] {
            screen.click(x, y)
            story.note("click \(x), \(y)")
            screen.application.send(.mouse(MouseEvent(.wheel(y % 2 == 0 ? 1 : -1), at: Point(x: x, y: y))))
            story.note("wheel \(x), \(y)")
        }
        screen.drag(from: Point(x: 4, y: 1), to: Point(x: 30, y: 4))
        story.note("drag")
        screen.drag(from: Point(x: 45, y: 2), to: Point(x: 45, y: 9))
        story.note("drag at the edge")
        story.press("alt-2", "alt-2", "alt-3")
        for (width, height) in [(20, 6), (90, 20), (9, 3), (46, 12)] {
            screen.resize(width, height)
            story.note("\(width) x \(height)")
        }
        #expect(story.difference(from: "gallery-control-\(page)\(isSheet ? "-sheet" : "")") == nil)
    }

    /// The list of pages beside its detail, by all keys.
    @Test func showsTheGallery() {
        let screen = screen(76, 15)
        let story = ScreenStory(of: screen)
        for key in GalleryTests.keys { story.press(key) }
        for (x, y) in [(34, 3), (60, 4), (75, 8), (10, 5), (39, 7), (3, 0), (17, 0)] {
            screen.click(x, y)
            story.note("click \(x), \(y)")
        }
        screen.drag(from: Point(x: 39, y: 6), to: Point(x: 50, y: 6))
        story.note("drag the edge")
        for (width, height) in [(120, 30), (100, 12), (40, 12), (24, 7), (10, 3), (76, 40), (76, 15)] {
            screen.resize(width, height)
            story.note("\(width) x \(height)")
            story.press("j", "l", "h")
        }
        #expect(story.difference(from: "gallery") == nil)
    }

    @Test(arguments: 0..<4) func showsContainers(page: Int) {
        let screen = screen(76, 15)
        screen.press("tab")
        for _ in 0..<page { screen.press("j") }
        let story = ScreenStory(of: screen)
        for key in [
            "l", "enter", "tab", "x", "y", "backspace", "enter", "enter", "enter", "?", "j", "ctrl-d", "esc", ":", "h",
            "e", "l",
            "enter", "esc", "esc", "h", "h", "h", "ctrl-b", "ctrl-b", "shift-tab", "2", "1",
        ] {
            story.press(key)
        }
        for (x, y) in [(34, 3), (40, 6), (5, 1), (20, 4), (70, 0), (10, 0), (25, 0)] {
            screen.click(x, y)
            story.note("click \(x), \(y)")
        }
        for (width, height) in [(40, 12), (24, 7), (120, 30), (10, 3), (76, 15)] {
            screen.resize(width, height)
            story.note("\(width) x \(height)")
        }
        #expect(story.difference(from: "gallery-container-\(page)") == nil)
    }
}
