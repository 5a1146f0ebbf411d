import ModelCore
import TerminalUI

/// The right end of the bar: progress of work, or the last message for a few seconds.
@MainActor
final class StatusController {
    let view = ProgressView()
    /// The last message for a few seconds, for the whole width of the pane, where the bar has too little of it.
    let line = MessageLine()
    private var expiry: Task<Void, Never>?
    private let messageTime: Duration
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - messageTime: How long a message is shown.
    ///   - wait: Waits for that time, or until the task is cancelled.
    init(
        messageTime: Duration,
        wait: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.messageTime = messageTime
        self.wait = wait
    }

    /// Returns the keys that messages mention.
    var keyMap: () -> KeyMap = { KeyMap() }

    /// The key that messages show for a command, or its identifier if no key is bound to it.
    func key(_ definition: CommandDefinition) -> String { keyMap().label(for: definition)?.string ?? definition.name }

    /// Receives failures, which the line shows for a few seconds only.
    var log: (String) -> Void = { _ in }

    var progress: (done: Int, total: Int)? {
        get { view.progress }
        set { view.progress = newValue }
    }

    /// What goes on being so, the most urgent first.
    enum Subject: CaseIterable {
        /// Changes that cannot be stored now.
        case changes
        /// What is wrong with the library.
        case library
        /// What is wrong with the configuration, until it is put right.
        case configuration
    }

    /// What is said as long as it is so, whenever no other message is: the most urgent of it.
    var standing: [Subject: DisplayText] = [:] {
        didSet {
            for subject in Subject.allCases where standing[subject] != oldValue[subject] {
                if let message = standing[subject] { log(message.string) }
            }
            let (first, before) = (mostUrgent(standing), mostUrgent(oldValue))
            guard first?.message != before?.message else { return }
            if let first, first.message != oldValue[first.subject] {
                news(first.message)
            } else if isShowingStanding {
                end()
            }
        }
    }

    private func mostUrgent(_ standing: [Subject: DisplayText]) -> (subject: Subject, message: DisplayText)? {
        Subject.allCases.lazy.compactMap { subject in standing[subject].map { (subject, $0) } }.first
    }

    private var isShowingStanding = false
    private var isOfUnusedKey = false
    private var lineIsOld = false

    private func showStanding() {
        let message = mostUrgent(standing)?.message
        isShowingStanding = message != nil
        view.message = message.map { StyledSpan($0, .failure) }
    }

    /// What goes on is news at first, whatever else is said then.
    private func news(_ message: DisplayText) {
        show(StyledSpan(message, .failure))
        isShowingStanding = true
    }

    func show(_ message: DisplayText) { show(StyledSpan(message, .secondary)) }

    /// Says that a key does nothing here, until another one does something: it may have led to where the first would, too.
    func show(unusedKey message: DisplayText) {
        show(message)
        isOfUnusedKey = true
    }

    /// A key has done something: who goes on has read what lies over the last line, unless it is that key's own message.
    func keyWasUsed() {
        if isOfUnusedKey { return end() }
        if lineIsOld { line.message = nil }
        lineIsOld = true
    }

    func show(failure error: any Error) {
        show(failure: "\(error)", logged: (error as? UserFile.Problem)?.logged)
    }

    /// - Parameter logged: What the log says instead, where the sentence has something private in it.
    func show(failure sentence: String, logged: String? = nil) {
        log(logged ?? sentence)
        show(StyledSpan(DisplayText(sentence), .failure))
    }

    private func show(_ message: StyledSpan) {
        view.message = message
        line.message = message
        lineIsOld = false
        isShowingStanding = false
        isOfUnusedKey = false
        expiry?.cancel()
        expiry = Task { [weak self, messageTime, wait] in
            await wait(messageTime)
            guard !Task.isCancelled else { return }
            self?.end()
        }
    }

    private func end() {
        expiry?.cancel()
        expiry = nil
        isOfUnusedKey = false
        line.message = nil
        showStanding()
    }
}
