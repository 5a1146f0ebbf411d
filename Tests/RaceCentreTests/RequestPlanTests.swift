import CommonTesting
import Foundation
import Platform
import Testing

@testable import RaceCentre

@Suite struct RequestPlanTests {
    /// Three stages from 4 to 6 July, each from 13:00 to 17:00.
    private let stages: [CentreStage]

    init() throws {
        stages = try CentreStage.read(Invented.body((1...3).map { Invented.stage($0) }), bind: "stage-2026")
    }

    private func context(
        _ audience: RaceAudience = .notifications, togo: Double? = nil, at: Instant? = nil
    ) -> RequestContext {
        RequestContext(stages: stages, audience: audience, kmToGo: togo, kmToGoAt: at)
    }

    /// Runs a plan from one instant to another and returns the requests, all of which succeed.
    private func run(
        _ plan: inout RequestPlan, from start: Instant, to end: Instant, _ context: RequestContext, seed: UInt64 = 1
    ) -> [(at: Instant, endpoint: Endpoint)] {
        var random = SeededGenerator(seed: seed)
        var (now, requests): (Instant, [(Instant, Endpoint)]) = (start, [])
        while now < end, requests.count < 2000 {
            switch plan.next(at: now, in: context) {
            case .request(let endpoint):
                requests.append((now, endpoint))
                plan.record(
                    .response(status: 200), of: endpoint, at: now, jitter: .random(in: 0.9...1.1, using: &random))
            case .wait(let until):
                #expect(until > now)
                now = max(until, now + 1)
            }
        }
        return requests
    }

    private func pauses(_ requests: [(at: Instant, endpoint: Endpoint)], _ endpoint: Endpoint) -> [Int64] {
        let instants = requests.filter { $0.endpoint == endpoint }.map(\.at)
        return zip(instants.dropFirst(), instants).map { $0.seconds(since: $1) }
    }

    @Test func asksForTheStagesBeforeAnythingElse() {
        var plan = RequestPlan()
        let day = Invented.instant("09:00:00")
        let requests = run(&plan, from: day, to: day + 600, RequestContext())
        #expect(requests.map(\.endpoint) == [.stages, .teams, .competitors])
        #expect(pauses(requests, .stages) == [])
    }

    @Test func onceADayAsksForTheEditionAndTheRoadBookOfToday() {
        var plan = RequestPlan()
        let requests = run(
            &plan, from: Invented.instant("07:00:00", day: 5), to: Invented.instant("07:00:00", day: 6) + 7200,
            context())
        let counts = Dictionary(grouping: requests, by: \.endpoint).mapValues(\.count)
        for endpoint in [Endpoint.stages, .teams, .competitors] { #expect((1...2).contains(counts[endpoint] ?? 0)) }
        // Yesterday's rankings, then the road book of the day and of the coming stage.
        #expect(counts[.rankings(stage: 1)] == 1 || counts[.rankings(stage: 1)] == 2)
        #expect(
            counts[.checkpoints(stage: 2)] ?? 0 >= 1 && counts[.checkpoints(stage: 3)] == 2
                || counts[.checkpoints(stage: 3)] == 1)
        #expect(counts[.groups(stage: 2)] == nil)
    }

    /// Nobody asked after the middle of a stage: a computer was off, or the race centre refused requests.
    @Test(arguments: [5, 6, 7, 8, 20]) func readsHalvesOfAStageAgain(day: Int) {
        var plan = RequestPlan()
        let middle = Invented.instant("14:00:00")
        let before = run(&plan, from: middle, to: middle + 3600, context(.livePage, togo: 90, at: middle + 3600))
        let halves = [Endpoint.rankings(stage: 1), .ticker(language: "en", stage: 1)]
        for endpoint in halves { #expect(before.contains { $0.endpoint == endpoint }) }
        let morning = Invented.instant("08:00:00", day: day)
        let after = run(&plan, from: morning, to: morning + 3600, context())
        for endpoint in halves { #expect(after.filter { $0.endpoint == endpoint }.count == 1, "\(endpoint)") }
        // The edition may have changed until its end.
        if day > 7 { #expect(after.filter { $0.endpoint == .stages }.count == 1) }
        let later = run(&plan, from: morning + 3600, to: morning + 7200, context())
        for endpoint in halves + [.stages] { #expect(!later.contains { $0.endpoint == endpoint }, "\(endpoint)") }
    }

    @Test func followsAStageAtTheRatesOfTheLivePage() {
        var plan = RequestPlan()
        let start = Invented.instant("14:00:00")
        let requests = run(&plan, from: start, to: start + 3600, context(.livePage, togo: 90, at: start + 3600))
        for (endpoint, pause) in [
            (Endpoint.insights(stage: 1), 30), (.groups(stage: 1), 30), (.ticker(language: "en", stage: 1), 60),
        ] {
            let pauses = pauses(requests, endpoint)
            #expect(pauses.count > 40, "\(endpoint)")
            #expect(
                pauses.allSatisfy { (Int64(pause) * 9 / 10...Int64(pause) * 11 / 10 + 6).contains($0) },
                "\(endpoint) \(pauses)")
            // The jitter varies them.
            #expect(Set(pauses).count > 3, "\(endpoint)")
        }
        // Withdrawals, and the first of climbs and sprints.
        let rankings = pauses(requests, .rankings(stage: 1))
        #expect(rankings.count > 9 && rankings.allSatisfy { (270...336).contains($0) }, "\(rankings)")
    }

    @Test func asksForGroupsOnlyWhileALivePageIsShown() {
        let start = Invented.instant("14:00:00")
        for (audience, expected) in [(RaceAudience.notifications, false), (.dashboard, false), (.livePage, true)] {
            var plan = RequestPlan()
            let requests = run(&plan, from: start, to: start + 1800, context(audience))
            #expect(requests.contains { $0.endpoint == .groups(stage: 1) } == expected, "\(audience)")
            let insights = pauses(requests, .insights(stage: 1))
            #expect(insights.allSatisfy { audience == .notifications ? $0 >= 270 : $0 <= 36 }, "\(audience)")
        }
    }

    /// A computer whose clock was a year ahead for a while, or an hour, as with a wrong zone.
    @Test(arguments: [400, 0] as [Int64]) func forgetsWhatAClockThatWasAheadHasLeft(days: Int64) {
        var plan = RequestPlan()
        let now = Invented.instant("14:00:00")
        let wrong = now + days * 86_400 + 1800
        for endpoint in [Endpoint.stages, .rankings(stage: 1)] {
            plan.record(.response(status: 200), of: endpoint, at: wrong)
        }
        plan.record(.response(status: 403, retryAfter: 60), of: .teams, at: wrong)
        let believable = plan.believable(at: now)
        #expect(plan.refusalWords(at: now) != nil && plan.isPaused(at: now))
        #expect((believable.refusalWords(at: now) == nil) == (days > 0))
        #expect(believable.isPaused(at: now) == (days == 0))
        #expect((believable.lastAnswer(of: .stages) == nil) == (days > 0))
    }

    /// The result is published late, or the clock was a day ahead when it was requested.
    @Test func asksForAMissingResultForAWeekAfterTheRace() {
        var plan = RequestPlan()
        let (rankings, asked) = (Endpoint.rankings(stage: 1), Invented.instant("08:00:00", day: 8))
        plan.record(.response(status: 204, isEmpty: true), of: rankings, at: asked)
        for (day, isDue) in [(8, false), (10, true), (25, false)] {
            let due = plan.due(at: Invented.instant("12:00:00", day: day), in: context())
            #expect(due.contains(rankings) == isDue, "\(day)")
        }
    }

    @Test func asksForNothingWhileNobodyLooks() {
        let start = Invented.instant("12:00:00")
        for state in [context(.nobody, togo: 5, at: start + 3600), RequestContext(audience: .nobody)] {
            var plan = RequestPlan()
            #expect(run(&plan, from: start, to: start + 2 * 86_400, state).isEmpty)
        }
    }

    @Test func timeTrialsHaveNoGroups() throws {
        let stages = try CentreStage.read(Invented.body(Invented.stage(1, type: "PAS")), bind: "stage-2026")
        let due = RequestPlan().due(
            at: Invented.instant("14:00:00"), in: RequestContext(stages: stages, audience: .livePage))
        #expect(!due.contains(.groups(stage: 1)) && due.contains(.insights(stage: 1)))
    }

    @Test func asksForRankingsMoreOftenFromTheLastTenKilometresToAnHourAfter() {
        let rankings = Endpoint.rankings(stage: 1)
        let late = Invented.instant("16:58:00")
        func isDue(_ context: RequestContext, at now: Instant) -> Bool {
            var plan = RequestPlan()
            plan.record(.response(status: 200), of: rankings, at: now - 140)
            return plan.due(at: now, in: context).contains(rankings)
        }
        // Before the start there are none.
        let early = Invented.instant("12:59:00")
        #expect(!RequestPlan().due(at: early, in: context(.dashboard)).contains(rankings))
        #expect(!isDue(context(.dashboard, togo: 10.1, at: late), at: late))
        #expect(isDue(context(.dashboard, togo: 10, at: late), at: late))
        // Without a distance the timetable decides.
        #expect(!isDue(context(.dashboard), at: Invented.instant("16:44:00")))
        #expect(isDue(context(.dashboard), at: Invented.instant("16:45:00")))
        let finished = Invented.instant("16:30:00")
        #expect(isDue(context(.dashboard, togo: 0, at: finished), at: finished))
        var plan = RequestPlan()
        let requests = run(&plan, from: finished, to: finished + 7200, context(.dashboard, togo: 0, at: finished))
        let pauses = pauses(requests, rankings)
        // The last time is at the end of that hour.
        #expect(pauses.count > 25 && pauses.dropLast().allSatisfy { (108...140).contains($0) }, "\(pauses)")
        let end = Invented.instant("18:00:00")
        #expect((end...end + 10).contains(requests.last { $0.endpoint == rankings }?.at ?? 0))
        let last = requests.last { $0.endpoint == .insights(stage: 1) }?.at ?? 0
        #expect(last > Invented.instant("17:55:00") && last < Invented.instant("18:00:00"))
    }

    /// From the first start on riders finish.
    @Test func asksForTheRankingsOfATimeTrialFromTheFirstStart() throws {
        let stages = try CentreStage.read(Invented.body(Invented.stage(1, type: "PAS")), bind: "stage-2026")
        var plan = RequestPlan()
        let context = RequestContext(stages: stages, audience: .livePage)
        let requests = run(&plan, from: Invented.instant("12:40:00"), to: Invented.instant("16:40:00"), context)
        let first = requests.first { $0.endpoint == .rankings(stage: 1) }?.at ?? 0
        let pauses = pauses(requests, .rankings(stage: 1))
        #expect(first >= Invented.instant("13:00:00") && first < Invented.instant("13:00:40"))
        #expect(pauses.count > 200 && pauses.allSatisfy { (54...70).contains($0) })
    }

    @Test func followsALateStageUntilItIsOver() {
        let late = Invented.instant("19:30:00")
        let insights = Endpoint.insights(stage: 1)
        #expect(RequestPlan().due(at: late, in: context(.dashboard, togo: 12, at: late - 60)).contains(insights))
        #expect(!RequestPlan().due(at: late, in: context(.dashboard, togo: 12, at: late - 1300)).contains(insights))
        #expect(!RequestPlan().due(at: Invented.instant("12:29:00"), in: context(.dashboard)).contains(insights))
        #expect(RequestPlan().due(at: Invented.instant("12:30:00"), in: context(.dashboard)).contains(insights))
    }

    @Test func cancelledStagesAreNotFollowed() throws {
        let stages = try CentreStage.read(
            Invented.body(Invented.stage(1, more: ",\"isCancelled\":true")), bind: "stage-2026")
        let due = RequestPlan().due(
            at: Invented.instant("14:00:00"), in: RequestContext(stages: stages, audience: .livePage))
        #expect(!due.contains(.insights(stage: 1)))
    }

    @Test func asksForEverythingOfAPastEditionOnce() {
        var plan = RequestPlan()
        let november = Invented.instant("09:00:00") + 140 * 86_400
        let requests = run(&plan, from: november, to: november + 10 * 86_400, context(.livePage))
        #expect(
            requests.map(\.endpoint) == [
                .stages, .teams, .competitors, .rankings(stage: 3), .rankings(stage: 2), .rankings(stage: 1),
                .checkpoints(stage: 3), .jerseys(stage: 3), .checkpoints(stage: 2), .jerseys(stage: 2),
                .checkpoints(stage: 1), .jerseys(stage: 1), .ticker(language: "en", stage: 3),
                .ticker(language: "en", stage: 2), .ticker(language: "en", stage: 1),
            ])
        #expect(zip(requests.dropFirst(), requests).allSatisfy { $0.at.seconds(since: $1.at) >= 2 })
    }

    @Test(arguments: [403, 429]) func aRefusalEndsTheDay(status: Int) {
        var plan = RequestPlan()
        let now = Invented.instant("14:00:00")
        plan.record(.response(status: status), of: .insights(stage: 1), at: now)
        let midnight = Invented.instant("00:00:00", day: 5)
        #expect(plan.next(at: now + 60, in: context(.livePage)) == .wait(until: midnight))
        #expect(
            plan.status(at: now + 60)
                == "1 request in the last hour, at most 400; off until 2026-07-05 00:00, because the server refused a request (\(status))"
        )
        if case .request = plan.next(at: midnight, in: context(.livePage)) {} else { Issue.record("still off") }
        #expect(!plan.status(at: midnight).contains("off"))
    }

    @Test func waitsAsLongAsTheServerAsks() {
        var plan = RequestPlan()
        let now = Invented.instant("14:00:00")
        plan.record(.response(status: 503, retryAfter: 600), of: .insights(stage: 1), at: now)
        #expect(plan.next(at: now + 10, in: context(.livePage)) == .wait(until: now + 600))
        #expect(plan.status(at: now + 10).hasSuffix("; the server asked to wait"))
        // After a refusal the later of both counts.
        plan.record(.response(status: 429, retryAfter: 2 * 86_400), of: .insights(stage: 1), at: now + 700)
        #expect(plan.offUntil == now + 700 + 2 * 86_400)
    }

    @Test func errorsMakePausesLonger() {
        var plan = RequestPlan()
        let (start, endpoint) = (Invented.instant("14:00:00"), Endpoint.insights(stage: 1))
        var (now, pauses): (Instant, [Int64]) = (start, [])
        for _ in 0..<5 {
            plan.record(.failed, of: endpoint, at: now)
            let tried = now
            while !plan.due(at: now, in: context(.dashboard)).contains(endpoint) { now = now + 1 }
            pauses.append(now.seconds(since: tried))
        }
        #expect(pauses == [30, 60, 120, 240, 480])
        plan.record(.response(status: 304), of: endpoint, at: now)
        #expect(plan.due(at: now + 34, in: context(.dashboard)).contains(endpoint))
    }

    @Test func limitsTheRequestsOfAnHour() {
        var plan = RequestPlan(limitPerHour: 50)
        let start = Invented.instant("14:00:00")
        let requests = run(&plan, from: start, to: start + 7200, context(.livePage))
        for request in requests {
            #expect(requests.count { $0.at > request.at - 3600 && $0.at <= request.at } <= 50)
        }
        #expect(requests.count >= 99)
        #expect(plan.requests(at: start + 7200) <= 50 && plan.status(at: start + 7200).contains("at most 50"))
    }

    @Test func countsTheRequestsOfOtherPlans() {
        let start = Invented.instant("14:00:00")
        var (plan, other) = (RequestPlan(limitPerHour: 60), RequestPlan(limitPerHour: 60))
        let mine = run(&plan, from: start, to: start + 120, context(.livePage))
        let others = run(&other, from: start + 121, to: start + 240, context(.livePage))
        plan.adopt(other)
        #expect(plan.requests(at: start + 240) == mine.count + others.count)
        let once = plan
        plan.adopt(other)
        plan.adopt(plan)
        #expect(plan == once)
        // What is left of the hour's limit.
        let later = run(&plan, from: start + 241, to: start + 1800, context(.livePage))
        #expect(later.count == 60 - mine.count - others.count && plan.isPaused(at: start + 1800))
    }

    @Test func adoptsRefusalsAndWishes() {
        var (plan, other) = (RequestPlan(), RequestPlan())
        let now = Invented.instant("14:00:00")
        other.record(.response(status: 503, retryAfter: 600), of: .stages, at: now)
        plan.adopt(other)
        #expect(plan.notBefore == now + 600 && plan.offUntil == nil && plan.isPaused(at: now))
        other.record(.response(status: 403), of: .stages, at: now + 700)
        plan.adopt(other)
        #expect(plan.offUntil == Invented.instant("00:00:00", day: 5) && plan.refusal == 403)
        plan.adopt(RequestPlan())
        #expect(plan.refusal == 403 && !plan.isPaused(at: Invented.instant("00:00:00", day: 5)))
    }

    @Test func usuallyStaysFarBelowTheLimit() {
        var plan = RequestPlan()
        let start = Invented.instant("16:00:00")
        let requests = run(&plan, from: start, to: start + 3600, context(.livePage, togo: 5, at: start + 3600))
        #expect(requests.count < 400 && requests.count > 300)
    }

    @Test func isDeterministicAndCanBeStored() throws {
        let start = Invented.instant("14:00:00")
        var (one, other) = (RequestPlan(), RequestPlan())
        let (first, second) = (
            run(&one, from: start, to: start + 900, context(.livePage)),
            run(&other, from: start, to: start + 900, context(.livePage))
        )
        #expect(first.map(\.at) == second.map(\.at) && one == other)
        var third = RequestPlan()
        #expect(run(&third, from: start, to: start + 900, context(.livePage), seed: 2).map(\.at) != first.map(\.at))
        #expect(try JSONDecoder().decode(RequestPlan.self, from: JSONEncoder().encode(one)) == one)
        one.forget(.stages)
        #expect(one.due(at: start + 900, in: context()).contains(.stages))
    }

    @Test(arguments: [(400, 7200, true), (0, 7200, false), (-1, 7200, false), (400, Int.min, false)])
    func recognisesImpossibleNumbersOfStoredPlans(limitPerHour: Int, offset: Int, isSound: Bool) {
        var plan = RequestPlan()
        (plan.limitPerHour, plan.offset) = (limitPerHour, offset)
        #expect(plan.isSound == isSound)
    }
}
