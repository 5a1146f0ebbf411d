import CommonTesting
import Foundation
import LibraryTesting
import RaceModel
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import Races

@Suite struct RaceFileTests {
    @Test func STA_07_storesARaceUnchanged() async throws {
        let json = """
            {"race":"Tour of X","year":2024,"rest_days":["2024-05-02"],"stages":[
            {"number":2,"start":"B","finish":"B","distance_km":12.8},
            {"number":1,"date":"2024-05-01","start":"A","finish":"B","distance_km":209,"start_lat_lon":[1.5,2]}]}
            """
        let race = try RaceFile.read(Data(json.utf8))
        #expect(race.stages.map(\.number) == [1, 2])
        #expect(race.stages.map(\.route) == ["A → B", "B"])
        let library = try await Library.storing(race)
        #expect(race.id == "tour-of-x-2024")
        var stored = try library.races.race(race.id)
        stored?.overall = nil
        stored?.isWhole = true
        #expect(stored == race)
    }

    @Test(arguments: [
        ("{", "invalid JSON"), ("{\"year\":2024,\"stages\":[]}", "race is missing"),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":1,\"start\":\"A\",\"finish\":\"B\",\"distance_km\":-4}]}",
            "stage 1: distance_km is -4.0"
        ),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":1,\"start\":\"A\"}]}",
            "stages, item 1: finish is missing"
        ),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":1,\"start\":\"A\",\"finish\":\"B\",\"date\":\"2024-02-30\"}]}",
            "'2024-02-30' is not a date"
        ),
        (
            "{\"race\":\"X\",\"year\":1,\"rest_days\":[\"2024-02-30\"],\"stages\":[]}",
            "rest_days: '2024-02-30' is not a date"
        ),
        ("{\"race\":\"X\",\"year\":12345,\"stages\":[]}", "year: 12345 is not a year"),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":-1,\"start\":\"A\",\"finish\":\"\"}]}",
            "line 1: stage -1: expected a number from 0 to 9999; line 1: stage -1: start or finish is missing"
        ),
    ])
    func errorsNameTheirPosition(json: String, words: String) {
        #expect { try RaceFile.read(Data(json.utf8)) } throws: { "\($0)".contains(words) }
    }

    @Test func limitsTextsAndLists() throws {
        let long = String(repeating: "x", count: 1001)
        let stage = Stage(number: 1, start: "A", finish: "B")
        func problem(_ change: (inout Race) -> Void) throws -> String {
            var race = Race(race: "X", year: 2024, stages: [stage])
            change(&race)
            let data = try RaceFile.write(race)
            let error = #expect(throws: RaceFileError.self) { try RaceFile.read(data) }
            // Another test checks the position.
            return (error?.description ?? "").replacing(/line [0-9]+/, with: "line L")
        }
        #expect(try problem { $0.race = long } == "line L: race: longer than 1000 bytes")
        #expect(try problem { $0.overall = [long] } == "line L: overall: longer than 1000 bytes")
        #expect(
            try problem { $0.restDays = Array(repeating: "2024-02-01", count: 1001) }
                == "line L: rest_days: more than 1000")
        #expect(try problem { $0.stages[0].winner = long } == "line L: stage 1, winner: longer than 1000 bytes")
        #expect(try problem { $0.riders = [Rider(name: "")] } == "line L: riders, item 1: empty name")
        let left = Withdrawal(rider: "A", stage: 1)
        #expect(
            try problem { $0.withdrawals = Array(repeating: left, count: 2001) }
                == "line L: withdrawals: more than 2000")
        let address = "https://example.org/" + String(repeating: "x", count: 8 << 10)
        #expect(try problem { $0.stages[0].imageURL = address } == "line L: stage 1, image_url: longer than 8192 bytes")
    }

    @Test func STA_07_readsAChangedFolder() async throws {
        let temporary = TemporaryFolder()
        let folder = temporary.url
        func write(_ name: String, _ text: String) throws {
            try folder.write(text, to: name)
        }
        func event(_ day: String) -> String {
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:\(day)\nSUMMARY:A - B\nEND:VEVENT\nEND:VCALENDAR\n"
        }
        try write("tour.ics", event("20270701"))
        // A table is no race file.
        try write("table.csv", "number,start,finish\n1,A,B\n")
        try write("notes.txt", "no race")
        try write("broken.json", "{")
        let library = try Library(path: nil)
        #expect(try await RaceFolder.read(folder.path, into: library) == ["broken.json: line 1: invalid JSON"])
        #expect(try library.races.all().map(\.id) == ["tour-2027"])
        // A removed race stays away until its file changes; a broken file is reported until it is fixed.
        try await library.changes.perform(.removeRace("tour-2027"))
        #expect(try await RaceFolder.read(folder.path, into: library).count == 1)
        #expect(try library.races.all().isEmpty)
        try write("tour.ics", event("20270701") + event("20270702"))
        try write("broken.json", "{\"race\":\"X\",\"year\":2026,\"stages\":[]}")
        #expect(try await RaceFolder.read(folder.path, into: library).isEmpty)
        #expect(try library.races.all().map(\.stageCount) == [2, 0])
        #expect(try await RaceFolder.read("/no/such/folder", into: library).isEmpty)
        let file = folder.path + "/tour.ics"
        #expect(try await RaceFolder.read(file, into: library) == ["\(file) is not a directory"])
    }

    @Test func STA_07_findsTheNextStageOfAllRaces() async throws {
        let library = try Library(path: nil)
        for (name, days) in [("A", ["2027-05-08", "2027-05-09"]), ("B", ["2027-05-09", "2027-05-11"]), ("C", [])] {
            let stages = days.enumerated().map { Stage(number: $0 + 1, date: $1, start: "X", finish: "Y") }
            try await library.store(Race(race: name, year: 2027, stages: stages))
        }
        func next(_ day: String) throws -> String? {
            let from = try #require(CalendarDay(day))
            return try library.races.nextStage(from: from).map { "\($0.raceID) \($0.stage.number)" }
        }
        #expect(try next("2026-01-01") == "a-2027 1")
        // On the same day, the first race of the list.
        #expect(try next("2027-05-09") == "a-2027 2")
        #expect(try next("2027-05-10") == "b-2027 2")
        #expect(try next("2027-05-12") == nil)
    }

    /// Calendars with any dates are rejected, or have valid days.
    @Test func checksCalendarsOfAnyDates() {
        let dates = [
            "99999999", "00000000", "00010101", "99991231", "20270230", "-20270101", "99991231T235959Z",
            "0001010100000Z",
            String(repeating: "9", count: 400), "", "T", "20270101T999999Z", "2027",
        ]
        for date in dates {
            for start in ["DTSTART:\(date)", "DTSTART;VALUE=DATE:\(date)", "DTSTART;TZID=Europe/Rome:\(date)"] {
                let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(start)\nSUMMARY:A - B\nEND:VEVENT\nEND:VCALENDAR\n"
                guard let race = try? RaceFile.read(Data(text.utf8), name: "T") else { continue }
                #expect(race.stages.allSatisfy { $0.day != nil }, "\(start)")
            }
        }
    }

    @Test func readsCalendars() throws {
        let text = """
            BEGIN:VCALENDAR\r\nX-WR-CALNAME:Giro\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20270511\r\nSUMMARY:Stage 2: Lecce\\, old
             town - Matera\r\nURL:https://race.example/2\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART:20270510T100000Z
            SUMMARY:Bari → Lecce\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nDTSTART:20279999\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR
            """
        let race = try RaceFile.read(Data(text.utf8), name: "file")
        #expect(race.race == "Giro" && race.year == 2027)
        // The name of tappa's own calendars ends in the year; another number belongs to the name.
        for (name, title) in [("Giro 2027", "Giro"), ("Giro 2026", "Giro 2026"), (" 2027", " 2027")] {
            let other = text.replacing("X-WR-CALNAME:Giro", with: "X-WR-CALNAME:" + name)
            #expect(try RaceFile.read(Data(other.utf8), name: "file").race == title)
        }
        #expect(race.stages.map(\.route) == ["Bari → Lecce", "Lecce, oldtown → Matera"])
        #expect(race.stages.map(\.date) == ["2027-05-10", "2027-05-11"])
        #expect(race.stages[1].articleURL == "https://race.example/2")
        #expect(throws: RaceFileError.self) {
            try RaceFile.read(Data("BEGIN:VCALENDAR\nEND:VCALENDAR".utf8), name: "x")
        }
    }
}
