import LibraryKernel
import Platform
import RaceCentre
import TerminalUI

/// The right end of the bar: the progress of work, or the last message for a few seconds.
@MainActor
package final class StatusController {
    package let view = ProgressView()
    /// A line over the whole width for the last message, if the bar is too narrow.
    package let line = MessageLine()
    private var expiry: Task<Void, Never>?
    private let messageTime: Duration
    private let label: (CommandDefinition) -> DisplayText?
    private let log: (String) -> Void
    private let wait: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - messageTime: How long a message is shown.
    ///   - label: Returns the key that messages mention for a command.
    ///   - log: Receives failures, which the line shows for a few seconds only.
    ///   - wait: Waits for that time, or until the task is cancelled.
    package init(
        messageTime: Duration,
        label: @escaping (CommandDefinition) -> DisplayText? = { KeyMap().label(for: $0) },
        log: @escaping (String) -> Void = { _ in },
        wait: @escaping @Sendable (Duration) async -> Void = { try? await Clock.sleep(for: $0) }
    ) {
        self.messageTime = messageTime
        self.label = label
        self.log = log
        self.wait = wait
    }

    /// The key that messages show for a command. Without one it is the palette's with the command's title, or the
    /// command's identifier.
    package func key(_ definition: CommandDefinition) -> String {
        if let key = label(definition) { return key.string }
        return label(ProgramCommands.palette).map { "\($0.string) \(definition.title.string)" } ?? definition.name
    }

    package var progress: (done: Int, total: Int)? {
        didSet {
            showProgress()
            progressDidChange(progress)
        }
    }
    /// What is being imported by another process, which reports no progress.
    package var importing: DisplayText? { didSet { progressDidChange(progress) } }
    /// What the progress counts.
    package var progressUnit = "feeds"
    /// Called with the new progress.
    package var progressDidChange: ((done: Int, total: Int)?) -> Void = { _ in }
    /// Whether another line shows the progress.
    package var isProgressElsewhere = false { didSet { showProgress() } }

    private func showProgress() { view.progress = isProgressElsewhere ? nil : progress }

    /// The subject of a persistent status, most urgent first.
    package enum Subject: CaseIterable {
        /// Changes that can't be stored.
        case changes
        /// An error in the library.
        case library
        /// An error in the configuration, until it is fixed.
        case configuration
    }

    /// The persistent statuses. The most urgent is shown whenever there is no other message.
    package var persistent: [Subject: DisplayText] = [:] {
        didSet {
            for subject in Subject.allCases where persistent[subject] != oldValue[subject] {
                if let message = persistent[subject] { log(message.string) }
            }
            let (first, before) = (mostUrgent(persistent), mostUrgent(oldValue))
            guard first?.message != before?.message else { return }
            if let first, first.message != oldValue[first.subject] {
                // It is shown as a message first.
                show(StyledSpan(first.message, .failure))
                isShowingPersistent = true
            } else if isShowingPersistent {
                end()
            }
        }
    }

    private func mostUrgent(_ persistent: [Subject: DisplayText]) -> (subject: Subject, message: DisplayText)? {
        Subject.allCases.lazy.compactMap { subject in persistent[subject].map { (subject, $0) } }.first
    }

    private var isShowingPersistent = false
    private var isOfUnusedKey = false
    private var lineIsOld = false

    package func show(_ message: DisplayText) { show(StyledSpan(message, .secondary)) }

    /// Shows that a key does nothing here, until another key works. Pressed again, the first key might work there.
    package func show(unusedKey message: DisplayText) {
        show(message)
        isOfUnusedKey = true
    }

    /// Removes the message line when a key was used, unless it shows that key's own message.
    package func keyWasUsed() {
        if isOfUnusedKey { return end() }
        if lineIsOld { line.message = nil }
        lineIsOld = true
    }

    package func show(failure error: any Error) {
        // Both can contain what the user typed, which may be a password in the wrong field.
        let logged = (error as? UserFile.Problem)?.logged ?? (error as? UnknownRace).map { _ in "unknown race" }
        show(failure: "\(error)", logged: logged)
    }

    /// - Parameter logged: The text for the log, if the message contains something private.
    package func show(failure sentence: String, logged: String? = nil) {
        log(logged ?? sentence)
        show(StyledSpan(DisplayText(sentence), .failure))
    }

    /// The reasons for which work without a request has failed the last time, by the place of the work.
    private var failures: [String: String] = [:]

    /// Does work that the user hasn't asked for, and shows the reason if it fails. Work that fails again for the same
    /// reason, such as at each check of a timer, has shown it.
    ///
    /// - Returns: The result, or `nil` if the work failed.
    package func attempt<Value>(file: String = #fileID, line: Int = #line, _ work: () throws -> Value) -> Value? {
        value(of: Result { try work() }, at: "\(file):\(line)")
    }

    /// Does work that the user hasn't asked for, and shows the reason if it fails, as above.
    package func attempt<Value: Sendable>(
        file: String = #fileID, line: Int = #line, _ work: () async throws -> Value
    ) async -> Value? {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        return value(of: result, at: "\(file):\(line)")
    }

    private func value<Value>(of result: Result<Value, any Error>, at place: String) -> Value? {
        switch result {
        case .success(let value):
            failures[place] = nil
            return value
        case .failure(let error):
            let isNew = failures.updateValue("\(error)", forKey: place) != "\(error)"
            if isNew, !(error is CancellationError) { show(failure: error) }
            return nil
        }
    }

    private(set) var messageCount = 0

    private func show(_ message: StyledSpan) {
        messageCount += 1
        view.message = message
        line.message = message
        lineIsOld = false
        isShowingPersistent = false
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
        let message = mostUrgent(persistent)?.message
        isShowingPersistent = message != nil
        view.message = message.map { StyledSpan($0, .failure) }
    }
}
