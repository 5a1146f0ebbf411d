import Foundation
import RaceModel
import Testing

@testable import ModelCore
@testable import Races

/// Calendars of races as organisers and fans write them.
@Suite struct ReadsRaceCalendars {
    private func race(_ events: [(day: String, summary: String, more: String)]) throws -> Race {
        let lines = events.enumerated().map { number, event in
            """
            BEGIN:VEVENT
            UID:\(number)
            DTSTART;VALUE=DATE:\(event.day)
            SUMMARY:\(event.summary)
            \(event.more)
            END:VEVENT
            """
        }
        let text = "BEGIN:VCALENDAR\nX-WR-CALNAME:Volta 2027\n\(lines.joined(separator: "\n"))\nEND:VCALENDAR\n"
        return try RaceFile.read(Data(text.utf8), name: "x")
    }

    @Test func ownNumbersWinOverCounting() throws {
        let race = try race([
            ("20270701", "Team presentation", ""), ("20270712", "Stage 9: Aro – Bel", ""),
            ("20270713", "Rest day", ""), ("20270715", "Stage 11 | Cor > Dun (201,5 km)", "STATUS:CANCELLED"),
            ("20270714", "Stage 10 (ITT): Bel, 24 km", ""), ("20270720", "Podium party", ""),
        ])
        #expect(race.race == "Volta" && race.year == 2027 && race.restDays == ["2027-07-13"])
        #expect(race.stages.map(\.number) == [9, 10, 11])
        #expect(
            race.stages.map(\.start) == ["Aro", "Bel", "Cor"] && race.stages.map(\.finish) == ["Bel", "Bel", "Dun"])
        #expect(race.stages.map(\.distance) == [nil, 24, 201.5])
        #expect(race.stages.map(\.isCancelled) == [false, false, true])
    }

    @Test(
        arguments: [
            ("Prologue: Aro - Bel", 0, "Aro", "Bel", nil), ("12. Etappe: Aro - Bel", 12, "Aro", "Bel", nil),
            ("Etapa 7 Aro → Bel 180km", 7, "Aro", "Bel", 180), ("Volta - Tappa 3 - Aro - Bel", 3, "Aro", "Bel", nil),
            ("3e étape : Aro > Bel (99.9 km)", 3, "Aro", "Bel", 99.9), ("Aro - Bel (Stage 5)", 5, "Aro", "Bel", nil),
            ("Stage 2", 2, "Stage 2", "Stage 2", nil), ("Volta 4: Aro → Bel", 4, "Aro", "Bel", nil),
            ("2nd stage: Aro", 2, "Aro", "Aro", nil),
            ("Stage 21: St. Aro-sur-Mer - Bel (city)", 21, "St. Aro-sur-Mer", "Bel (city)", nil),
            ("S4 | Aro to Bel (150,5 km)", 4, "Aro", "Bel", 150.5), ("Volta #6 - Aro–Bel 99 km", 6, "Aro", "Bel", 99),
            ("Stage 3: Aro - Bel (ITT 12 km, flat)", 3, "Aro", "Bel", 12),
            ("Stage 3 - Aro - Bel (TTT)", 3, "Aro", "Bel", nil),
            ("Volta: Aro - Bel", 1, "Aro", "Bel", nil), ("Aro - Bel", 1, "Aro", "Bel", nil),
        ] as [(String, Int, String, String, Double?)])
    func readsSummaries(summary: String, number: Int, start: String, finish: String, distance: Double?) throws {
        let stage = try #require(try race([("20270712", summary, "")]).stages.first)
        #expect(stage.number == number && stage.start == start && stage.finish == finish && stage.distance == distance)
    }

    /// Halves of a stage have one number in the race, and all keep theirs.
    @Test func RAC_09_halvesKeepTheirNumbers() throws {
        for (first, second, names) in [
            ("Stage 3b: Dom - Dom (12 km)", "Stage 3a: Cor - Dom", ["3a", "3b"]),
            ("3A. Etappe Cor - Dom", "3B. Etappe Dom - Dom", ["3a", "3b"]),
            ("Stage 3: Cor - Dom", "Stage 3: Dom - Eno", ["3a", "3b"]),
        ] {
            let race = try race([
                ("20270711", "Prologue: Aro", ""), ("20270714", "Stage 4: Dom - Eno", ""),
                ("20270713", first, ""), ("20270713", second, ""), ("20270712", "Stage 2: Bel - Cor", ""),
            ])
            #expect(race.stages.map(\.name) == ["0", "2"] + names + ["4"], "\(first)")
            #expect(race.stages.map(\.number) == [0, 1, 2, 3, 4])
            #expect(race.stages.map(\.date) == [11, 12, 13, 13, 14].map { "2027-07-\($0)" })
        }
        // The letters of halves on other days count, those of ordinals don't.
        let days = try race([
            ("20270712", "1a tappa: A - B", ""), ("20270713", "1b tappa: B - C", ""),
            ("20270714", "2a tappa: C - D", ""),
        ])
        #expect(days.stages.map(\.name) == ["1a", "1b", "2"])
        // Numbers that repeat on other days are no halves.
        let repeated = try race([("20270712", "Stage 1: Aro - Bel", ""), ("20270713", "Stage 1: Bel - Cor", "")])
        #expect(repeated.stages.map(\.name) == ["1", "2"])
    }

    @Test func countsStagesWithoutNumbers() throws {
        let counted = try race([
            ("20270713", "Bel - Cor", ""), ("20270712", "Aro - Bel", "DESCRIPTION:150 km\\, hilly"),
        ])
        #expect(counted.stages.map(\.number) == [1, 2] && counted.stages.map(\.distance) == [150, nil])
        let types = try race([
            ("20270711", "Prologue: Aro", ""), ("20270712", "Stage 1 (TTT): Aro", ""), ("20270713", "Stage 2: Aro", ""),
            ("20270714", "Stage 3: individual time trial in Aro", ""),
        ]).stages.map(\.type)
        #expect(types == ["prologue", "team time trial", nil, "individual time trial"])
        for words in ["Jour de repos", "Ruhetag", "Rest day 2 in Aro", "Día de descanso"] {
            let rested = try race([
                ("20270712", "Aro - Bel", ""), ("20270713", words, ""), ("20270714", "Bel - Cor", ""),
            ])
            #expect(rested.stages.count == 2 && rested.restDays == ["2027-07-13"], "\(words)")
        }
    }
}
