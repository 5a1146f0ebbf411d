import Foundation
import TerminalUI

/// A program on a terminal in memory, controlled by keys and compared as text.
///
/// ```swift
/// let screen = TestScreen(root: controller, size: Size(width: 80, height: 23))
/// screen.press("j", "enter")
/// #expect(screen.difference(from: "entry-80x23") == nil)
/// ```
@MainActor
public final class TestScreen {
    /// The terminal in memory.
    public let terminal: MemoryTerminal
    /// The program.
    public let application: Application
    private let folder: URL

    /// Shows a root controller.
    ///
    /// - Parameter file: The test's file. Its screens are in the folder `Screens` beside it.
    public init(
        root: ViewController, size: Size, capabilities: TerminalCapabilities = TerminalCapabilities(),
        file: String = #filePath
    ) {
        terminal = MemoryTerminal(size: size, capabilities: capabilities)
        application = Application(terminal: terminal, root: root)
        folder = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Screens")
        application.render()
    }

    /// The screen as text.
    public var text: String { terminal.text }

    /// The lines of the screen.
    public var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// Presses keys by their names, each after the effect of the one before is drawn.
    public func press(_ names: String...) { press(names) }

    /// Presses keys by their names, each after the effect of the one before is drawn.
    public func press(_ names: [String]) {
        for name in names {
            for press in TestScreen.presses(of: name) { application.send(.key(press)) }
        }
    }

    /// Presses keys, and returns whether the screen then contains a text.
    public func press(_ names: String..., shows text: String) -> Bool {
        press(names)
        return self.text.contains(text)
    }

    /// Presses keys, and waits until the screen contains a text.
    public func press(_ names: String..., until text: String) async -> Bool {
        press(names)
        return await wait(for: text)
    }

    /// Presses keys, and waits until a condition is met.
    public func press(_ names: String..., until isDone: @MainActor () -> Bool) async -> Bool {
        press(names)
        return await wait(until: isDone)
    }

    /// Presses keys that arrive in one read, faster than anything is drawn.
    public func press(together names: String...) {
        application.send(names.flatMap(TestScreen.presses).map { .key($0) })
    }

    private static func presses(of name: String) -> [KeyPress] {
        guard let sequence = KeySequence(name) else { preconditionFailure("'\(name)' is not a key") }
        return sequence.presses
    }

    /// Types text into the focused view, then presses keys.
    public func type(_ text: String, then names: String...) {
        for character in text { application.send(.key(KeyPress(.character(character)))) }
        press(names)
    }

    /// Clicks a cell.
    public func click(_ x: Int, _ y: Int) {
        application.send(.mouse(MouseEvent(.press(.left), at: Point(x: x, y: y))))
        application.send(.mouse(MouseEvent(.release, at: Point(x: x, y: y))))
    }

    /// Presses the button at a cell and releases it at another.
    public func drag(from start: Point, to end: Point) {
        application.send(.mouse(MouseEvent(.press(.left), at: start)))
        application.send(.mouse(MouseEvent(.drag(.left), at: end)))
        application.send(.mouse(MouseEvent(.release, at: end)))
    }

    /// Clicks the first cell of a text.
    public func click(on text: String) {
        for (row, line) in lines.enumerated() {
            guard let range = line.range(of: text) else { continue }
            return click(line.distance(from: line.startIndex, to: range.lowerBound), row)
        }
        preconditionFailure("'\(text)' is not on the screen:\n\(self.text)")
    }

    /// Resizes the terminal.
    public func resize(_ width: Int, _ height: Int) {
        terminal.size = Size(width: width, height: height)
        application.send(.resize(terminal.size))
    }

    /// Waits for a condition, at most half a minute or `TEST_PATIENCE` seconds.
    ///
    /// It counts checks instead of time, so that a busy machine doesn't make it fail.
    ///
    /// - Returns: Whether the condition was met.
    public func wait(until isDone: @MainActor () -> Bool) async -> Bool {
        for _ in 0..<TestScreen.patience * 200 {
            // Without events it handles input that waits for a screen, and draws.
            application.send([])
            if isDone() { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    private static let patience = ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap { Int($0) } ?? 30

    /// Waits until the screen contains a text.
    public func wait(for text: String) async -> Bool { await wait { self.text.contains(text) } }

    /// Compares the screen and its styles with a stored one.
    ///
    /// With `RECORD_SCREENS` in the environment the screen is stored instead.
    ///
    /// - Returns: The difference, or `nil`.
    public func difference(from name: String) -> String? {
        let picture = rows.map { $0.description + "\n" }.joined()
        return stored(name, picture).map {
            "expected:\n\($0)\nbut it is:\n\(picture)\nRECORD_SCREENS=1 in the environment stores it as expected."
        }
    }

    /// Compares a picture with a stored one, or stores it.
    ///
    /// - Returns: The stored picture if it differs, otherwise `nil`.
    func stored(_ name: String, _ picture: String) -> String? {
        let file = folder.appendingPathComponent(name + ".txt")
        if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? Data(picture.utf8).write(to: file)
            return nil
        }
        guard let data = try? Data(contentsOf: file) else { return "no screen \(name)" }
        let expected = String(decoding: data, as: UTF8.self)
        return expected == picture ? nil : expected
    }

    var rows: [ScreenRow] {
        lines.enumerated().map { y, line in
            var row = (0..<terminal.cells.size.width).map { letter(terminal.cells[$0, y].style) }
            while row.last == "." { row.removeLast() }
            return ScreenRow(text: line, look: String(row))
        }
    }

    private func letter(_ style: Style) -> Character {
        let attributes: [(TextAttributes, Character)] = [
            (.reverse, "r"), (.underline, "u"), (.italic, "i"), (.dim, "d"), (.bold, "b"),
        ]
        let found = attributes.filter { style.attributes.contains($0.0) }.map(\.1)
        if found.count > 1 { return "B" }
        if let first = found.first { return first }
        if style.background != .standard { return "g" }
        return style.foreground != .standard ? "f" : "."
    }
}
