import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Persistent statuses in the bar, beside temporary messages.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ReportsActivity {
    private let status = StatusController(messageTime: .seconds(600))
    private var said: String? { status.view.message?.text.string }

    @Test func showsTheMostUrgentActivity() {
        status.persistent[.configuration] = "a mistake"
        #expect(said == "a mistake")
        status.persistent[.library] = "cannot be written to"
        #expect(said == "cannot be written to")
        status.persistent[.changes] = "1 change pending"
        #expect(said == "1 change pending")
        status.persistent[.changes] = nil
        #expect(said == "cannot be written to")
        #expect(status.line.message == nil, "what was said before is no news")
        status.persistent[.configuration] = nil
        #expect(said == "cannot be written to")
        status.persistent[.library] = nil
        #expect(said == nil)
    }

    @Test func queuesLessUrgentActivity() {
        status.persistent[.changes] = "1 change pending"
        status.persistent[.configuration] = "a mistake"
        #expect(said == "1 change pending")
        status.persistent[.changes] = nil
        #expect(said == "a mistake")
    }

    @Test func keepsAMessageWhenOtherActivityEnds() {
        status.persistent[.changes] = "1 change pending"
        status.show("Copied.")
        status.persistent[.changes] = nil
        #expect(said == "Copied.")
    }

    @Test func logsEachMessageOnce() {
        var logged: [String] = []
        let status = StatusController(messageTime: .seconds(600), log: { logged.append($0) })
        status.persistent[.changes] = "1 change pending"
        status.persistent[.configuration] = "a mistake"
        status.persistent[.changes] = "2 changes pending"
        status.persistent[.changes] = nil
        #expect(logged == ["1 change pending", "a mistake", "2 changes pending"])
    }
}
