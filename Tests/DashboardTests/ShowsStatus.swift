import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// What bar and message line show, for how long, and in which order.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ShowsStatus {
    /// Time that passes when a test says so.
    private final class Time: Sendable {
        private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
        var count: Int { waiting.withLock { $0.count } }

        func wait(_ duration: Duration) async {
            await withCheckedContinuation { resumed in waiting.withLock { $0.append(resumed) } }
        }

        /// Ends the wait of a message, counted from 0.
        func pass(_ index: Int) { waiting.withLock { $0[index] }.resume() }
    }

    private let time = Time()
    private let status: StatusController

    init() {
        let time = time
        status = StatusController(messageTime: .seconds(6), wait: { await time.wait($0) })
    }

    private var said: String? { status.view.message?.text.string }
    private var line: String? { status.line.message?.text.string }

    /// Waits until this many messages wait for their end.
    private func waiting(_ count: Int) async -> Bool {
        for _ in 0..<6000 where time.count < count { try? await Task.sleep(for: .milliseconds(1)) }
        return time.count == count
    }

    /// Runs resumed tasks.
    private func settle() async { for _ in 0..<50 { await Task.yield() } }

    @Test func showsEachMessageForItsTime() async {
        status.show("one")
        #expect(said == "one" && line == "one" && status.view.message?.role == .secondary)
        #expect(await waiting(1))
        status.show(failure: "two")
        #expect(said == "two" && line == "two" && status.view.message?.role == .failure)
        #expect(await waiting(2))
        time.pass(0)
        await settle()
        #expect(said == "two" && line == "two", "the end of the first message ended the second")
        time.pass(1)
        await settle()
        #expect(said == nil && line == nil)
    }

    /// A timer's work fails again and again. The reason is a message when it begins, and when it changes.
    @Test func showsOnceWhyRepeatedWorkFails() async {
        var reason: String? = "disk full"
        func work() throws -> Int {
            if let reason { throw Reason(description: reason) }
            return 1
        }
        func repeated() -> Int? { status.attempt { try work() } }
        func other() async -> Int? { await status.attempt { try work() } }
        #expect(repeated() == nil && said == "disk full" && status.view.message?.role == .failure)
        #expect(repeated() == nil && repeated() == nil && status.messageCount == 1)
        #expect(await other() == nil && status.messageCount == 2)
        #expect(await other() == nil && status.messageCount == 2)
        reason = "disk broken"
        #expect(repeated() == nil && said == "disk broken" && status.messageCount == 3)
        reason = nil
        #expect(repeated() == 1 && status.messageCount == 3)
        reason = "disk broken"
        #expect(repeated() == nil && status.messageCount == 4)
    }

    private struct Reason: Error, CustomStringConvertible { var description: String }

    @Test func showsActivityAgainAfterAMessage() async {
        status.persistent[.library] = "read-only"
        #expect(said == "read-only" && line == "read-only")
        #expect(await waiting(1))
        status.show("Copied.")
        #expect(await waiting(2))
        time.pass(1)
        await settle()
        #expect(said == "read-only" && line == nil && status.view.message?.role == .failure)
        time.pass(0)
        await settle()
        #expect(said == "read-only")
    }

    /// The first message of two subjects, in every order of arrival and departure.
    @Test func showsTheMostUrgentFirst() {
        let subjects: [StatusController.Subject] = [.changes, .library, .configuration]
        for first in subjects {
            for second in subjects where second != first {
                let status = StatusController(messageTime: .seconds(600))
                func said() -> String? { status.view.message?.text.string }
                status.persistent[first] = DisplayText("\(first)")
                status.persistent[second] = DisplayText("\(second)")
                let urgent = subjects.first { $0 == first || $0 == second }
                #expect(said() == urgent.map { "\($0)" })
                status.persistent[first] = nil
                #expect(said() == "\(second)")
                status.persistent[second] = nil
                #expect(said() == nil)
            }
        }
    }

    /// A changed sentence is shown again, an unchanged one isn't.
    @Test func onlyNewMessagesReplaceAMessage() {
        status.persistent[.changes] = "1 change pending"
        status.show("Copied.")
        status.persistent[.changes] = "1 change pending"
        #expect(said == "Copied.")
        status.persistent[.configuration] = "a mistake"
        #expect(said == "Copied.", "what is less urgent does not interrupt")
        status.persistent[.changes] = "2 changes pending"
        #expect(said == "2 changes pending")
    }

    @Test func aKeyDismissesAMessage() {
        // The key's own message stays; the next key dismisses the line, not the bar.
        status.show("Starred")
        status.keyWasUsed()
        #expect(line == "Starred" && said == "Starred")
        status.keyWasUsed()
        #expect(line == nil && said == "Starred")
        // A later message has its own key again.
        status.show("Undone")
        status.keyWasUsed()
        #expect(line == "Undone")
        // The hint about an unused key disappears with the first key that is used.
        status.show(unusedKey: "Z is not used here")
        #expect(said == "Z is not used here")
        status.keyWasUsed()
        #expect(said == nil && line == nil)
        status.show(unusedKey: "Z is not used here")
        status.show("Starred")
        status.keyWasUsed()
        #expect(said == "Starred")
    }

    /// The key that leads to a message counts, the next one removes it.
    @Test func keepsAMessageUntilTheSecondKey() {
        status.show("Starred")
        status.keyWasUsed()
        #expect(line == "Starred")
        status.keyWasUsed()
        #expect(line == nil)
    }

    @Test func logsFailuresWithoutPrivateData() {
        var logged: [String] = []
        let status = StatusController(messageTime: .seconds(600), log: { logged.append($0) })
        status.show("no failure")
        status.show(failure: "No such file: /home/x", logged: "no such file")
        status.show(failure: "gone")
        #expect(logged == ["no such file", "gone"] && status.view.message?.text.string == "gone")
        status.persistent[.library] = "read-only"
        status.persistent[.library] = "read-only"
        #expect(logged == ["no such file", "gone", "read-only"])
    }

    @Test func wrapsALongLine() {
        let line = MessageLine()
        #expect(line.sizeThatFits(Size(width: 20, height: 9)) == .zero)
        line.message = StyledSpan("one two three four five six", .secondary)
        #expect(line.sizeThatFits(Size(width: 40, height: 9)) == Size(width: 40, height: 1))
        #expect(line.sizeThatFits(Size(width: 16, height: 9)) == Size(width: 16, height: 2))
        #expect(line.sizeThatFits(Size(width: 16, height: 1)) == Size(width: 16, height: 1))
    }
}
