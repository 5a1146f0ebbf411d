import LibraryKernel
import LibraryTesting
import ModelCore
import RaceModel
import Races
import Testing

/// Every place of the dashboard has a text.
@Suite struct NamesPlaces {
    private static let texts = [
        "feeds", "stages", "settings", "unread", "all", "starred", "later", "archived", "recent", "hidden",
        "folder:News",
        "folder:a b: c@d", "folder@3:News", "tag:work", "search:is:unread tag:work", "search:\"a b\" -c",
        "feed:https://example.org/feed?a=b", "feed:exec:~/bin/feed", "entry:12", "entry:12@search:giro",
        "entry:9@unread",
        "entry:9@feed:https://me@example.org/", "race:giro-2026", "race:giro/12", "settings:appearance.theme",
        "settings:segments",
    ]

    @Test(arguments: texts) func aTextNamesOnePlace(_ text: String) throws {
        let place = try Place(text)
        #expect(place.text == text)
        #expect(try Place(place.text) == place)
    }

    @Test func understandsOtherSpellings() throws {
        #expect(try Place("settings:theme").text == "settings:appearance.theme")
    }

    /// Texts come from other programs.
    @Test(arguments: [
        "", " ", "x", "Feeds", "feed:", "folder:", "tag:", "folder@x:News", "folder@99999999999999999999:N", "entry:",
        "entry:0", "entry:-1", "entry:1x", "entry:٣", "entry:99999999999999999999", "entry:1@", "entry:1@entry:2",
        "entry:1@race:x", "race:", "race:/3", "race:a/", "race:a/b", "race:a/3/4", "race:a/99999999999999999999",
        "race:a/1000", "settings:", "settings:none", "search:(", "unread\n", "tag:a\u{1B}[2J", "tag:\u{0}",
        "folder:a\u{9B}",
        "tag:" + String(repeating: "a", count: 3000),
    ])
    func refusesEverythingElse(_ text: String) {
        #expect(throws: Place.Problem.self) { try Place(text) }
    }

    @Test func listsOfPlacesKeepTheirOrder() throws {
        let list = try #require(PlaceList("feeds \"search:is:unread tag:work\" stages feeds"))
        #expect(list.text == "feeds \"search:is:unread tag:work\" stages")
        #expect(PlaceList(list.text) == list)
        #expect(list.adding(try Place("tag:x")).places.last?.text == "tag:x" && list.adding(list.places[0]) == list)
        #expect(list.moving(0, to: 2)?.places.map(\.segment) == [.feeds, .stages, .feeds])
        for (index, target) in [(0, 0), (-1, 0), (0, 3), (3, 0)] { #expect(list.moving(index, to: target) == nil) }
        #expect(list.removing(list.places[1])?.text == "feeds stages")
        #expect(PlaceList([list.places[0]]).removing(list.places[0]) == nil)
        for text in ["", "feeds x", "entry:3", "race:a/3", "settings:theme"] { #expect(PlaceList(text) == nil) }
        #expect(PlaceList((0...PlaceList.maximum).map { "tag:\($0)" }.joined(separator: " ")) == nil)
    }

    @Test func whatEntriesAndStagesMakeOfSegments() throws {
        for (text, segment) in [
            ("entry:12", nil), ("entry:12@tag:a", "tag:a"), ("race:giro/12", "race:giro"), ("settings:theme", nil),
            ("unread", "unread"),
        ] { #expect(try Place(text).forSegment?.text == segment) }
    }

    /// A race by its identifier, its name without the year, or the beginning of it, if that is clear.
    @Test func findsRacesByTheBeginningOfTheirNames() async throws {
        let library = try Library(path: nil)
        for (name, year) in [
            ("Giro d'Italia", 2025), ("Giro d'Italia", 2026), ("Tour de A", 2026), ("Tour de B", 2026),
        ] {
            try await library.store(Race(race: name, year: year, stages: [Stage(number: 1, start: "A", finish: "B")]))
        }
        func found(_ name: String) throws -> String? { try PlaceNames(library).race(named: name)?.id }
        #expect(try found("giro") == "giro-d-italia-2026" && found("giro-d-italia") == "giro-d-italia-2026")
        #expect(try found("giro-d-italia-2025") == "giro-d-italia-2025")
        #expect(try found("tour") == nil && found("tour-de-a") == "tour-de-a-2026" && found("gir") == nil)
    }

    @Test func findsPlacesInTheLibrary() async throws {
        let library = try Library(path: nil)
        let url = "https://example.org/feed"
        func problem(_ text: String) throws -> String? { try PlaceNames(library).problem(of: Place(text), now: 0) }
        #expect(try problem("feed:" + url) != nil && problem("entry:1") != nil && problem("race:giro") != nil)
        let feed = try await library.follow(url)
        #expect(try problem("feed:" + url) == nil)
        #expect(try PlaceNames(library).scope(of: .feed(url), now: 0) == .subscription(feed))
        #expect(try PlaceNames(library).list(of: .subscription(feed)) == .feed(url))
        for text in Self.texts {
            guard let list = Place.List(text), let scope = try PlaceNames(library).scope(of: list, now: 0) else {
                continue
            }
            #expect(try PlaceNames(library).list(of: scope) == list, "\(text)")
            #expect(try !PlaceNames(library).title(of: list).isEmpty)
            _ = try PlaceNames(library).counter(of: list)
        }
        #expect(try PlaceNames(library).placesForSegments().contains { $0.place == .list(.feed(url)) })
    }
}
