import TerminalText

/// Shows pictures in a terminal: detects what it supports, transmits pictures, and reports changes.
@MainActor
final class TerminalGraphics {
    private let environment: (String) -> String
    private let colors: () -> TerminalCapabilities.ColorDepth
    private let write: ([UInt8]) -> Void
    private let didQuery: () -> Void
    private let cellOfSystem: () -> Size?
    private let pictures: TerminalPictures
    private(set) var support = GraphicsSupport.unknown
    private var events: [InputEvent] = []

    private var answers = GraphicsDetection.Answers()
    private var askedAt: ContinuousClock.Instant?
    private var wasRequested = false
    private var tmuxAnswer: TmuxAnswer?
    private var watch: Task<Void, Never>?
    private var outgoing: [[UInt8]] = []
    private var sending: Task<Void, Never>?
    private var shownAreas: [TerminalPictures.Area] = []

    /// The time after which a terminal counts as not answering.
    private static let answerTime = Duration.seconds(2)
    /// The time to wait for the last answer before the terminal is given back.
    static let patience = Duration.milliseconds(100)
    /// The intervals at which tmux is queried for a change of the terminal, since it doesn't report one.
    private static let watchInterval = (withPictures: Duration.seconds(3), without: Duration.seconds(20))
    private static let settling = Duration.milliseconds(100)
    /// The number of bytes to write before checking for input.
    private static let portion = 1 << 16

    /// - Parameters:
    ///   - colors: Returns the colours in use. A picture's number is sent as one of 256.
    ///   - cellOfSystem: The cell size in pixels that the system reports.
    init(
        environment: @escaping (String) -> String, colors: @escaping () -> TerminalCapabilities.ColorDepth,
        cellOfSystem: @escaping () -> Size? = { nil }, didQuery: @escaping () -> Void = {},
        write: @escaping ([UInt8]) -> Void
    ) {
        self.cellOfSystem = cellOfSystem
        self.environment = environment
        self.colors = colors
        self.didQuery = didQuery
        self.write = write
        let pane = environment("TMUX").isEmpty ? "" : environment("TMUX_PANE")
        pictures = TerminalPictures(place: Int(pane.dropFirst()) ?? 0, throughTmux: !pane.isEmpty)
    }

    /// What is between the program and the screen. It depends on the number of colours, which the terminal may report
    /// later.
    private var surroundings: GraphicsDetection.Surroundings {
        GraphicsDetection.surroundings(environment, colors: colors())
    }

    /// Returns the changes since the last call.
    func takeEvents() -> [InputEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Finding out

    /// Starts the detection, whose result arrives as an event. Inside tmux nothing is sent to the terminal.
    func detect() {
        wasRequested = true
        switch surroundings {
        case .unsuitable(let reason): update(GraphicsSupport(explanation: reason))
        case .tmux(let pane):
            watch?.cancel()
            watch = Task { [weak self] in await self?.watchTmux(pane) }
        case .direct:
            if isAwaiting { return }
            askedAt = .now
            answers = GraphicsDetection.Answers()
            didQuery()
            write(Array(GraphicsDetection.Answers.question.utf8))
            if support == .unknown { update(GraphicsSupport(explanation: "The terminal has not answered yet.")) }
        }
    }

    var isAwaiting: Bool { askedAt.map { $0.duration(to: .now) < TerminalGraphics.answerTime } ?? false }

    /// Processes an answer of the terminal. The device attributes must be those that end the query about pictures.
    func take(_ report: TerminalReport) {
        guard askedAt != nil, answers.take(report) else { return }
        askedAt = nil
        update(GraphicsDetection.support(answers, cellOfSystem: cellOfSystem()))
    }

    private func take(_ answer: TmuxAnswer?) {
        // A tmux that is too busy to answer reveals nothing about its terminal.
        if answer == nil, tmuxAnswer != nil { return }
        update(GraphicsDetection.support(answer))
        // Another terminal, or one that was attached again, has none of the pictures.
        let isOther = tmuxAnswer != nil && tmuxAnswer != answer
        tmuxAnswer = answer
        if isOther, let answer, answer.viewers > 0 { retransmit() }
    }

    /// Called after a resize or a change of focus, when the terminal may be another.
    func terminalMayHaveChanged(hasSameCells: Bool) {
        guard wasRequested else { return }
        if case .direct = surroundings, hasSameCells { return }
        detect()
    }

    func colorsChanged() {
        if wasRequested { detect() }
    }

    func retransmit() {
        outgoing += pictures.transmissions
        startSending()
        shownAreas = []
    }

    private func update(_ found: GraphicsSupport) {
        guard found != support else { return }
        if found.protocols != support.protocols || found.cellSize != support.cellSize {
            let deletions = pictures.removeAll()
            // A terminal that doesn't support the protocol receives no commands of it.
            outgoing = found.protocols.contains(.kitty) ? deletions : []
            startSending()
        }
        support = found
        events.append(.graphics(found))
    }

    /// Queries tmux periodically, because another terminal may be attached.
    private func watchTmux(_ pane: String) async {
        // While a pane is being resized, tmux is queried only once.
        try? await Task.sleep(for: TerminalGraphics.settling)
        while !Task.isCancelled {
            let answer = await Task.detached { TmuxAnswer.ask(pane: pane) }.value
            guard !Task.isCancelled else { return }
            take(answer)
            let interval = TerminalGraphics.watchInterval
            try? await Task.sleep(for: pictures.isEmpty ? interval.without : interval.withPictures)
        }
    }

    // MARK: Pictures

    /// Transmits a picture, which appears where its cells are drawn.
    ///
    /// - Returns: The picture for cells, or `nil` if it can't be shown.
    func add(_ pixels: PixelBuffer, cells: Size, by way: GraphicsProtocol) async -> TerminalPicture? {
        guard support.protocols.contains(way), cells.width > 0, cells.height > 0,
            max(cells.width, cells.height) <= PicturePlaceholder.limit,
            pixels.width > 0, pixels.height > 0, pixels.width * pixels.height <= GraphicsSupport.maximumPixels
        else { return nil }
        let picture = pictures.reserve(cells)
        let number = TerminalPictures.identifier(picture)
        let throughTmux = pictures.throughTmux
        let found = support
        let form = await Task.detached { () -> TerminalPictures.Form? in
            switch way {
            case .kitty:
                return .kitty(
                    KittyGraphics.transmission(of: pixels, number: number, cells: cells, throughTmux: throughTmux))
            case .sixel:
                guard let cell = found.cellSize, pixels.width == cells.width * cell.width,
                    pixels.height == cells.height * cell.height
                else { return nil }
                return .sixel(SixelPicture(pixels, colors: found.sixelColors), cell: cell)
            }
        }.value
        guard let form, support == found else { return nil }
        let isFirst = pictures.isEmpty
        outgoing += pictures.keep(picture, form)
        if case .kitty(let commands) = form { outgoing += commands }
        // With pictures, tmux is queried more often.
        if case .tmux = surroundings, isFirst { detect() }
        startSending()
        await sending?.value
        return picture
    }

    func has(_ picture: TerminalPicture) -> Bool { pictures.has(picture) }

    /// Writes pending data in portions, checking for keys in between.
    private func startSending() {
        guard sending == nil, !outgoing.isEmpty else { return }
        sending = Task { [weak self] in
            while let self, !self.outgoing.isEmpty {
                var portion: [UInt8] = []
                var count = 0
                while count < self.outgoing.count, portion.count < TerminalGraphics.portion {
                    portion += self.outgoing[count]
                    count += 1
                }
                self.outgoing.removeFirst(count)
                self.write(portion)
                if !self.outgoing.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
            }
            self?.sending = nil
        }
    }

    /// Deletes all pictures before the terminal is given back.
    func stop() {
        watch?.cancel()
        sending?.cancel()
        outgoing = []
        for command in pictures.removeAll() { write(command) }
    }

    // MARK: Sixels

    func isSixel(_ cell: Cell) -> Bool { pictures.isSixel(cell) }

    /// Returns the sequence that redraws sixel pictures after rows were written, or nothing if none is affected.
    ///
    /// All pictures in the written rows are redrawn, because it is unknown how they were affected.
    func sixels(on grid: CellGrid, writtenRows: Set<Int>) -> [UInt8] {
        let areas = pictures.areas(in: grid)
        defer { shownAreas = areas }
        let isTouched = areas.contains { area in writtenRows.contains { $0 >= area.frame.minY && $0 < area.frame.maxY }
        }
        return areas != shownAreas || isTouched ? pictures.sequence(for: areas) : []
    }
}
