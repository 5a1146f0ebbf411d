import Testing

@testable import RaceCentre

@Suite struct AssemblesLiveStates: EditionReading {
    @Test func writesTheStateOfTheRaceUntilThereIsAResult() throws {
        let groups = Invented.groups(
            at: "14:23:00",
            [
                Invented.group(0, "Tête de la course", bibs: [1, 2]),
                Invented.group(1, "Peloton", gap: 84, togo: 51_000, size: 999, bibs: [3]),
            ])
        var parts = parts(
            (.groups(stage: 1), Invented.body(groups)), (.insights(stage: 1), Invented.body(Invented.insights())))
        let live = try #require(try stage(1, EditionAssembler.race(parts))["live"])
        #expect(live["at"]?.text == "2026-07-04T14:23:00+02:00" && live["km_to_go"]?.number == 50)
        #expect(live["speed"]?.number == 42)
        #expect(live["temperature"]?.number == 29.17 && live["wind"]?.number == 13)
        let bunch = try #require(JSONItems.of(live["groups"]).last)
        #expect(bunch["gap"]?.whole == 84 && bunch["size"]?.whole == 1 && bunch["riders"]?.items.map(\.text) == ["3"])
        // A file from the library has names, and may have riders who are not listed any more.
        var named = try #require(try EditionAssembler.race(parts))
        named.stages[0].live?.groups?[1].riders = ["Ana Rio 3", "Nobody"]
        var restarted = EditionParts(edition: Invented.edition)
        restarted.fail(.groups(stage: 1), "404")
        let kept = try #require(try stage(1, EditionAssembler.race(restarted, keeping: named))["live"])
        #expect(kept["at"]?.text == live["at"]?.text && kept["speed"]?.number == 42)
        #expect(JSONItems.of(kept["groups"]).map { $0["riders"]?.items.map(\.text) } == [["1", "2"], ["3"]])
        let running = Invented.body(Invented.ranking("ite", Invented.times(3), status: "2"))
        parts.take(running, of: .rankings(stage: 1), at: 2)
        #expect(try stage(1, EditionAssembler.race(parts))["live"] != nil)
        let file = try EditionAssembler.race(parts)
        parts.take(
            Invented.body(Invented.ranking("ite", Invented.times(3), status: "1")), of: .rankings(stage: 1), at: 3)
        #expect(try stage(1, EditionAssembler.race(parts, keeping: file))["live"] == nil)
    }

    @Test func withoutGroupsTheInsightsTellTheDistance() throws {
        let insights = Invented.insights(metres: 100_500, at: Invented.instant("14:00:00").seconds * 1000)
        let live = try #require(try stage(1, assemble((.insights(stage: 1), Invented.body(insights))))["live"])
        #expect(live["at"]?.text == "2026-07-04T14:00:00+02:00" && live["km_to_go"]?.number == 50)
        #expect(live["speed"]?.number == 48.3)
    }

    /// Two programs follow a race, and only one of them has read its groups.
    @Test func groupsThatAnotherProgramReadRemain() throws {
        let groups = Invented.groups(at: "14:23:00", [Invented.group(0, "Peloton", bibs: [1])])
        let file = try assemble((.groups(stage: 1), Invented.body(groups)))
        let other = (Endpoint.insights(stage: 1), Invented.body(Invented.insights()))
        let live = try #require(try stage(1, assemble(other, keeping: file))["live"])
        #expect(live["at"]?.text == "2026-07-04T14:23:00+02:00" && JSONItems.of(live["groups"]).count == 1)
    }

    /// After the live page was closed nobody requests groups.
    @Test func outdatedGroupsGiveWayToTheInsights() throws {
        let groups = Invented.body(
            Invented.groups(at: "14:23:00", [Invented.group(0, "Peloton", togo: 60_000, bibs: [1])]))
        let file = try assemble((.groups(stage: 1), groups))
        for (time, isOutdated) in [("14:38:00", false), ("14:38:01", true)] {
            let insights = Invented.body(Invented.insights(metres: 110_500, at: Invented.instant(time).seconds * 1000))
            // The program that has read the groups, and another one.
            for read in [
                parts((.groups(stage: 1), groups), (.insights(stage: 1), insights)),
                parts((.insights(stage: 1), insights)),
            ] {
                let live = try #require(try stage(1, EditionAssembler.race(read, keeping: file))["live"])
                #expect(live["at"]?.text == "2026-07-04T\(isOutdated ? time : "14:23:00")+02:00")
                #expect(live["km_to_go"]?.number == (isOutdated ? 40 : 60))
                #expect(JSONItems.of(live["groups"]).isEmpty == isOutdated)
            }
        }
    }

    @Test func newerGroupsAreNotReplacedByOlderOnes() {
        var parts = parts()
        parts.take(
            Invented.body(Invented.groups(at: "14:23:00", [Invented.group(0, "A")])), of: .groups(stage: 1), at: 1)
        #expect(
            parts.take(Invented.body(Invented.groups(at: "14:22:00", [])), of: .groups(stage: 1), at: 2) == .unchanged)
        #expect(parts.groups[1]?.value?.at == Invented.instant("14:23:00") && parts.groups[1]?.receivedAt == 2)
    }
}
