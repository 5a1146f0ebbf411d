import FeedParsing
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

/// Hidden results: nothing that leaves the library reveals them.
@Suite struct HidesResults {
    private static let feed = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [
         {"id": "1", "url": "https://news.example/bea-costa-wins", "title": "Béa CÓSTA wins", "date_published": "2026-11-20T18:00:00Z",
          "content_html": "<p>She was the fastest.</p>", "author": {"name": "A. Writer"}},
         {"id": "2", "url": "https://news.example/rain", "title": "What a day", "date_published": "2026-11-20T19:00:00Z",
          "content_html": "<p>In Lisbon <b>Costa</b> beat all.</p>"},
         {"id": "3", "url": "https://news.example/bread", "title": "How to bake bread", "date_published": "2026-11-20T19:00:00Z",
          "content_html": "<p>Flour and water.</p>"},
         {"id": "4", "url": "https://news.example/before", "title": "Costa is in form", "date_published": "2026-11-18T19:00:00Z",
          "content_html": "<p>She rides well.</p>"},
         {"id": "5", "url": "https://news.example/lisbon", "title": "Lisbon in winter", "date_published": "2026-12-24T19:00:00Z",
          "content_html": "<p>It rains.</p>"},
         {"id": "6", "url": "https://news.example/early", "title": "Costa sprints", "date_published": "2026-11-19T21:00:00Z",
          "content_html": "<p>In the far east it is morning.</p>"}]}
        """

    private func library() async throws -> (Library, race: String) {
        let library = try Library(path: nil)
        let race = try RaceFile.read(Data(RaceSchemaTests.document.utf8))
        try await library.store(race)
        let feed = try await library.follow("https://news.example/feed")
        let reading = try FeedParser.parse(Array(HidesResults.feed.utf8), base: "https://news.example/feed")
        _ = try await library.store(reading.feed, in: feed, record: FetchRecord(date: 1_800_000_000))
        try await library.changes.perform(IndexSome())
        return (library, race.id)
    }

    private func titles(_ library: Library) throws -> Set<String> {
        Set(try library.entries.rows(in: EntryQuery(.all), limit: 10).map(\.title))
    }

    @Test func noFieldOfARaceRevealsAResult() async throws {
        let (library, id) = try await library()
        let before = try #require(try library.races.wholeRace(id))
        try await library.changes.perform(.hideResults(true, race: nil))
        let race = try #require(try library.races.wholeRace(id))
        let text = String(
            decoding: try RaceFile.write(Race(race: race.race, year: 1, stages: race.stages)), as: UTF8.self)
        #expect(!text.contains("Costa") && !text.contains("A break of two"))
        #expect(race.stages[0].isSpoiler && race.stages[0].climbs != nil)
        #expect(race.withdrawals == [])
        #expect(try library.races.nextStage(from: CalendarDay(instant: 1_795_176_000))?.stage.winner == nil)
        // A race without its results isn't stored: hidden results stay.
        try await library.store(race)
        try await library.changes.perform(.revealStage(1, race: id, true))
        #expect(
            try library.races.wholeRace(id)?.stages
                == before.stages.map { stage in
                    var stage = stage
                    stage.isSpoiler = stage.number != 1
                    return stage
                })
        try await library.changes.perform(.revealStage(1, race: id, false))
        #expect(try library.races.race(id)?.stages[0].winner == nil)
        try await library.changes.perform(.hideResults(false, race: nil))
        #expect(try library.races.race(id)?.stages[0].winner == "Bea Costa")
    }

    @Test func hidesEntriesThatRevealAResult() async throws {
        let (library, id) = try await library()
        #expect(try titles(library).contains("Béa CÓSTA wins"))
        try await library.changes.perform(.hideResults(true, race: id))
        let words = "Hidden: about Volta 2026, stage 1"
        #expect(
            try titles(library) == [words, "What a day", "How to bake bread", "Costa is in form", "Lisbon in winter"])

        // An entry's content counts where it opens and where parts of it are shown.
        let rows = try library.entries.rows(in: EntryQuery(.all), limit: 10)
        for row in rows where [words, "What a day"].contains(row.title) {
            let entry = try #require(try library.entries.detail(of: row.id))
            #expect(entry.isSpoiler && entry.title == words && entry.link == nil && entry.html == nil)
            #expect(entry.author == nil)
            #expect(try library.entries.excerpt(of: row.id) == "")
            #expect(try library.entries.links(of: row.id) == nil)
        }
        let query = try SearchQuery("beat")
        let hits = try library.search.hits(for: query, byRelevance: true, limit: 10)
        #expect(hits.map(\.context) == [""] && hits.map(\.link) == [nil])
        let context = try library.search.context(of: query, in: hits[0].entry.id)
        #expect(context.feed == "News" && context.text == "")
        #expect(try StarredItems.write(library).hidden == 0)
        try await library.changes.perform(
            .mark(.starred, true, entries: rows.map(\.id), wholeStories: false, now: 0))
        let (data, hidden, _) = try StarredItems.write(library)
        #expect(hidden == 3 && !String(decoding: data, as: UTF8.self).contains("beat all"))

        // One by one, or stage by stage.
        try await library.changes.perform(.reveal(entry: hits[0].entry.id))
        #expect(try library.entries.detail(of: hits[0].entry.id)?.title == "What a day")
        #expect(try titles(library).contains(words))
        try await library.changes.perform(.revealStage(1, race: id, true))
        #expect(try titles(library).contains("Béa CÓSTA wins"))
    }

    /// Names are found in every spelling.
    @Test(arguments: [
        "<p>Co<b>sta</b> took it.</p>", "<p>C&oacute;s&#116;a took it.</p>", "<p>CO\u{301}STA took it.</p>",
        "<p>A day.</p><img src='a.png' alt='Costa on the line'>",
        "<p><a href='https://x.example/costa-wins'>Here</a></p>",
        "<p>東京の天気 Bea\u{A0}Costa</p>", "<p>…and—Costa—again</p>",
    ])
    func findsNamesInOtherSpellings(html: String) async throws {
        let (library, id) = try await library()
        let entry = ParsedEntry(id: "7", title: "The evening's news", html: html, date: 1_795_200_000)
        let feed = ParsedFeed([entry])
        let news = try await library.follow("https://other.example/feed")
        _ = try await library.store(feed, in: news, record: FetchRecord(date: 1_800_000_000))
        let number = try #require(try library.entries.rows(in: EntryQuery(.subscription(news)), limit: 1).first?.id)
        #expect(try library.entries.detail(of: number)?.isSpoiler == false)
        try await library.changes.perform(.hideResults(true, race: id))
        #expect(try library.entries.detail(of: number)?.isSpoiler == true)
    }

    @Test(arguments: ["<p>The costal path and Costanza's.</p>", "<p>It cost a lot.</p>", "<p>A</p>", "<p>👩‍🚀 🏴 ~</p>"])
    func doesNotTakeOtherWordsForNames(html: String) throws {
        var names = Phrases()
        let reader = WordReader()
        names.add(reader.read("Béa Costa"), alsoLastWord: true)
        #expect(!names.occur(in: reader.read(html)))
        #expect(names.occur(in: reader.read(html + " bea cósta")))
    }

    @Test func keepsResultsHiddenThroughUpdates() async throws {
        let (library, id) = try await library()
        var race = try #require(try library.races.wholeRace(id))
        let subscription = RaceSubscription(address: "https://race.example/x", raceID: id, name: "x")
        try await library.changes.perform(.followRace(race, subscription))
        try await library.changes.perform(.hideResults(true, race: id))
        try await library.changes.perform(.revealStage(1, race: id, true))
        // The stage has another number now, and the race another name.
        race.stages[0].number = 5
        race.year = 2027
        race.withdrawals = nil
        try await library.changes.perform(UpdateRace(race, subscription, at: 0))
        let now = try #require(try library.races.race("volta-2027"))
        #expect(now.stages.map(\.isSpoiler) == [true, false])
        #expect(now.stages[1].winner == "Bea Costa")
    }

    @Test func doesNotHideOtherRaces() async throws {
        let (library, _) = try await library()
        try await library.store(
            Race(race: "Tour", year: 2026, stages: [Stage(number: 1, start: "A", finish: "B", winner: "W")]))
        try await library.changes.perform(.hideResults(true, race: "volta-2026"))
        #expect(try library.races.race("tour-2026")?.stages[0].winner == "W")
        #expect(try await library.changes.perform(.hideResults(true, race: "none-2026")).count == 0)
        #expect(try await library.changes.perform(.revealStage(9, race: "volta-2026", true)).count == 0)
    }
}
