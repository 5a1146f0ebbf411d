import CommonTesting
import Foundation
import TerminalUI
import TerminalUIExtras
import Testing

@testable import TerminalUITesting

/// Test helpers report a different screen, a different style and a missing file.
@MainActor @Suite struct ComparesScreens {
    private let folder = TemporaryFolder()

    private func write(_ name: String, _ text: String) throws {
        let screens = folder.url.appendingPathComponent("Screens")
        try FileManager.default.createDirectory(at: screens, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: screens.appendingPathComponent(name + ".txt"))
    }

    private func screen(_ view: View, _ width: Int = 8, _ height: Int = 2) -> TestScreen {
        TestScreen(
            root: HostController(view), size: Size(width: width, height: height),
            file: folder.url.appendingPathComponent("Tests.swift").path)
    }

    @Test func reportsEachDifferenceOfAScreen() throws {
        let label = Label("words", .strong)
        let screen = screen(label)
        #expect(screen.difference(from: "missing")?.contains("no screen missing") == true)
        try write("same", "words\t5b\n\n")
        #expect(screen.difference(from: "same") == nil)
        for (name, text) in [
            ("text", "other\t5b\n\n"), ("look", "words\t4b\n\n"), ("plain", "words\n\n"),
        ] {
            try write(name, text)
            let found = screen.difference(from: name)
            #expect(found?.contains("expected:\n\(text)") == true && found?.contains("words") == true, "\(name)")
        }
    }

    @Test func reportsTheFirstStepThatDiffers() throws {
        let field = TextField()
        let screen = screen(field, 4, 1)
        let story = ScreenStory(of: screen)
        story.press("a", "b")
        story.press(together: ["c", "backspace", "backspace"])
        story.press("b")
        let whole = """
            > 1 at first @0,0
            0|\t4u
            > 2 a @1,0
            0|a\t4u
            > 3 b @2,0
            0|ab\t4u
            > 4 c, backspace, backspace = 2
            > 5 b = 3

            """
        try write("story", whole)
        #expect(story.difference(from: "story") == nil)
        try write("other", whole.replacingOccurrences(of: "0|ab", with: "0|ac"))
        let found = try #require(story.difference(from: "other"))
        #expect(found == "> 3 b @2,0\nexpected 0|ac\t4u\nbut it is 0|ab\t4u")
        try write("back", whole.replacingOccurrences(of: "= 2", with: "= 1"))
        #expect(story.difference(from: "back")?.contains("but it is > 4 c, backspace, backspace = 2") == true)
        try write("short", "> 1 at first @0,0\n0|\t4u\n")
        #expect(story.difference(from: "short")?.contains("but it is > 2 a @1,0") == true)
        #expect(story.difference(from: "missing")?.contains("no screen missing") == true)
    }

    @Test func showsStylesAsLetters() {
        final class Looks: View {
            override func draw(in surface: Surface) {
                let styles: [Style] = [
                    .standard, Style(attributes: .bold), Style(attributes: .dim), Style(attributes: .italic),
                    Style(attributes: .underline), Style(attributes: .reverse), Style(foreground: .red),
                    Style(foreground: .red, background: .blue), Style(attributes: [.bold, .dim]),
                    Style(foreground: .red, attributes: .dim), .standard,
                ]
                for (x, style) in styles.enumerated() { surface.draw("x", at: Point(x: x, y: 0), style: style) }
            }
        }
        let screen = screen(Looks(), 12, 1)
        #expect(screen.rows.map(\.look) == [".bdiurfgBd"] && screen.rows.map(\.text) == ["xxxxxxxxxxx"])
        #expect(screen.rows[0].description == "xxxxxxxxxxx\t.bdiurfgBd")
    }

    @Test func pressesTypesAndClicks() async {
        let field = TextField()
        let screen = screen(field, 12, 2)
        screen.type("one two", then: "ctrl-a", "delete", "end")
        #expect(field.text == "ne two" && screen.text == "ne two\n" && screen.lines == ["ne two", ""])
        screen.click(on: "two")
        screen.type("x")
        #expect(field.text == "ne xtwo")
        screen.drag(from: Point(x: 0, y: 0), to: Point(x: 3, y: 0))
        #expect(screen.terminal.copied == "ne ")
        screen.resize(5, 1)
        #expect(screen.terminal.size == Size(width: 5, height: 1) && screen.application.window.size.width == 5)
        #expect(await screen.wait { true })
        #expect(await screen.wait(for: "ne"))
    }

    @Test func noticesAScreenThatASizeHasChanged() {
        final class Remembering: View {
            var minimum = 99
            override func layoutSubviews() { minimum = min(minimum, bounds.width) }
            override func draw(in surface: Surface) {
                surface.draw(DisplayText("least \(minimum)"), at: .zero, style: .standard)
            }
        }
        var generator = SeededGenerator(seed: 1)
        let fault = screen(Remembering(), 20, 3).fault(atEverySizeAnd: 3, using: &generator)
        #expect(fault?.contains("least 20") == true && fault?.contains("least 0") == true)
        #expect(screen(Label("same"), 20, 3).fault(atEverySizeAnd: 3, using: &generator) == nil)
    }

    /// Recorded screens are few and small enough to be reviewed.
    @Test func recordedScreensCanBeReviewed() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var total = 0
        for case let file as URL in FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "txt" && file.deletingLastPathComponent().lastPathComponent == "Screens" {
            let data = try Data(contentsOf: file)
            total += data.count
            let count = data.count { $0 == UInt8(ascii: "\n") }
            #expect(count < 60, "\(file.lastPathComponent) has \(count) lines")
        }
        #expect(total > 50_000 && total < 150_000, "\(total) bytes")
    }

    @Test func findsTheClassesOfAllViews() {
        let root = View()
        let hidden = ProgressView()
        hidden.isHidden = true
        root.addSubview(hidden)
        let host = HostController(root)
        let screen = TestScreen(root: host, size: Size(width: 40, height: 12))
        #expect(screen.classesOfViews == ["View", "ProgressView"])
        screen.present(HostController(Slider(0...1, value: 0, step: 1)), over: host)
        #expect(screen.classesOfViews.isSuperset(of: ["View", "ProgressView", "Slider", "PresentationView"]))
    }
}
