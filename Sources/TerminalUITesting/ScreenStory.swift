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
    /// The screen and the text cursor after each step.
    private var frames: [(rows: [ScreenRow], cursor: Point?)] = []
    private var lines: [String] = []

    /// Starts with the current screen.
    public init(of screen: TestScreen) {
        self.screen = screen
        note("at first")
    }

    /// Presses keys one by one and records their changes.
    public func press(_ names: String...) {
        for name in names { press(together: [name]) }
    }

    /// Presses keys and records what they change together.
    public func press(together names: [String]) {
        for name in names { screen.press(name) }
        note(names.joined(separator: ", "))
    }

    /// Records the changes since the last step.
    ///
    /// The step's line has its number, the label and the position of the text cursor if there is one. Each changed line
    /// follows with its number, text and look. Of a screen that an earlier step has shown, only that step's number is
    /// recorded.
    ///
    /// - Parameter settled: Whether to show animations in their final state.
    public func note(_ label: String, settled: Bool = true) {
        if settled { screen.application.window.finishAnimations() }
        screen.application.render()
        let (now, cursor) = (screen.rows, screen.terminal.cursor)
        let same = frames.firstIndex { $0.rows == now && $0.cursor == cursor }
        let before = frames.last?.rows ?? []
        frames.append((now, cursor))
        if let same { return lines.append("> \(frames.count) \(label) = \(same + 1)") }
        lines.append("> \(frames.count) \(label)" + (cursor.map { " @\($0.x),\($0.y)" } ?? ""))
        for (index, row) in now.enumerated() where row != (index < before.count ? before[index] : ScreenRow()) {
            lines.append("\(index)|\(row)")
        }
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
