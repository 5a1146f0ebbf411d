/// Determines the number of a terminal's colours and the colours that its user has set, at the start and by queries.
@MainActor
final class ColorQueries {
    private let environment: (String) -> String
    private let requested: TerminalCapabilities.ColorDepth?
    private let didQuery: () -> Void
    private let write: ([UInt8]) -> Void
    var tmuxDidAnswer: (TmuxAnswer?) -> Void = { _ in }

    /// The detection while the terminal is in use, otherwise `nil`.
    private(set) var detection: ColorDetection?
    private var question = ColorQuestion()
    private var tmuxQuestion: Task<Void, Never>?
    private var laterQuestion: Task<Void, Never>?
    /// The query that is written before each query for colours.
    private var preamble: [UInt8] = []
    /// The terminal's own colours, once it has reported them.
    private(set) var ownColors: TerminalColors?
    /// Whether the colours were queried, and must be again when they may have changed.
    private(set) var isFollowing = false

    /// - Parameter requested: The colours to use, or `nil` for all available ones.
    init(
        environment: @escaping (String) -> String, requested: TerminalCapabilities.ColorDepth?,
        didQuery: @escaping () -> Void, write: @escaping ([UInt8]) -> Void
    ) {
        self.environment = environment
        self.requested = requested
        self.didQuery = didQuery
        self.write = write
    }

    /// Starts with what terminfo describes, and returns the number of colours before any query.
    func start(described: Int, isDescribedAsDirect: Bool, canWriteDirect: Bool) -> ColorSupport {
        let detection = ColorDetection(
            environment: environment, requested: requested, described: described,
            isDescribedAsDirect: isDescribedAsDirect, canWriteDirect: canWriteDirect)
        self.detection = detection
        return detection.atStart
    }

    /// Ends the queries, because the terminal was given back.
    func stop() { detection = nil }

    var isAwaiting: Bool { question.isAwaiting }

    /// Queries the terminal and tmux, unless an answer is pending or the terminal would print the query. The preamble is
    /// another query, which is written before.
    func ask(after preamble: [UInt8]) {
        self.preamble = preamble
        let isInTmux = !environment("TMUX").isEmpty
        guard let detection, !question.isAwaiting,
            ColorQuestion.isSuitable(
                term: environment("TERM"), isInTmux: isInTmux, isInScreen: !environment("STY").isEmpty)
        else { return }
        if isInTmux { askTmux(pane: environment("TMUX_PANE")) }
        let ofDepth = detection.asksTerminal ? Array(ColorDetection.question.utf8) : []
        question.ask()
        didQuery()
        write(preamble + ofDepth + ColorQuestion.bytes)
        isFollowing = true
        if laterQuestion == nil { laterQuestion = Task { [weak self] in await self?.askLater(isInTmux: isInTmux) } }
    }

    /// Queries again after a second: until then tmux may not know its terminal, and a new terminal may not answer. Without
    /// an answer it queries a last time two seconds later.
    private func askLater(isInTmux: Bool) async {
        for (delay, isNeeded) in [(1, isInTmux), (2, false)] {
            try? await Task.sleep(for: .seconds(delay))
            if isNeeded || ownColors == nil { ask(after: preamble) }
        }
    }

    private func askTmux(pane: String) {
        guard detection?.isOpen ?? false, tmuxQuestion == nil, !pane.isEmpty else { return }
        tmuxQuestion = Task { [weak self] in
            let answer = await Task.detached { TmuxAnswer.ask(pane: pane) }.value
            guard let self else { return }
            tmuxQuestion = nil
            // tmux before 3.4 doesn't know its terminal's colours.
            if answer?.reachesTerminal == true { write(ColorQuestion.passedThrough) }
            tmuxDidAnswer(answer)
        }
    }

    /// Processes an answer, and returns the terminal's own colours if they changed. The device attributes must be those
    /// that end this query.
    func take(_ report: TerminalReport) -> TerminalColors? {
        guard let colors = question.take(report), colors != ownColors else { return nil }
        ownColors = colors
        return colors
    }
}
