import TerminalUI

/// A terminal that sends scripted events and records requests.
@MainActor
final class ScriptedTerminal: Terminal {
    var size = Size(width: 20, height: 4)
    var capabilities = TerminalCapabilities()
    var batches: [[InputEvent]]
    var calls: [String] = []
    var waits: [Int?] = []
    var error: TerminalError?
    var screen = ""
    var whileWaiting: () -> Void = {}
    var whilePresenting: () -> Void = {}

    init(_ batches: [[InputEvent]]) { self.batches = batches }

    func start() throws(TerminalError) {
        calls.append("start")
        if let error { throw error }
    }
    func stop() { calls.append("stop") }
    func suspend() { calls.append("suspend") }
    func handOver<Value>(_ work: () -> Value) -> Value? {
        calls.append("hand over")
        return work()
    }
    func invalidate() { calls.append("invalidate") }
    func detectColors() { calls.append("colors") }
    func present(_ grid: CellGrid, cursor: Point?) {
        calls.append("present")
        screen = grid.text(row: 0)
        whilePresenting()
    }
    func wait(milliseconds: Int?) -> [InputEvent] {
        waits.append(milliseconds)
        whileWaiting()
        return batches.isEmpty ? [.terminate(.hangup)] : batches.removeFirst()
    }
    func ready(milliseconds: Int?) async { waits.append(milliseconds) }
    func copy(_ text: String, _ report: @escaping @MainActor (Clipboard) -> Void) {}
    func notify(title: String, body: String, identifier: String) {}
    func setMouse(enabled: Bool) {}
}
