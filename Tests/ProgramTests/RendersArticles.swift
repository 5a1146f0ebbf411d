import CommonTesting
import Foundation
import Testing

/// A real terminal shows exactly what was drawn: every character, colour and attribute, after random frames.
@Suite struct RendersArticles {
    /// The contents of a column: its text, and its style where visible.
    private struct Column: Equatable {
        var text: String
        var foreground = "-"
        var background = "-"
        var attributes = 0

        /// The column with invisible properties removed: on a space, neither foreground colour nor weight is visible.
        var seen: Column {
            guard text == " " else { return self }
            var column = self
            column.attributes &= 8 | 16
            if attributes & (8 | 16) == 0 { column.foreground = "-" }
            return column
        }
    }

    /// Reads a line of tmux's `capture-pane -e`: text and SGR sequences (ECMA-48, 8.3.117), which continue on the next
    /// line.
    private static func columns(captured line: some StringProtocol, _ look: inout Column) -> [Column] {
        var columns: [Column] = []
        var rest = Substring(line)
        while let first = rest.first {
            if rest.hasPrefix("\u{1B}[") {
                let codes = rest.dropFirst(2).prefix { $0 != "m" }
                rest = rest.dropFirst(3 + codes.count)
                take(codes.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }, &look)
                continue
            }
            rest = rest.dropFirst()
            // tmux switches to the line-drawing set in panes that support it.
            if first == "\u{0E}" || first == "\u{0F}" { continue }
            look.text = String(first)
            columns.append(look)
        }
        return columns
    }

    private static func take(_ codes: [Int], _ look: inout Column) {
        var rest = codes[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: look = Column(text: "")
            case 1: look.attributes |= 1
            case 2: look.attributes |= 2
            case 3: look.attributes |= 4
            case 4: look.attributes |= 8
            case 7: look.attributes |= 16
            case 30...37: look.foreground = "\(code - 30)"
            case 90...97: look.foreground = "\(code - 82)"
            case 40...47: look.background = "\(code - 40)"
            case 100...107: look.background = "\(code - 92)"
            case 39: look.foreground = "-"
            case 49: look.background = "-"
            case 38, 48:
                guard rest.popFirst() == 5, let color = rest.popFirst() else { return }
                if code == 38 { look.foreground = "\(color)" } else { look.background = "\(color)" }
            default: break
            }
        }
    }

    /// Reads a line of the walker's file: each glyph once, wide ones with the style of their first column.
    private static func columns(expected line: String) -> [Column] {
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
        let looks = parts.last?.split(separator: " ").map { $0.split(separator: "/").map(String.init) } ?? []
        var columns: [Column] = []
        var place = 0
        for character in parts.first ?? "" {
            let look = looks[min(place, looks.count - 1)]
            columns.append(
                Column(
                    text: String(character), foreground: look[0], background: look[1], attributes: Int(look[2]) ?? 0))
            place +=
                "東京👍".unicodeScalars.contains(character.unicodeScalars[character.unicodeScalars.startIndex]) ? 2 : 1
        }
        return columns
    }

    private func trimmed(_ columns: [Column]) -> [Column] {
        var columns = columns.map(\.seen)
        while columns.last == Column(text: " ") { columns.removeLast() }
        return columns
    }

    /// Starts the walk and waits for the file with the expected screen.
    private func walk(seed: Int, file: String, home: URL, environment: String) async throws -> TmuxSession {
        let tmux = try TmuxSession(
            "\(Program.path(of: "screen-walker").path) \(seed) 60 \(file)", width: 44, height: 9, home: home,
            environment: environment)
        #expect(await tmux.wait { _ in FileManager.default.fileExists(atPath: file) })
        return tmux
    }

    /// The pane's contents line by line.
    private static func columns(in tmux: TmuxSession) -> [[Column]] {
        var look = Column(text: "")
        return tmux.command("capture-pane", "-p", "-e", "-N").split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map { columns(captured: $0, &look) }
    }

    @Test(arguments: 1...6) func screensAgreeAfterRandomFrames(seed: Int) async throws {
        let temporary = TemporaryFolder()
        let file = temporary.path("expected")
        let tmux = try await walk(
            seed: seed, file: file, home: temporary.url, environment: "TERM=tmux-256color NO_COLOR=")
        let expected = try String(contentsOfFile: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .dropLast().map { trimmed(RendersArticles.columns(expected: String($0))) }
        var seen: [[Column]] = []
        _ = await tmux.wait { _ in
            seen = RendersArticles.columns(in: tmux).map(trimmed)
            return seen == expected
        }
        #expect(seen.count == expected.count)
        for (row, (left, right)) in zip(seen, expected).enumerated() where left != right {
            let place =
                zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
                ?? min(left.count, right.count)
            Issue.record(
                "row \(row), \(place): \(left.dropFirst(place).prefix(2)) for \(right.dropFirst(place).prefix(2))")
        }
        tmux.press("q")
    }

    /// Without colours, attributes stay; with eight colours each becomes the nearest one.
    @Test(arguments: [
        ("NO_COLOR=1 TERM=tmux-256color", 0), ("NO_COLOR= TERM=xterm", 8), ("NO_COLOR= TERM=tmux-256color", 256),
    ])
    func usesOnlyAvailableColors(environment: String, count: Int) async throws {
        let temporary = TemporaryFolder()
        let tmux = try await walk(
            seed: 7, file: temporary.path("expected"), home: temporary.url, environment: environment)
        var colors: Set<Int> = []
        var attributes = 0
        #expect(
            await tmux.wait { _ in
                let columns = RendersArticles.columns(in: tmux).flatMap { $0 }
                colors = Set(columns.flatMap { [$0.foreground, $0.background] }.compactMap { Int($0) })
                attributes = columns.reduce(0) { $0 | $1.attributes }
                return attributes != 0
            })
        switch count {
        case 0: #expect(colors.isEmpty)
        case 8: #expect(!colors.isEmpty && colors.allSatisfy { $0 < 8 })
        default: #expect(colors.contains { $0 >= 16 })
        }
        tmux.press("q")
    }
}
