import DashboardFrame
import Feeds
import TerminalUI
import WebAddresses

/// The lines of a card in a width.
@MainActor
struct FeedCardText: Equatable {
    /// A line, with the entry that it belongs to.
    struct Line {
        var pieces: [RoleText] = []
        /// The text at the right end.
        var end = DisplayText.empty
        var entry: EntryID?
    }

    let columns: Int
    /// The number of lines that the pane shows.
    let rows: Int
    let dates: DateText
    let symbols: Symbols
    let hasUnicode: Bool
    /// The number of minutes between automatic reloads, or 0 for none.
    let reloadMinutes: Int
    /// What the user can do about a feed that can't be read.
    var remedies = DisplayText.empty
    /// The key that moves a feed to its new address.
    var keyForNewAddress = DisplayText.empty

    /// The usual and the maximum number of lines of an excerpt, and the maximum number of errors.
    private static let excerptLines = 2, longestExcerpt = 16, errors = 3
    /// The minimum width of cards with the names of feeds.
    private static let columnsForNames = 56
    /// The minimum width of each feed in a group's list, and the gap between columns of feeds.
    private static let columnsOfFeed = 33, gapOfFeeds = 3
    /// The height of the chart, and the number of weeks that must have entries for it to be shown.
    private static let rowsOfChart = 5, minimumWeeks = 4

    /// Returns the lines of a card.
    ///
    /// - Parameter emptyText: What to show if the row has no entries.
    func lines(of card: FeedCard, emptyText: DisplayText) -> [Line] {
        let subject = card.subject
        var lines = subject.notes.flatMap { wrapped(DisplayText($0), .secondary) }
        lines += wrapped(DisplayText(counts(of: card).joined(separator: " · ")), .text)
        lines += wrapped(reloads(of: card), .secondary)
        lines += errors(of: card)
        if let address = card.health?.newAddress {
            lines += wrapped(keyForNewAddress + DisplayText(" uses the new address \(address)."), .secondary)
        }
        guard subject.query != nil else { return lines + feeds(of: card, rows: rows - lines.count) }
        lines.append(Line())
        lines.append(contentsOf: activity(card.activity))
        if card.entries.isEmpty { lines += [Line()] + wrapped(emptyText, .secondary) }
        let names = subject.isFeed ? [:] : Dictionary(subject.feeds.map { ($0.id, $0.title) }) { first, _ in first }
        if !card.entries.isEmpty { lines.append(Line()) }
        // Few entries leave space for more of their text. Each has a title besides.
        let minimum = FeedCardText.excerptLines
        let room = rows - lines.count - card.entries.count
        let maximum = room.limited(minimum, FeedCardText.longestExcerpt)
        let texts = card.entries.map { entry in
            // A line more than is shown tells whether the text goes on.
            wrapped(DisplayText(String(entry.excerpt.prefix((maximum + 1) * columns))), .secondary, indent: indent)
        }
        let excerptLines =
            (minimum...maximum).last { limit in texts.reduce(0) { $0 + min($1.count, limit) } <= room } ?? minimum
        for (entry, text) in zip(card.entries, texts) {
            lines += self.lines(of: entry, text, excerptLines, feed: names[entry.row.subscriptionID])
        }
        let rest = rows - lines.count
        guard subject.isFeed else { return lines + feeds(of: card, rows: rest) }
        let about = about(card)
        if about.count <= rest { lines += about }
        return lines + chart(card.weeks, rows: rows - lines.count)
    }

    /// Returns facts about a feed: its newest entry, folder, tags, site and address.
    private func about(_ card: FeedCard) -> [Line] {
        guard let feed = card.subject.feeds.first else { return [] }
        let newest = card.health?.lastEntry.map { DateText.longDay($0) + " · " + dates.distance($0) } ?? .empty
        let facts: [(name: DisplayText, value: DisplayText)] = [
            ("Newest", newest), ("Folder", DisplayText(feed.folder ?? "")),
            ("Tags", DisplayText((card.health?.tags ?? []).joined(separator: ", "))),
            ("Site", DisplayText(feed.homePage ?? "")), ("Address", DisplayText(feed.url)),
        ]
        let paragraphs = TextParagraph.facts(facts.filter { !$0.value.isEmpty })
        return [Line()]
            + paragraphs.flatMap { $0.lines(columns: columns) }.map { line in
                Line(pieces: line.spans.map { RoleText($0.text, .secondary) })
            }
    }

    /// Returns a chart of the number of entries in each week, if there is space and enough weeks have entries.
    private func chart(_ weeks: [Int], rows: Int) -> [Line] {
        guard !symbols.isLinear, weeks.count <= columns, rows >= FeedCardText.rowsOfChart + 3,
            weeks.count(where: { $0 > 0 }) >= FeedCardText.minimumWeeks
        else { return [] }
        let bars = FeedCardText.columns(weeks, height: FeedCardText.rowsOfChart, hasUnicode: hasUnicode)
        let title = DisplayText("Entries per week, at most \(weeks.max() ?? 0)")
        let scale = DisplayText("a year ago").padded(to: weeks.count - 8) + "this week"
        return [Line(), Line(pieces: [RoleText(title, .secondary)])]
            + bars.map { Line(pieces: [RoleText($0, .accent)]) }
            + [Line(pieces: [RoleText(scale, .secondary)])]
    }

    /// Returns a group's feeds, each with its number of unread entries, in as many columns as fit.
    private func feeds(of card: FeedCard, rows: Int) -> [Line] {
        let feeds = card.subject.feeds
        let gap = FeedCardText.gapOfFeeds
        let across = symbols.isLinear ? 1 : max(1, (columns + gap) / (FeedCardText.columnsOfFeed + gap))
        let width = (columns + gap) / across - gap
        let down = min((feeds.count + across - 1) / across, rows - 2)
        guard feeds.count > 1, down > 0 else { return [] }
        let shown = min(feeds.count, down * across)
        let title = DisplayText(shown < feeds.count ? "Feeds, \(shown) of \(feeds.count)" : "Feeds")
        return [Line(), Line(pieces: [RoleText(title, .secondary)])]
            + (0..<down).map { row in
                Line(
                    pieces: stride(from: row, to: shown, by: down).flatMap { place -> [RoleText] in
                        let (feed, isLast) = (feeds[place], place + down >= shown)
                        let unread = DisplayText(feed.unread > 0 ? "\(feed.unread)" : "")
                        let name = DisplayText(feed.title).truncated(to: max(1, width - unread.columns - 1))
                        return [
                            RoleText(name.padded(to: width - unread.columns), feed.unread > 0 ? .unread : .text),
                            RoleText(unread + .blanks(isLast ? 0 : gap), .secondary),
                        ]
                    })
            }
    }

    private func wrapped(_ text: DisplayText, _ role: ThemeRole, indent: Int = 0) -> [Line] {
        guard !text.isEmpty else { return [] }
        return TextWrapping.wrap(text, columns: max(1, columns - indent)).map {
            Line(pieces: [RoleText(.blanks(indent) + $0, role)])
        }
    }

    private func counts(of card: FeedCard) -> [String] {
        let feeds = card.subject.feeds
        let unread = feeds.reduce(0) { $0.addingClamped($1.unread) }
        var words: [String] = []
        if card.subject.isFeed {
            words.append("\(unread) unread of \(feeds.first?.total ?? 0)")
            if let rhythm = card.health?.rhythm {
                let pause = DateText.duration(rhythm).string
                if rhythm >= 3600 {
                    words.append("one every " + (pause.hasPrefix("1 ") ? String(pause.dropFirst(2)) : pause))
                }
            }
            let address = feeds.first.map { $0.homePage ?? $0.url } ?? ""
            if let host = WebAddress(address)?.host, !host.isEmpty { words.append(host) }
        } else if !feeds.isEmpty {
            words += [feeds.count.counted("feed"), "\(unread) unread"]
        }
        return words
    }

    private func reloads(of card: FeedCard) -> DisplayText {
        guard card.subject.feeds.contains(where: \.isReadHere) else { return .empty }
        let last = card.subject.feeds.compactMap(\.lastFetched).max()
        let words = last.map { DisplayText("Reloaded ") + dates.distance($0) } ?? "Never reloaded"
        if card.health?.isGone == true || reloadMinutes == 0 { return words + " · not automatically" }
        if let next = card.health?.nextReload(refresh: reloadMinutes, now: dates.now) {
            return words + " · next " + dates.distance(next)
        }
        return words + DisplayText(" · every \(reloadMinutes) min")
    }

    /// Returns the errors of a feed in full, or those of the first failing feeds of a group with their names.
    private func errors(of card: FeedCard) -> [Line] {
        let isLinear = symbols.isLinear
        if card.subject.isFeed {
            let error = card.health?.errorWithAttempts.map {
                wrapped(RowSign.failure.before(DisplayText($0), isLinear: isLinear), .failure)
            }
            let problems = (card.health?.problems ?? []).prefix(FeedCardText.errors).flatMap {
                wrapped(RowSign.problem.before(DisplayText($0), isLinear: isLinear), .secondary)
            }
            guard let error else { return problems }
            let since = card.health?.lastSuccess.map { DateText.longDay($0) + " · " + dates.distance($0) } ?? "never"
            return error + wrapped("Last read successfully: " + since, .secondary) + wrapped(remedies, .secondary)
                + problems
        }
        let failing = card.subject.feeds.filter { $0.error != nil }
        let shown = card.subject.query == nil ? failing.count : FeedCardText.errors
        let lines = failing.prefix(shown).flatMap { feed in
            wrapped(
                RowSign.failure.before(DisplayText("\(feed.title): \(feed.error ?? "")"), isLinear: isLinear), .failure)
        }
        let rest = failing.count - shown
        return lines + (rest > 0 ? wrapped(DisplayText("and \(rest) more with errors"), .secondary) : [])
    }

    /// Returns a column for each day, and their sum in words.
    private func activity(_ counts: [Int]) -> [Line] {
        let sum = counts.reduce(0) { $0.addingClamped($1) }
        let words = DisplayText("\(sum.counted("entry", "entries")) in \(counts.count) days")
        let room = columns - words.columns - 2
        guard !symbols.isLinear, sum > 0, room >= 10 else { return wrapped(words, .secondary) }
        let shown = counts.suffix(room)
        let drawing = FeedCardText.columns(shown, hasUnicode: hasUnicode).reduce(.empty, +)
        return [Line(pieces: [RoleText(drawing, .accent), RoleText("  " + words, .secondary)])]
    }

    /// Returns lines with a column for each number. Any number above zero is distinct from zero.
    static func columns(_ counts: some Collection<Int>, height: Int = 1, hasUnicode: Bool) -> [DisplayText] {
        let signs = Array(hasUnicode ? " ▁▂▃▄▅▆▇█" : " _.:-=+*#")
        let maximum = max(1, counts.max() ?? 1)
        let levels = counts.map { count in
            count <= 0 ? 1 : 2 + Int(clamping: Double(count) / Double(maximum) * Double(height * 8 - 2))
        }
        return (0..<height).reversed().map { below in
            DisplayText(String(levels.map { signs[($0 - 8 * below).limited(0, 8)] }))
        }
    }

    /// The width of the mark before a title.
    private var indent: Int { symbols.isLinear ? 0 : 2 }

    /// - Parameters:
    ///   - excerpt: The wrapped excerpt, of which some lines are shown.
    ///   - feed: The name of the entry's feed if the card has entries of several.
    private func lines(of entry: FeedCard.Entry, _ excerpt: [Line], _ excerptLines: Int, feed: String?) -> [Line] {
        let row = entry.row
        var date = row.hasDate ? dates.short(row.sortDate) : .empty
        if let feed, columns >= FeedCardText.columnsForNames {
            let name = DisplayText(feed).truncated(to: columns / 4)
            date = date.isEmpty ? name : name + " · " + date
        }
        let role: ThemeRole = row.isRead ? .text : .unread
        var title = Line(end: date, entry: row.id)
        var name = DisplayText(row.title)
        if symbols.isLinear {
            name = DisplayText(row.isRead ? "" : "unread: ") + name
        } else {
            let mark: DisplayText = row.isRead ? "  " : DisplayText(symbols.dot) + " "
            title.pieces.append(RoleText(mark, .accent))
        }
        let room = columns - indent - (date.isEmpty ? 0 : date.columns + 2)
        title.pieces.append(RoleText(name.truncated(to: max(1, room)), role))
        var shown = Array(excerpt.prefix(excerptLines))
        if excerpt.count > shown.count, let last = shown.last?.pieces.first {
            shown[shown.count - 1].pieces[0].text = (last.text + " …").truncated(to: columns)
        }
        for index in shown.indices { shown[index].entry = row.id }
        return [title] + shown
    }
}
