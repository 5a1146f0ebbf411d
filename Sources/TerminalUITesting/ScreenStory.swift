import Foundation
import TerminalUI

/// A record of a screen after each step of a walk: first the whole screen, then the changed lines.
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

    /// Starts with the current screen.
    public init(of screen: TestScreen) {
        self.screen = screen
        note("at first")
    }

    /// Presses keys one by one and records their changes.
    public func press(_ names: String...) {
        for name in names {
            screen.press(name)
            note(name)
        }
    }

    /// Records the changes: a line's number with its text after `|` and its styles after `:`, and after the label the
    /// position of the text cursor if there is one.
    ///
    /// - Parameter settled: Whether to show animations in their final state.
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

    /// Compares the story with a stored one. With `RECORD_SCREENS` in the environment it is stored instead.
    ///
    /// - Returns: The first difference with its step, or `nil`.
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
