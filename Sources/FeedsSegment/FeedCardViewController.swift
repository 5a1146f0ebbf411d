import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The card of the row that is selected in the list of feeds, shown in the detail until an entry opens (row FEE-05).
@MainActor
final class FeedCardViewController: ViewController {
    private let services: FeedServices
    private var access: LibraryAccess { services.access }
    private let cardView = FeedCardView()
    private let rest = IdleTimer()
    private var observations: [Observation] = []
    private let refresh = Coalescer()
    private var subject: FeedCard.Subject?
    private lazy var reading = RepeatedRead<FeedCard>(
        access: access, isUrgent: false,
        { [weak self] in
            guard let self, let subject = self.subject else { return nil }
            let now = self.access.clock()
            return { library, _ in try FeedCard(subject, library: library, now: now) }
        },
        then: { [weak self] card, _ in self?.display(card) })
    private var isShown = false
    weak var list: FeedListViewController?

    init(services: FeedServices) {
        self.services = services
        super.init()
    }

    override func makeView() -> View { cardView }

    override func viewDidLoad() {
        cardView.makeText = { [weak self] in self?.text(columns: $0) ?? [] }
        cardView.onOpen = { [weak self] in self?.list?.openEntry($0) }
        observations = [.entries, .subscriptions].map { part in
            access.library.observe(part) { [weak self] in self?.refresh.schedule { [weak self] in self?.read() } }
        }
        observations.append(access.library.observe(.spoilers) { [weak self] in self?.spoilersDidChange() })
    }

    /// Reads the card again when spoilers are hidden or shown. What is to be hidden disappears at once.
    private func spoilersDidChange() {
        display(nil)
        read(isNew: true)
    }

    override func viewWillAppear() {
        isShown = true
        read()
    }

    override func viewDidDisappear() {
        isShown = false
        rest.stop()
    }

    /// Shows the card of a row, or which keys add feeds if there is none.
    ///
    /// - Parameter afterRest: Whether the row was just selected. Its card then appears after a delay.
    func show(_ subject: FeedCard.Subject?, afterRest: Bool) {
        guard subject != self.subject || subject == nil else { return }
        self.subject = subject
        guard afterRest, isShown else { return read(isNew: true) }
        rest.start(EntryFollower.delay) { [weak self] in self?.read(isNew: true) }
    }

    private var card: FeedCard?

    /// Reads the card, unless nobody can see it.
    ///
    /// - Parameter isNew: Whether another row was selected.
    private func read(isNew: Bool = false) {
        guard isShown else { return }
        guard subject != nil else { return display(nil) }
        // The first card appears together with its list.
        reading.isUrgent = card == nil
        if isNew { reading.restart() } else { reading.start() }
    }

    private func display(_ card: FeedCard?) {
        self.card = card
        title = DisplayText(card?.subject.name ?? "")
        cardView.isCentered = card == nil && list?.hasFeeds == false
        cardView.setNeedsLayout()
    }

    private func text(columns: Int) -> [FeedCardText.Line] {
        guard let card else { return list?.hasFeeds == false ? invitation : [] }
        let text = FeedCardText(
            columns: columns, rows: cardView.bounds.height, dates: services.entries.appearance.dates,
            symbols: cardView.symbols, hasUnicode: traits.capabilities.hasUnicode,
            reloadMinutes: access.settings[.reloadMinutes], remedies: remedies,
            keyForNewAddress: DisplayText(access.status.key(FeedCommands.updateAddress)))
        let emptyText = emptyText(of: card)
        if let made, made.text == text, made.card == card, made.emptyText == emptyText { return made.lines }
        let lines = text.lines(of: card, emptyText: emptyText)
        made = (text, card, emptyText, lines)
        return lines
    }

    /// The lines of the last layout, with all that they depend on. Few layouts change any of it.
    private var made: (text: FeedCardText, card: FeedCard, emptyText: DisplayText, lines: [FeedCardText.Line])?

    private var remedies: DisplayText {
        let keys = [FeedCommands.reloadFeed, FeedCommands.updateAddress, FeedCommands.unsubscribe].map(
            access.status.key)
        return DisplayText(
            "\(keys[0]) retries, \(keys[1]) edits its address or finds it on a page, \(keys[2]) removes it.")
    }

    /// Returns why there are no entries. The card shows the error of a feed already.
    private func emptyText(of card: FeedCard) -> DisplayText {
        guard card.entries.isEmpty, let query = card.subject.query else { return .empty }
        if card.health?.error != nil { return .empty }
        return EmptyEntryList.text(query.scope, access)
    }

    /// The keys that add feeds, for an empty library.
    private var invitation: [FeedCardText.Line] {
        let keys = [FeedCommands.addFeed, ProgramCommands.importSubscriptions, AccountCommands.addAccount].map {
            (key: DisplayText(access.status.key($0)), title: $0.title)
        }
        let widest = keys.map(\.key.columns).max() ?? 0
        let words = keys.map { $0.title.columns }.max() ?? 0
        return [FeedCardText.Line(pieces: [RoleText("No feeds yet")]), FeedCardText.Line()]
            + keys.map { key, title in
                FeedCardText.Line(pieces: [
                    RoleText(key.padded(to: widest, isTrailing: true) + "  ", .accent),
                    RoleText(title.padded(to: words), .secondary),
                ])
            }
    }
}

/// Draws the lines of a card. A click on an entry opens it.
@MainActor
final class FeedCardView: View {
    var makeText: (_ columns: Int) -> [FeedCardText.Line] = { _ in [] }
    var onOpen: (EntryID) -> Void = { _ in }
    var isCentered = false
    private var lines: [FeedCardText.Line] = []
    private static let maximumColumns = 92

    private var margin: Int { bounds.width >= 20 ? 1 : 0 }
    private var columns: Int { max(1, min(FeedCardView.maximumColumns, bounds.width - 2 * margin)) }
    private var top: Int { isCentered ? max(0, (bounds.height - lines.count) / 2) : 0 }

    override func layoutSubviews() { lines = makeText(columns) }

    override func draw(in surface: Surface) {
        let theme = theme
        for (index, line) in lines.enumerated() where top + index < bounds.height {
            let width = line.pieces.reduce(0) { $0 + $1.text.columns }
            var column = margin + (isCentered ? max(0, (columns - width) / 2) : 0)
            for piece in line.pieces {
                column = surface.draw(piece.text, at: Point(x: column, y: top + index), style: theme[piece.role])
            }
            surface.draw(
                line.end, at: Point(x: margin + columns - line.end.columns, y: top + index), style: theme[.secondary])
        }
    }

    override func handle(_ event: MouseEvent) -> Bool {
        let index = event.location.y - top
        guard case .press(.left) = event.action, lines.indices.contains(index), let entry = lines[index].entry else {
            return false
        }
        onOpen(entry)
        return true
    }
}
