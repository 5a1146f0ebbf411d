import Foundation
import RaceModel
import Testing

@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// Days of each kind of stage, with documents that are cut off and programs that end. What the library has is compared
/// with what the race centre sent, as another reader understands it.
@Suite struct PlaysDaysOfEachKind {
    enum Kind: CaseIterable { case road, trial, teamTrial, shortened, cancelled, neutralised }

    @Test(arguments: Kind.allCases) func hasEveryValueAndNoneEarly(kind: Kind) async throws {
        let day = InventedDay(kind: kind)
        let centre = try LoopbackCentre(now: Invented.instant("12:20:00"))
        let library = try Library(path: nil)
        library.attach(KnownRaceReader { centre.races })
        func program() -> RaceFollowService {
            RaceFollowService(library: library, clock: { centre.now }, pause: { centre.now += $0 })
        }
        var service = program()
        var sent = SentDocuments()
        let first = day.bodies(at: centre.now)
        for (bind, records) in first { centre.serve(bind, Invented.body(records)) }
        let followed = try await service.read(centre.address)
        for request in centre.log { try sent.add(request.bind, first[request.bind] ?? [], at: request.at) }
        try await library.changes.perform(followed.change)
        var step = 0
        while centre.now < Invented.instant("19:00:00") {
            let now = centre.now
            step += 1
            let (bodies, isCut) = (day.bodies(at: now), step % 5 == 3)
            for (bind, records) in bodies {
                let body = Invented.body(records)
                centre.serve(bind, isCut ? Array(body.prefix(body.count / 2)) : body)
            }
            let before = centre.log.count
            _ = try await service.update(reason: .timer)
            for request in centre.log.dropFirst(before) where !isCut {
                try sent.add(request.bind, bodies[request.bind] ?? [], at: request.at)
            }
            let race = try #require(try library.races.wholeRace(followed.race.id))
            try #require(
                sent.differences(from: race.stages[0], kind).isEmpty,
                "\(now): \(sent.differences(from: race.stages[0], kind))")
            // Tokyo, Sydney, Los Angeles, Paris and Kiritimati.
            for hours: Int64 in [9, 10, -7, 2, 14] {
                let next = try library.races.nextStage(from: CalendarDay(instant: now + hours * 3600), at: now)
                #expect(next?.stage.number == 1 && next?.isToday == true, "\(hours) \(now)")
            }
            // Another program goes on.
            if step % 4 == 0 { service = program() }
            centre.now = max(centre.now, now + 300)
        }
        #expect(sent.hasSeenEverything(kind), "\(kind)")
    }
}

/// The documents that a program got completely, read without the code of the program.
private struct SentDocuments {
    private var newest: [String: (records: [[String: Any]], at: Instant)] = [:]
    private var winners: [String?] = []

    mutating func add(_ bind: String, _ records: [String], at: Instant) throws {
        let body = try JSONSerialization.jsonObject(with: Data(Invented.body(records))) as? [[String: Any]] ?? []
        if !body.isEmpty { newest[bind] = (body, at) }
        if bind.hasPrefix("rankingType-") { winners.append(winner) }
    }

    private func records(_ name: String, _ type: String? = nil) -> [[String: Any]] {
        (newest["\(name)-2026-1"]?.records ?? []).filter { type == nil || $0["type"] as? String == type }
    }

    private func rows(_ type: String) -> [(bib: Int, gap: Int)] {
        let rows = records("rankingType", type).first?["rankings"] as? [[String: Any]] ?? []
        func number(_ row: [String: Any], _ key: String) -> Int { row[key] as? Int ?? 0 }
        return rows.filter { number($0, "position") > 0 }.sorted { number($0, "position") < number($1, "position") }
            .map { (number($0, "bib"), number($0, "relative") / 1000) }
    }

    /// The winner by the rules of the publisher: official, or provisional with nobody on the road.
    private var winner: String? {
        let status = records("rankingType", "ite").first?["status"] as? String
        let isTrial = ["PAS", "EQU"].contains(newest["stage-2026"]?.records[0]["type"] as? String)
        let isLate = newest["rankingType-2026-1"].map { $0.at >= Invented.instant("17:00:00") } ?? false
        let isOver = status == "0" || status == "1" && (!isTrial || isLate && rows("ite").count == 12)
        guard isOver, let first = rows("ite").first else { return nil }
        return rows("ttt").first.map { $0.bib <= 6 ? "CASA AZUL" : "VERDE" } ?? "Ana Rio \(first.bib)"
    }

    func hasSeenEverything(_ kind: PlaysDaysOfEachKind.Kind) -> Bool {
        let known = Set(winners.compactMap { $0 })
        switch kind {
        case .cancelled, .neutralised: return known.isEmpty && !winners.isEmpty
        case .trial: return known.count == 2 && winners.first == .some(nil)
        case .road, .teamTrial, .shortened: return known.count == 1 && winners.first == .some(nil)
        }
    }

    /// Returns the values of a stage that aren't those of the documents.
    func differences(from stage: Stage, _ kind: PlaysDaysOfEachKind.Kind) -> [String] {
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ own: Value, _ sent: Value) {
            if own != sent { found.append("\(name): \(own), sent \(sent)") }
        }
        compare("winner", stage.winner?.lowercased(), winner?.lowercased())
        compare("order", stage.results?.map(\.rider) ?? [], rows("ite").map { String($0.bib) })
        compare("gaps", stage.results?.dropFirst().map(\.gap) ?? [], rows("ite").dropFirst().map(\.gap))
        compare("general", stage.general?.map(\.rider) ?? [], rows("itg").map { String($0.bib) })
        compare("teams", stage.stageTeams?.count ?? 0, rows("ttt").count)
        compare("split", stage.splits?.first?.placings?.map(\.rider) ?? [], rows("itt").map { String($0.bib) })
        compare("ticker", stage.ticker?.count ?? 0, records("publication_en").count)
        let announced = newest["stage-2026"]?.records[0]
        compare("distance", stage.distance, announced?["length"] as? Double ?? stage.distance)
        compare("cancelled", stage.isCancelled, announced?["isCancelled"] as? Bool ?? false)
        let climb = stage.climbs?.first.map { $0.winner }
        if let climb { compare("climb", climb, rows("ime").first.map { "Ana Rio \($0.bib)" }) }
        if stage.winner == nil, let metres = records("insights").first?["kmDistanceFromStart"] as? Int {
            let left = ((stage.distance ?? 0) - Double(metres) / 1000) * 1000
            compare("to go", stage.live?.kmToGo.map { ($0 * 1000).rounded() }, max(0, left).rounded())
        }
        return found
    }
}

/// The documents of a stage on 4 July from 13:00 to 17:00, by the time of day.
private struct InventedDay {
    let kind: PlaysDaysOfEachKind.Kind

    private static let (start, cancelled, provisional, official) = (
        Invented.instant("13:00:00"), Invented.instant("14:30:00"), Invented.instant("16:52:00"),
        Invented.instant("17:30:00")
    )

    private var isTrial: Bool { kind == .trial || kind == .teamTrial }

    /// The seconds that a rider needs. Late riders are faster, so that the order changes to the end.
    private func duration(_ bib: Int) -> Int64 { 1800 - Int64(bib) * 20 + Int64(bib % 3) * 45 }

    /// The riders who have ridden a part of their way at an instant, the fastest first.
    private func arrived(_ part: Double, at now: Instant) -> [Int] {
        (1...12).filter { bib in
            InventedDay.start + Int64(bib - 1) * 1200 + Int64(clamping: Double(duration(bib)) * part) <= now
        }.sorted { (duration($0), $0) < (duration($1), $1) }
    }

    private func rows(_ bibs: [Int]) -> [String] {
        bibs.enumerated().map { place, bib in
            Invented.row(place + 1, bib, absolute: 1_500_000 + place * 7000, relative: place * 7000)
        }
    }

    func bodies(at now: Instant) -> [String: [String]] {
        let type = kind == .trial ? "PAS" : kind == .teamTrial ? "EQU" : "PLN"
        let isCancelled = kind == .cancelled && now >= InventedDay.cancelled
        let stage = Invented.stage(
            1, type: type, length: kind == .shortened && now >= InventedDay.start - 1200 ? "110.5" : "150.5",
            more: isCancelled ? ",\"isCancelled\":true" : "")
        var bodies = [
            "stage-2026": [stage, Invented.stage(2, date: "2026-07-06")],
            "team-2026": [Invented.team(), Invented.team("t2", "VERDE")],
            "allCompetitors-2026": (1...12).map { Invented.rider($0, team: $0 <= 6 ? "t1" : "t2") },
            "checkpointList-2026-1": [
                Invented.checkpoint(9, km: "150.5", types: ["A"]),
                Invented.checkpoint(3, km: "90", more: isTrial ? "" : Invented.climb(name: "Alta")),
                Invented.checkpoint(1, km: "0", types: ["R"]),
            ],
        ]
        guard now >= InventedDay.start else { return bodies }
        let ridden = Int(now.seconds(since: InventedDay.start))
        bodies["insights-2026-1"] = [
            Invented.insights(metres: isTrial ? 0 : min(110_000, ridden * 10), at: now.seconds * 1000)
        ]
        bodies["publication_en-2026-1"] = (0...ridden / 600).map { index in
            let at = CentreTime.text(InventedDay.start + Int64(index) * 600, offset: 7200)
            return Invented.news("n\(index)", at: String(at.dropFirst(11).prefix(8)), "Line \(index)")
        }
        bodies["rankingType-2026-1"] = isTrial ? trial(at: now) : road(at: now)
        return bodies
    }

    private func trial(at now: Instant) -> [String] {
        let isOfficial = now >= InventedDay.official
        var order = arrived(1, at: now)
        // A correction.
        if isOfficial, kind == .trial { order.swapAt(0, 1) }
        let status = isOfficial ? "0" : kind == .trial ? "1" : "2"
        var lists = [Invented.ranking("ite", rows(order).reversed(), status: status)]
        if isOfficial { lists.append(Invented.ranking("itg", rows(order), status: status)) }
        let passed = arrived(0.5, at: now)
        if !passed.isEmpty {
            lists.append(Invented.ranking("itt", rows(passed), status: status, checkpoint: 3, types: "\"C\"", km: "75"))
        }
        let teams = order.count < 12 ? [] : [7, 1]
        if kind == .teamTrial, !teams.isEmpty { lists.append(Invented.ranking("ttt", rows(teams), status: status)) }
        return lists
    }

    private func road(at now: Instant) -> [String] {
        let status = now < InventedDay.provisional ? "2" : now < InventedDay.official ? "1" : "0"
        let bibs =
            status == "2" || kind == .neutralised || kind == .cancelled ? [] : [5, 3, 9, 1, 2, 4, 6, 7, 8, 10, 11]
        var lists = [Invented.ranking("ite", rows(bibs).reversed() + [Invented.row(-1, 12)], status: status)]
        if !bibs.isEmpty { lists.append(Invented.ranking("itg", rows(bibs), status: status)) }
        if now >= Invented.instant("15:00:00") {
            let km = kind == .shortened ? "50" : "90"
            lists.append(Invented.ranking("ime", rows([8, 4]), status: status, checkpoint: 3, types: "", km: km))
        }
        return lists
    }
}
