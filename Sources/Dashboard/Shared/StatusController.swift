import TerminalUI

/// The right end of the bar: progress of work, or the last message for a few seconds.
@MainActor
final class StatusController {
    let view = ProgressView()
    private var expiry: Task<Void, Never>?
    /// Hears of failures, which the line shows for a few seconds only.
    var log: (String) -> Void = { _ in }

    var progress: (done: Int, total: Int)? {
        get { view.progress }
        set { view.progress = newValue }
    }

    func show(_ message: DisplayText) { show(StyledSpan(message, .secondary)) }

    func show(failure sentence: String) {
        log(sentence)
        show(StyledSpan(DisplayText(sentence), .failure))
    }

    private func show(_ message: StyledSpan) {
        view.message = message
        expiry?.cancel()
        expiry = Task { [weak self] in
            try? await Task.sleep(for: .seconds(6))
            if !Task.isCancelled { self?.view.message = nil }
        }
    }
}
