import Foundation
import RaceModel

@testable import RaceCentre

/// Invented responses of a race centre, in the shapes of real ones.
enum Invented {
    static let race = KnownRace(
        id: "volta", names: ["en": "Volta a Invenção", "fr": "Tour d'Invention"], words: ["vai"],
        base: "https://centre.example.org", site: "https://www.example.org", kind: "stage race", isWomens: false,
        country: "Portugal",
        jerseys: [Jersey(classification: "general", name: "yellow jersey", color: "#ffd800")],
        start: MonthDay(month: 7, day: 4), months: [7], hasStages: true, years: 2020...9999, foundingYear: 1999,
        binds: [:],
        obstacle: nil)
    static let edition = RaceEdition(race: race, year: 2026)

    /// Returns a record with members in JSON.
    static func record(_ bind: String, _ members: String, id: String? = nil, at: Int64 = 1_783_000_000_000) -> String {
        "{\(members),\"_bind\":\"\(bind)\",\"_origin\":\"\(bind)\",\"_updatedAt\":\(at),\"_key\":\"_id\""
            + (id.map { ",\"_id\":\"\($0)\"" } ?? "") + "}"
    }

    static func body(_ records: String...) -> [UInt8] { body(records) }

    static func body(_ records: [String]) -> [UInt8] { Array("[\(records.joined(separator: ","))]".utf8) }

    // MARK: Records

    static func stage(
        _ number: Int, date: String? = nil, type: String = "PLN", length: String = "150.5", more: String = ""
    ) -> String {
        let day = date ?? "2026-07-\(number + 3 < 10 ? "0" : "")\(number + 3)"
        return record(
            "stage-2026",
            """
            "stage":\(number),"id":\(9000 + number),"date":"\(day)T00:00:00+02:00","type":"\(type)","length":\(length),
            "lengthDisplay":151,"startTime":"13:00:00","endTime":"17:00:00","timezone":"Europe/Paris",
            "departureCity":{"label":"Vila \(number)","content":{"image":"https://pictures.example.org/\(number)"}},
            "arrivalCity":{"label":"Serra \(number)"}\(more)
            """, id: "s\(number)")
    }

    static func rider(_ bib: Int, _ name: String = "", team: String = "t1", more: String = "") -> String {
        record(
            "allCompetitors-2026",
            """
            "bib":\(bib),"firstname":"Ana","lastname":"RIO \(bib) NETO","lastnameshort":"\(name.isEmpty ? "RIO \(bib)" : name)",
            "nationality":"sui","$team":"team-2026:\(team)"\(more)
            """, id: "r\(bib)")
    }

    static func team(_ id: String = "t1", _ name: String = "CASA AZUL") -> String {
        record(
            "team-2026", "\"code\":\"CAZ\",\"name\":\"\(name)\",\"nationality\":\"por\",\"color\":\"#000000\"", id: id)
    }

    static func checkpoint(
        _ number: Int, km: String, types: [String] = [], stage: Int = 1, place: String? = nil, more: String = ""
    ) -> String {
        let codes = types.map { "{\"code\":\"\($0)\",\"type\":\"x\",\"number\":\"0\"}" }.joined(separator: ",")
        return record(
            "checkpointList-2026-\(stage)",
            """
            "checkpoint":\(number),"length":\(km),"latitude":45.\(number),"longitude":5.\(number),"checkpointTypes":[\(codes)],
            "place":"\(place ?? "Lugar \(number)")","lowSchedule":"13:49:00","middleSchedule":"13:51:00",
            "highSchedule":"13:55:00"\(more)
            """, id: "c-\(number)")
    }

    static func climb(
        _ code: String = "1", length: String = "11500", state: String = "5.4", altitude: Int = 854,
        name: String = "Subida"
    )
        -> String
    {
        """
        ,"checkpointSummits":[{"code":"\(code)","length":\(length),"state":"\(state)","number":1,
        "summit":{"name":"\(name)","altitude":\(altitude)}}]
        """
    }

    static func group(
        _ order: Int, _ name: String, gap: Int = 0, togo: Int = 50_000, size: Int = 3, bibs: [Int] = [],
        more: String = ""
    ) -> String {
        let members = bibs.map { "{\"bib\":\($0),\"$rider\":\"allCompetitors-2026:r\($0)\"}" }.joined(separator: ",")
        return """
            {"order":\(order),"name":"\(name)","relative":\(gap),"remainingDistance":\(togo),
            "completedDistance":\(150_500 - togo),"speed":42,"size":\(size),"bibs":[\(members)]\(more)}
            """
    }

    static func groups(at time: String, _ groups: [String], stage: Int = 1) -> String {
        record(
            "pack-2026-\(stage)",
            "\"stage\":\(stage),\"type\":\"y\",\"date\":\"2026-07-04T\(time)+02:00\",\"groups\":[\(groups.joined(separator: ","))]",
            id: "g")
    }

    static func insights(metres: Int = 94_676, stage: Int = 1, at: Int64 = 1_783_000_000_000) -> String {
        record(
            "insights-2026-\(stage)",
            """
            "Temperature_C":29.17,"WindDirection":315,"AvgWindSpeed_kph":13,"kmDistanceFromStart":\(metres),
            "kphAverageSpeed":"48.3","WeatherIcon":"02d"
            """, id: "stageInfo", at: at)
    }

    static func news(
        _ id: String, at time: String, _ title: String, text: String = "", picto: String = "liv_attack",
        model: String = "news"
    )
        -> String
    {
        record(
            "publication_en-2026-1",
            """
            "model":"\(model)","type":"liv","publicationAt":"2026-07-04T\(time)+02:00","title":"\(title)","text":["\(text)"],
            "picto":"\(picto)","highlight":true,"createdBy":"somebody"
            """, id: id)
    }

    static func row(_ position: Int, _ bib: Int, absolute: Int = 0, relative: Int = 0, bonus: Int = 0, penalty: Int = 0)
        -> String
    {
        """
        {"position":\(position),"bib":\(bib),"absolute":\(absolute),"relative":\(relative),"bonus":\(bonus),\
        "penality":\(penalty),"$rider":"allCompetitors-2026:r\(bib)"}
        """
    }

    static func ranking(
        _ type: String, _ rows: [String], status: String = "0", checkpoint: Int = 62, types: String = "\"N\",\"A\"",
        stage: Int = 1, km: String = "150.5", more: String = "", bind: String = "rankingType",
        at: Int64 = 1_783_000_000_000
    ) -> String {
        record(
            "\(bind)-2026-\(stage)",
            """
            "type":"\(type)","checkpoint":\(checkpoint),"types":[\(types)],"status":"\(status)","length":\(km),
            "rankings":[\(rows.joined(separator: ","))]\(more)
            """, id: "\(type)-\(checkpoint)", at: at)
    }

    /// Returns rows of a list of times: numbers 1, 2 … with a second more each.
    static func times(_ count: Int, from first: Int = 13_201_000) -> [String] {
        (0..<count).map { row($0 + 1, $0 + 1, absolute: first + $0 * 1000, relative: $0 * 1000) }
    }

    /// The instant of a time on 4 July 2026 in Paris.
    static func instant(_ time: String, day: Int = 4) -> Instant {
        CentreTime.instant("2026-07-\(day < 10 ? "0" : "")\(day)T\(time)+02:00")?.instant ?? 0
    }

    // MARK: Changes

    /// Values that no reader expects.
    private static let oddities = [
        "null", "-4", "0", "999", "1e308", "-1e308", "99999999999999999999", "\"5,1\"", "\"\"", "\"x\"", "[]", "{}",
        "true",
        "[[1]]", "{\"a\":1}", "\"2026-99-99\"", "\"\\ud800\"", "2", "-1", "1e6", "\"2026-07-04T23:59:59+02:00\"",
        "\"A\"",
    ]

    /// Returns a body in which some values are others of any type.
    static func changed(_ body: [UInt8], values: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        var pieces = String(decoding: body, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        for _ in 0..<values {
            let index = Int.random(in: 1..<pieces.count, using: &random)
            guard let end = pieces[index].firstIndex(where: { ",}]".contains($0) }), pieces[index].first != "[" else {
                continue
            }
            let value = oddities[Int.random(in: 0..<oddities.count, using: &random)]
            pieces[index] = value[...] + pieces[index][end...]
        }
        return Array(pieces.joined(separator: ":").utf8)
    }
}
