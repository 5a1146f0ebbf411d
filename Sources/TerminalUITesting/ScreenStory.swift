import Foundation
import TerminalUI

/// What a screen shows after each step of a walk: the first time whole, then the lines that have changed.
///
/// ```swift
/// let story = ScreenStory(of: screen)
/// story.press("j", "enter")
/// #expect(story.difference(from: "list-walk") == nil)
/// ```
@MainActor
public final class ScreenStory {
    private let screen: TestScreen
    private var before: [(text: String, look: String)] = []
    private var lines: [String] = []

    /// Begins with what is shown.
    public init(of screen: TestScreen) {
        self.screen = screen
        note("at first")
    }

    /// Presses keys one by one, and notes what each has changed.
    public func press(_ names: String...) {
        for name in names {
            screen.press(name)
            note(name)
        }
    }

    /// Notes what has changed: the words of a line after its number and `|`, its looks after `:`;
    /// after the step's name the place of the text cursor, where there is one.
    ///
    /// - Parameter settled: Whether movements are shown at their end.
    public func note(_ label: String, settled: Bool = true) {
        if settled { screen.application.window.finishAnimations() }
        screen.application.render()
        let now = screen.rows
        let cursor = screen.terminal.cursor.map { " @\($0.x),\($0.y)" } ?? ""
        lines.append("> \(label)\(cursor)")
        for (index, row) in now.enumerated() {
            let old = before.indices.contains(index) ? before[index] : (text: "", look: "")
            if row.text != old.text { lines.append("\(index)|\(row.text)") }
            if row.look != old.look { lines.append("\(index):\(row.look)") }
        }
        before = now
    }

    /// Compares the story with a stored one; with `RECORD_SCREENS` in the environment it is stored instead.
    ///
    /// - Returns: The first line that differs, with the step that led to it; `nil` when none does.
    public func difference(from name: String) -> String? {
        screen.stored(name, lines.joined(separator: "\n") + "\n").map { expected in
            let other = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let place = zip(lines, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            let index = place ?? min(lines.count, other.count)
            let step = lines.prefix(index + 1).last { $0.hasPrefix("> ") } ?? ""
            func line(_ list: [String]) -> String { index < list.count ? list[index] : "the end" }
            return "\(step)\nexpected \(line(other))\nbut it is \(line(lines))"
        }
    }
}
