import FeedParsing
import Feeds
import LibraryKernel
import LibraryTesting
import ModelCore
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// The signs in rows, and the words for them in screen-reader mode.
@MainActor
@Suite struct SignsInRows {
    @Test func replacesSignsByWordsForScreenReaders() {
        let signs: [(RowSign, String, String)] = [
            (.failure, "!", "failed"), (.problem, "△", "problem"), (.closed, "▸", "closed"), (.open, "▾", "open"),
            (.search, "⌕", "search"), (.chosen, "✓", "chosen"),
        ]
        for (row, sign, word) in signs {
            #expect(row.before("News", isLinear: false).string == "\(sign) News")
            #expect(row.before("News", isLinear: true).string == "\(word): News")
            #expect(row.behind("News", isLinear: false).string == "News \(sign)")
            #expect(row.behind("News", isLinear: true).string == "News, \(word)")
            #expect(
                row.behind("", isLinear: true).string == word && row.behind("", isLinear: false).string == " \(sign)")
        }
    }

    /// All combinations of read, starred and read later, each in its row.
    @Test(arguments: [false, true]) func hasASignForEveryCombinationOfMarks(isLinear: Bool) async throws {
        let library = try Library(path: nil)
        let id = try await library.follow("https://one.example/feed")
        var feed = ParsedFeed(format: .rss)
        feed.title = "Combinations"
        feed.entries = (0..<8).map { bits in
            var entry = ParsedEntry()
            (entry.id, entry.title) = ("\(bits)", "Row \(bits)")
            entry.published = ParsedDate(instant: DashboardScreen.now - 7200 - Int64(bits), text: "")
            return entry
        }
        try await library.store(feed, in: id, record: FetchRecord(date: DashboardScreen.now))
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 9)
        for (bit, mark) in [EntryMark.read, .starred, .later].enumerated() {
            let marked = rows.filter { (Int($0.title.suffix(1)) ?? 0) & (1 << bit) != 0 }.map(\.id)
            try await library.setMark(mark, true, entries: marked, now: 1)
        }
        let dashboard = try StartedDashboard(library, width: 60)
        if isLinear { dashboard.set("on", for: SettingKey<Bool>.linear.name) }
        let screen = dashboard.screen
        #expect(await screen.press("enter") { screen.text.contains("Row 7") && screen.text.contains("2 h") })
        for bits in 0..<8 {
            let (isRead, isStarred, isLater) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
            let y = try #require(screen.lines.firstIndex { $0.contains("Row \(bits)") })
            let line = screen.lines[y]
            if isLinear {
                let words = [isRead ? nil : "unread", isStarred ? "starred" : nil, isLater ? "for later" : nil]
                let expected = words.compactMap { $0 }.joined(separator: ", ")
                let title = expected.isEmpty ? "Row \(bits)" : "\(expected): Row \(bits)"
                #expect(line.contains(title), "\(line)")
                #expect(!line.contains("★") && !line.contains("◷"))
                if expected.isEmpty { #expect(!line.contains(":")) }
            } else {
                let sign = isStarred ? "★" : isLater ? "◷" : isRead ? " " : "●"
                #expect(line.contains("\(sign) Row \(bits)"), "\(line)")
            }
            let column = try #require(line.column(of: "Row"))
            if bits != 0 {
                let isBold = screen.terminal.cells[column, y].style.attributes.contains(.bold)
                #expect(isBold == !isRead, "\(bits): unread titles are bold")
            }
        }
    }
}
