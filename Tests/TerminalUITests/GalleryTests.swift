import TerminalUI
import TerminalUITesting
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

    /// Keys that controls handle, in an order in which each has an effect. What a group changes is seen together.
    private static let keys = [
        ["tab"], ["down"], ["right", "right", "right"], ["left", "enter"], ["down", "enter"], ["space", "up"],
        ["space", "end", "left"], ["home", "right"], ["pagedown"], ["pageup", "x"], ["y", "space", "z"],
        ["enter", "w"], ["backspace", "left", "delete"], ["ctrl-a", "ctrl-k"], ["ctrl-z", "ctrl-e"],
        ["ctrl-w", "ctrl-u"], ["+", "+"], ["-", "0"], ["ctrl-d", "ctrl-u"], ["G"], ["g g"], ["J"],
    ]

    /// Joins groups of steps.
    private func joined<Step>(_ groups: [[Step]], by count: Int) -> [[Step]] {
        stride(from: 0, to: groups.count, by: count).map {
            groups[$0..<min(groups.count, $0 + count)].flatMap { $0 }
        }
    }

    private func click(_ points: [(x: Int, y: Int)], on screen: TestScreen, withWheel: Bool = false) -> String {
        points.map { x, y in
            screen.click(x, y)
            guard withWheel else { return "click \(x), \(y)" }
            screen.mouse(.wheel(y % 2 == 0 ? 1 : -1), x, y)
            return "click and wheel \(x), \(y)"
        }.joined(separator: ", ")
    }

    /// Each page as the whole window, and as a sheet, where Tab cycles.
    @Test(arguments: 0..<12, [false, true]) func showsControls(page: Int, isSheet: Bool) {
        let controller = Pages.controls[page].make()
        controller.title = Pages.controls[page].title
        let root = isSheet ? ViewController() : controller
        let screen = TestScreen(root: root, size: isSheet ? Size(width: 34, height: 7) : Size(width: 38, height: 9))
        if isSheet {
            controller.preferredContentSize = Size(width: 26, height: 4)
            root.present(controller)
        }
        let story = ScreenStory(of: screen)
        // Lists and pictures change all rows.
        let isFull = 7...10 ~= page
        for keys in joined(GalleryTests.keys, by: isFull || isSheet ? 5 : [0, 6].contains(page) ? 3 : 1) {
            story.press(together: keys)
        }
        if isSheet {
            story.note(click([(12, 2), (20, 3), (8, 4), (14, 5), (9, 2), (29, 3)], on: screen, withWheel: true))
            screen.resize(20, 6)
            story.note("20 x 6")
        } else {
            let points = [(3, 1), (12, 1), (4, 3), (20, 3), (8, 5), (37, 2), (37, 7), (8, 4), (14, 7), (9, 2)]
            for points in joined(points.map { [$0] }, by: isFull ? 5 : 2) {
                story.note(click(points, on: screen, withWheel: true))
            }
            screen.drag(from: Point(x: 4, y: 1), to: Point(x: 30, y: 4))
            screen.drag(from: Point(x: 37, y: 2), to: Point(x: 37, y: 7))
            story.note("drags, inside and at the edge")
            story.press(together: ["alt-2", "alt-2", "alt-3"])
            for (width, height) in [(20, 6), (9, 3), (38, 9)] {
                screen.resize(width, height)
                story.note("\(width) x \(height)")
            }
        }
        #expect(story.difference(from: "gallery-control-\(page)\(isSheet ? "-sheet" : "")") == nil)
    }

    /// The list of pages beside its detail, by all keys.
    @Test func showsTheGallery() {
        let screen = screen(60, 8)
        let story = ScreenStory(of: screen)
        for keys in joined(GalleryTests.keys + [["esc"]], by: 8) { story.press(together: keys) }
        story.note(click([(34, 3), (50, 4), (59, 7), (10, 5), (29, 7), (3, 0), (17, 0)], on: screen))
        screen.drag(from: Point(x: 29, y: 6), to: Point(x: 40, y: 6))
        story.note("drag the edge")
        for (width, height) in [(24, 7), (60, 8)] {
            screen.resize(width, height)
            screen.press("j", "l", "h")
            story.note("\(width) x \(height), j, l, h")
        }
        #expect(story.difference(from: "gallery") == nil)
    }

    @Test(arguments: 0..<4) func showsContainers(page: Int) {
        let screen = screen(60, 10)
        screen.press("tab")
        for _ in 0..<page { screen.press("j") }
        let story = ScreenStory(of: screen)
        story.press(together: ["l", "enter"])
        story.press(together: ["tab", "x", "y", "backspace", "enter", "enter", "enter"])
        story.press(together: ["?", "j", "ctrl-d", "esc", ":", "h", "e", "l", "enter", "esc", "esc"])
        story.press(together: ["h", "h", "h", "ctrl-b", "ctrl-b", "shift-tab", "2", "1"])
        story.note(click([(34, 3), (40, 6), (5, 1), (20, 4), (58, 0), (10, 0), (25, 0)], on: screen))
        for (width, height) in [(40, 8), (24, 7), (10, 3), (60, 10)] {
            screen.resize(width, height)
            if width != 40 { story.note("\(width) x \(height)") }
        }
        #expect(story.difference(from: "gallery-container-\(page)") == nil)
    }

    @Test func showsHelpAndPalette() {
        let screen = screen(48, 10)
        screen.press("tab", "l", "enter", "esc")
        let story = ScreenStory(of: screen)
        story.press("?")
        story.press(together: ["j", "ctrl-d"])
        story.press("esc", ":")
        story.press(together: ["h", "e", "l"])
        story.press("enter")
        #expect(story.difference(from: "gallery-help") == nil)
    }
}
