import Testing

@testable import TerminalScreen

/// A terminal's colours are applied once all answers have arrived, whatever else is queried meanwhile.
@Suite struct ColorQuestionTests {
    @Test func appliesAnswersAtTheEnd() {
        var question = ColorQuestion()
        #expect(!question.isAwaiting && question.take(.attributes([62])) == nil)
        question.ask()
        #expect(question.isAwaiting)
        #expect(question.take(.color(.ansi(1), RGB(1, 2, 3))) == nil)
        #expect(question.take(.color(.foreground, .white)) == nil)
        #expect(question.take(.color(.background, .black)) == nil)
        #expect(question.take(.version("x")) == nil && question.isAwaiting)
        let colors = question.take(.attributes([62]))
        #expect(colors == TerminalColors(foreground: .white, background: .black, ansi: [1: RGB(1, 2, 3)]))
        #expect(!question.isAwaiting && question.take(.attributes([62])) == nil)
        // A new query starts without the previous answers.
        question.ask()
        _ = question.take(.color(.foreground, .black))
        _ = question.take(.color(.background, .white))
        #expect(question.take(.attributes([62])) == TerminalColors(foreground: .black, background: .white))
        // A terminal without answers isn't waited for.
        question.ask()
        #expect(question.take(.attributes([62])) == nil && !question.isAwaiting)
    }

    /// Through tmux the terminal's answers arrive after tmux's own end mark.
    @Test func appliesAnswersAfterTheEnd() {
        var question = ColorQuestion()
        question.ask()
        #expect(question.take(.attributes([62])) == nil)
        #expect(question.take(.color(.ansi(1), RGB(1, 2, 3))) == nil)
        #expect(question.take(.color(.foreground, .white)) == nil)
        let first = TerminalColors(foreground: .white, background: .black, ansi: [1: RGB(1, 2, 3)])
        #expect(question.take(.color(.background, .black)) == first)
        // tmux answers again for text and background, but not for the sixteen, which are still valid.
        question.ask()
        _ = (question.take(.color(.foreground, .white)), question.take(.color(.background, .black)))
        #expect(question.take(.attributes([62])) == first)
        let second = TerminalColors(foreground: .white, background: .black, ansi: [1: .white])
        #expect(question.take(.color(.ansi(1), .white)) == second)
        // Another terminal has others.
        question.ask()
        _ = (question.take(.color(.foreground, .black)), question.take(.color(.background, .white)))
        #expect(question.take(.attributes([62])) == TerminalColors(foreground: .black, background: .white))
        let wrapped = String(decoding: ColorQuestion.passedThrough, as: UTF8.self)
        #expect(wrapped.hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}]4;0;?") && wrapped.hasSuffix("]11;?\u{07}\u{1B}\\"))
        #expect(!wrapped.contains("[c"))
    }

    /// Each answer ends the oldest query only, however late it arrives.
    @Test func countsPendingAnswers() {
        var pending = PendingQueries()
        #expect(pending.endOldest() == nil)
        let start = ContinuousClock.now
        pending.add(.colors, at: start)
        pending.add(.graphics, at: start + .seconds(5))
        pending.add(.colors, at: start + .seconds(30))
        #expect(pending.endOldest() == .colors && pending.endOldest() == .graphics)
        #expect(pending.endOldest() == .colors && pending.endOldest() == nil)
        // An answer that never arrived doesn't stand for a later one.
        pending.add(.graphics, at: start)
        pending.add(.colors, at: start + .seconds(31))
        #expect(pending.endOldest() == .colors && pending.endOldest() == nil)
        pending.add(.graphics)
        pending.removeAll()
        #expect(pending.endOldest() == nil)
    }

    /// After a lost connection, and without a client of dtach, nobody answers.
    @Test func noticesThatTheTerminalIsGone() {
        var pending = PendingQueries()
        let start = ContinuousClock.now
        // Nobody knows whether this terminal answers at all.
        #expect(pending.askForPresence(at: start) == (false, true))
        pending.add(.colors, at: start)
        _ = pending.endOldest()
        #expect(pending.askForPresence(at: start) == (true, true))
        // Two questions at once say nothing yet.
        #expect(pending.askForPresence(at: start + .seconds(1)) == (true, true))
        #expect(pending.askForPresence(at: start + .seconds(15)) == (true, false))
        #expect(pending.askForPresence(at: start + .seconds(30)) == (true, false))
        pending.terminalDidSend()
        #expect(pending.askForPresence(at: start + .seconds(45)) == (true, true))
        #expect(pending.endOldest() == .presence)
    }

    @Test(arguments: [
        ("xterm-256color", false, false, true), ("linux", false, false, false), ("vt100", false, false, false),
        ("screen", true, false, true), ("screen", false, true, false), ("xterm-kitty", false, false, true),
        ("foot", false, false, true), ("linux", true, false, true), ("rxvt-unicode", false, true, false),
    ])
    func queriesOnlyCapableTerminals(term: String, tmux: Bool, screen: Bool, isAsked: Bool) {
        #expect(ColorQuestion.isSuitable(term: term, isInTmux: tmux, isInScreen: screen) == isAsked)
    }

    /// Contrast by WCAG 2.2, with its own examples.
    @Test func computesContrastByWCAG() {
        #expect(abs(RGB.black.contrast(with: .white) - 21) < 0.001)
        #expect(abs(RGB(0x77, 0x77, 0x77).contrast(with: .white) - 4.48) < 0.01)
        #expect(RGB.white.mixed(with: .black, 0) == .white && RGB.white.mixed(with: .black, 1) == .black)
        #expect(RGB(0, 100, 200).mixed(with: RGB(100, 0, 100), 0.5) == RGB(50, 50, 150))
    }
}
