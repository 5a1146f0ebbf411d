import Testing

/// Keys, clicks, pastes and resizes in any order never end the program, lose no list, and leave no screen that a few
/// presses don't leave, in panes from one cell on (rows SPL-12, NAV-03, POP-03).
@MainActor
@Suite struct SurvivesAnything {
    @Test(.timeLimit(.minutes(60))) func inTinyPanes() async {
        let result = await #expect(processExitsWith: .success) { try await RandomWalk.tiny.run() }
        if result == nil { Issue.record("\(RandomWalk.tiny.report)") }
    }

    @Test(.timeLimit(.minutes(60))) func inMediumPanes() async {
        let result = await #expect(processExitsWith: .success) { try await RandomWalk.medium.run() }
        if result == nil { Issue.record("\(RandomWalk.medium.report)") }
    }

    @Test(.timeLimit(.minutes(60))) func inLargePanes() async {
        let result = await #expect(processExitsWith: .success) { try await RandomWalk.large.run() }
        if result == nil { Issue.record("\(RandomWalk.large.report)") }
    }

    @Test(.timeLimit(.minutes(60))) func aroundThreeColumns() async {
        let result = await #expect(processExitsWith: .success) { try await RandomWalk.wide[0].run() }
        if result == nil { Issue.record("\(RandomWalk.wide[0].report)") }
    }

    @Test(.timeLimit(.minutes(60))) func aroundThreeColumnsAgain() async {
        let result = await #expect(processExitsWith: .success) { try await RandomWalk.wide[1].run() }
        if result == nil { Issue.record("\(RandomWalk.wide[1].report)") }
    }
}
