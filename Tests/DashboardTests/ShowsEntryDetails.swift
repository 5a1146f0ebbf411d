import FeedParsing
import Foundation
import RaceModel
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import Feeds
@testable import FeedsSegment
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Dates of entries, pages and stages, the status of feeds, and results of reloads, in words.
@MainActor
@Suite struct ShowsEntryDetails {
    private static let now = DashboardScreen.now

    private var dates: DateText {
        useTimeZone()
        return DateText(style: .relative, now: ShowsEntryDetails.now)
    }

    private func lines(_ paragraphs: [TextParagraph]) -> [String] {
        paragraphs.flatMap { $0.lines(columns: 200).map(\.string) }
    }

    private func lines(
        published: Instant? = nil, _ publishedText: String? = nil, updated: Instant? = nil,
        _ updatedText: String? = nil, page: String? = nil, previous: PreviousText? = nil
    ) -> [String] {
        lines(
            PublishDateViewController.lines(
                EntryDates(
                    published: published, publishedText: publishedText, updated: updated, updatedText: updatedText,
                    firstSeen: ShowsEntryDetails.now - 7200, pageText: page, previous: previous), dates))
    }

    private func previous(replaced: Instant, came: Int, went: Int) throws -> PreviousText {
        let text = "{\"title\": \"\", \"replaced\": \(replaced), \"came\": \(came), \"went\": \(went)}"
        return try JSONDecoder().decode(PreviousText.self, from: Data(text.utf8))
    }

    /// POP-04: the date in full, the time since then, the date as the feed wrote it, and other dates.
    @Test func describesTheDatesOfAnEntry() throws {
        let now = ShowsEntryDetails.now
        let seen = "First seen   2 hours ago"
        #expect(
            lines(published: now - 86_400, "Thu, 19 Nov")
                == ["Thursday 19 November 2026", "12:00 UTC · 1 day ago", "", "In the feed  Thu, 19 Nov", seen])
        #expect(lines(published: nil, "some day") == ["Unreadable date.", "", "In the feed  some day", seen])
        #expect(lines() == ["No publish date.", "", "First seen  2 hours ago"])
        // Equal dates are shown once.
        #expect(!lines(published: now, "x", updated: now, "y").contains { $0.hasPrefix("Updated") })
        #expect(lines(published: now, "x", updated: now - 60, "y").contains("Updated      20 Nov 2026, 11:59"))
        #expect(
            lines(published: now, "x", updated: nil, "soon").contains {
                $0.hasPrefix("Updated ") && $0.hasSuffix(" soon")
            })
        #expect(lines(published: now, "x", page: "19.11.2026").contains("On the page  19.11.2026"))
        let previous = try previous(replaced: now - 3600, came: 1, went: 4)
        #expect(
            lines(published: now, previous: previous).contains(
                "Edited      20 Nov 2026, 11:00 · 1 word added, 4 removed"))
        #expect(
            EntryChangesViewController.summary(try self.previous(replaced: now, came: 12, went: 0)).string
                == "20 Nov 2026, 12:00 · 12 words added, 0 removed")
    }

    @Test func describesTheDateOfAPage() {
        func words(_ date: WrittenDate?) -> [String] { lines(PublishDateViewController.lines(article: date, dates)) }
        #expect(words(nil) == ["The page has no date."])
        #expect(words(WrittenDate("whenever")) == ["Unreadable date.", "", "On the page  whenever"])
        #expect(
            words(WrittenDate("2026-11-19T12:00:00Z"))
                == ["Thursday 19 November 2026", "12:00 UTC · 1 day ago", "", "On the page  2026-11-19T12:00:00Z"])
    }

    @Test func describesTheDayOfAStage() throws {
        func words(_ date: String?, _ article: WrittenDate?) throws -> [String] {
            var text = DashboardScreen.race
            if date == nil { text = text.replacing("\"date\": \"2026-11-10\", ", with: "") }
            let stage = try #require(try RaceFile.read(Data(text.utf8)).stages.first)
            return lines(PublishDateViewController.lines(stage, article: article, dates))
        }
        #expect(
            try words("x", nil) == [
                "Tuesday 10 November 2026", "1 week ago", "", "Stage        1", "Start        Porto",
                "In the file  2026-11-10",
            ])
        #expect(try words("x", WrittenDate("2026-11-19T12:00:00Z")).last == "Article      19 Nov 2026, 12:00")
        #expect(try words("x", WrittenDate("later")).last == "Article      later")
        #expect(try words(nil, nil) == ["The race file has no date."])
    }

    private func health(_ change: (inout SubscriptionHealth) -> Void) -> [String: String] {
        var health = SubscriptionHealth(
            url: "https://a.example/feed", failures: 0, problems: [], isGone: false, tags: [])
        change(&health)
        let row = SubscriptionRow(id: 1, url: "", title: "A", unread: 3, total: 12)
        let facts = FeedHealthViewController(row, health, dates: dates).facts
        var seen: [String: String] = [:]
        for fact in facts {
            seen[fact.name.string, default: ""] += (seen[fact.name.string] == nil ? "" : " | ") + fact.value.string
        }
        return seen
    }

    @Test func describesTheHealthOfAFeed() {
        let now = ShowsEntryDetails.now
        #expect(
            health { _ in } == [
                "Address": "https://a.example/feed", "Last success": "never", "Newest entry": "none has a date",
                "Entries": "12, 3 unread",
            ])
        let well = health { health in
            health.previousURL = "http://a.example/feed"
            health.lastSuccess = now - 3600
            health.lastEntry = now - 86_400
            health.rhythm = 7200
            health.tags = ["one", "two"]
            health.nextFetch = now + 3600
            health.lastFetched = now - 60
        }
        #expect(
            well == [
                "Address": "https://a.example/feed", "Previous address": "http://a.example/feed",
                "Last success": "20 Nov 2026, 11:00 · 1 hour ago", "Newest entry": "19 Nov 2026, 12:00 · 1 day ago",
                "Frequency": "one entry every 2 hours", "Entries": "12, 3 unread", "Tags": "one two",
                "Next attempt": "20 Nov 2026, 13:00 · in 1 hour",
            ])
        // A time in the past isn't shown as the next attempt.
        #expect(
            health { $0.nextFetch = now }["Next attempt"] == nil
                && health { $0.nextFetch = now - 1 }["Next attempt"] == nil)
        for (failures, words) in [(1, "no answer"), (3, "no answer (3 times in a row)")] {
            let ill = health { health in
                health.error = "no answer"
                health.failures = failures
                health.lastFetched = now - 60
            }
            #expect(ill["Error"] == words && ill["Last attempt"] == "20 Nov 2026, 11:59 · 1 minute ago")
        }
        #expect(health { $0.error = "no answer" }["Last attempt"] == "never")
        let gone = health { health in
            health.isGone = true
            health.nextFetch = now + 60
        }
        #expect(gone["Next attempt"] == "only on request: the server says that the feed is gone (410)")
        let loose = health { $0.problems = ["line 2: a", "line 9: b"] }
        #expect(loose["Problems"] == "line 2: a" && loose[""] == "line 9: b")
    }

    @Test func describesTheResultOfAReload() {
        let row = SubscriptionRow(id: 1, url: "", title: "A", unread: 3, total: 12)
        func words(_ result: ReloadOutcome.Result, _ problems: [String] = [], isLinear: Bool = false) -> String {
            ReloadViewController.words(
                ReloadOutcome(
                    subscription: row, result: result, problems: problems.map { FeedProblem($0, line: 2) },
                    seconds: 1.26),
                isLinear: isLinear
            ).string
        }
        #expect(words(.changed(StoredChanges(added: 3, updated: 9))) == "3 new · 1.2 s")
        #expect(words(.changed(StoredChanges(added: 0)), ["odd", "other"]) == "△ line 2: odd · 0 new · 1.2 s")
        #expect(words(.unchanged) == "unchanged · 1.2 s")
        #expect(words(.unchanged, ["odd"], isLinear: true) == "problem: line 2: odd · unchanged · 1.2 s")
        #expect(words(.heldBack("gone for good")) == "gone for good")
        #expect(
            words(.failed("no answer")) == "! no answer"
                && words(.failed("no answer"), isLinear: true) == "failed: no answer")
        #expect(DisplayText(words(.failed(String(repeating: "long ", count: 20)))).columns == 36)
        let long = words(.unchanged, [String(repeating: "long ", count: 20)])
        #expect(DisplayText(long).columns == 30 + " · unchanged · 1.2 s".count)
    }

    // MARK: Links

    /// Every combination of the setting, the capital letter, and matches in the library.
    @Test func decidesWhereALinkLeads() {
        for (setting, isOther) in [
            ("here", false), ("here", true), ("in the browser", false), ("in the browser", true),
        ] {
            for mayBePage in [false, true] {
                for (stage, entry, shown) in [
                    (nil, nil, nil), (nil, 4, 9), (nil, 4, 4), (nil, 4, nil), (2, 4, 9), (2, nil, nil),
                ] as [(Int?, EntryID?, EntryID?)] {
                    let way = LinkDestination.destination(
                        setting: setting, isOther: isOther, mayBePage: mayBePage, stage: stage.map { ("volta", $0) },
                        entry: entry, shown: shown)
                    let isHere = (setting == "here" && !isOther) || (setting != "here" && isOther)
                    let expected: LinkDestination =
                        if !isHere || !mayBePage {
                            .browser
                        } else if let stage {
                            .stage(race: "volta", number: stage)
                        } else if let entry, entry != shown {
                            .entry(entry)
                        } else { .page }
                    #expect(way == expected, "\(setting) \(isOther) \(mayBePage) \(String(describing: entry))")
                }
            }
        }
    }
}
