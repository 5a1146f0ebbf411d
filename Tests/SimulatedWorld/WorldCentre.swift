import Fetching
import Foundation
@testable import RaceCentre
import RaceModel

/// A race centre with a stage on every second day, and what it thinks of its guests.
struct WorldCentre {
    /// How much of a stage's result somebody has received.
    enum Level: Int, Comparable {
        case nothing, provisional, official

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
        var rows: Int { [0, 10, 11][rawValue] }
    }

    static let base = "https://centre.example"
    static let count = 3
    static let address = "aso:centre.example/2026"
    /// 22 November 2026.
    private static let firstDay: Instant = 1_795_305_600

    var behaviour = WorldEvent.Behaviour.fine
    /// The second from which it has been fine.
    var fineSince: Int64 = 0
    /// When each level of each stage was received first.
    var received: [Int: [Level: Int64]] = [:]
    private var lastRequest = Int64.min
    private var recent: [Int64] = []
    var refusedUntil = Int64.min

    static var races: KnownRaces {
        let race = KnownRace(
            id: "volta", names: ["en": "Volta"], words: [], base: base, site: nil, kind: "stage race", isWomens: false,
            country: nil, jerseys: [], start: MonthDay(month: 11, day: 22), months: [11], hasStages: true,
            years: 2020...9999, foundingYear: nil, binds: [:], obstacle: nil)
        return KnownRaces(races: [race])
    }

    /// Returns the instant of a time on a stage's day.
    static func instant(_ stage: Int, hour: Int64, minute: Int64 = 0) -> Instant {
        firstDay + Int64(stage - 1) * 2 * 86_400 + hour * 3600 + minute * 60
    }

    /// How much of a stage's result is published.
    static func level(_ stage: Int, at now: Instant) -> Level {
        if now >= instant(stage, hour: 17, minute: 22) { return .official }
        return now >= instant(stage, hour: 17, minute: 2) ? .provisional : .nothing
    }

    /// Returns what is wrong with a request, and counts it.
    mutating func request(at second: Int64) -> String? {
        recent = recent.filter { $0 > second - 3600 } + [second]
        defer { lastRequest = second }
        if second < refusedUntil { return "it refuses requests until \(refusedUntil)" }
        if second - 1 <= lastRequest, lastRequest <= second { return "another request was at \(lastRequest)" }
        return recent.count > 400 ? "these are \(recent.count) requests in an hour" : nil
    }

    /// Forgets what it has told clients, because their clock has jumped.
    mutating func forgetRequests() { (recent, refusedUntil) = ([], .min) }

    /// Answers a request.
    ///
    /// - Parameter second: The second of the world.
    mutating func answer(_ path: String, at now: Instant, second: Int64) throws(FetchError) -> SimulatedNetwork.Answer {
        if [.refused, .busy].contains(behaviour) {
            // Until the next day in the zone of the race, two hours ahead of UTC, as its guests' clock has it.
            refusedUntil = second + 86_400 - (Instant.now.seconds + 7200) % 86_400
        }
        if behaviour == .away { refusedUntil = second + WorldSite.retryAfter }
        if let failure = try WorldSite.failure(behaviour) { return failure }
        let bind = String(path.dropFirst(WorldCentre.base.count + "/api/".count))
        guard let records = records(bind, at: now), !records.isEmpty else { return .init(204) }
        let lines = records.map { record in
            "{\(record),\"_bind\":\"\(bind)\",\"_origin\":\"\(bind)\",\"_updatedAt\":\(now.seconds * 1000),\"_key\":\"_id\"}"
        }
        let body = Array("[\(lines.joined(separator: ","))]".utf8)
        if behaviour == .half { return .init(200, body: Array(body.prefix(body.count / 2)), isCut: true) }
        if let stage = WorldCentre.stage(bind, "rankingType-2026-") {
            let level = WorldCentre.level(stage, at: now)
            for level in [.provisional, level] where level > .nothing && received[stage]?[level] == nil {
                received[stage, default: [:]][level] = second
            }
        }
        return .init(200, body: body, seconds: behaviour == .slow ? 20 : 0)
    }

    private static func stage(_ bind: String, _ prefix: String) -> Int? {
        bind.hasPrefix(prefix) ? Int(bind.dropFirst(prefix.count)) : nil
    }

    private func records(_ bind: String, at now: Instant) -> [String]? {
        switch bind {
        case "stage-2026":
            return (1...WorldCentre.count).map { stage in
                """
                "stage":\(stage),"id":\(9000 + stage),"date":"2026-11-\(20 + 2 * stage)T00:00:00+00:00","type":"PLN",\
                "length":150.5,"lengthDisplay":151,"startTime":"13:00:00","endTime":"17:00:00","timezone":"UTC",\
                "departureCity":{"label":"Vila \(stage)"},"arrivalCity":{"label":"Serra \(stage)"},"_id":"s\(stage)"
                """
            }
        case "team-2026": return ["\"code\":\"CAZ\",\"name\":\"CASA\",\"nationality\":\"por\",\"_id\":\"t1\""]
        case "allCompetitors-2026":
            return (1...12).map { bib in
                """
                "bib":\(bib),"firstname":"Ana","lastname":"RIO \(bib)","lastnameshort":"RIO \(bib)",\
                "nationality":"sui","$team":"team-2026:t1","_id":"r\(bib)"
                """
            }
        default:
            guard let stage = WorldCentre.stage(bind, "rankingType-2026-") else { return nil }
            let level = WorldCentre.level(stage, at: now)
            guard level > .nothing else { return nil }
            let bibs = [stage] + (1...11).filter { $0 != stage }
            let rows = bibs.prefix(level.rows).enumerated().map { place, bib in
                """
                {"position":\(place + 1),"bib":\(bib),"absolute":\(14_400_000 + place * 1000),\
                "relative":\(place * 1000),"bonus":0,"penality":0,"$rider":"allCompetitors-2026:r\(bib)"}
                """
            }
            return ["ite", "itg"].map { type in
                """
                "type":"\(type)","checkpoint":62,"types":["N","A"],"status":"\(level == .official ? 0 : 1)",\
                "length":150.5,"rankings":[\(rows.joined(separator: ","))],"_id":"\(type)-62"
                """
            }
        }
    }
}
