import TerminalUI

/// The commands for stages and races.
package enum StageCommands {
    private static func stage(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText = "a stage",
        _ traits: CommandDefinition.Traits = .worksFromList
    ) -> CommandDefinition {
        CommandDefinition("stage.\(name)", title, keys: keys, group: "Stage", place: "stages", needs: need, traits)
    }

    package static let nextPage = stage("nextPage", "Next page", ["]"])
    package static let previousPage = stage("previousPage", "Previous page", ["["])
    package static let nextStage = stage("next", "Next stage", ["J"], needs: "a next stage")
    package static let previousStage = stage("previous", "Previous stage", ["K"], needs: "a previous stage")
    package static let stageDate = stage("publishDate", "Show date", ["p"], [])
    package static let stageArticle = stage("article", "Read Article", ["a"], needs: "an article")
    package static let stageBrowser = stage("browser", "Open article in browser", ["o"], needs: "an article")
    package static let photograph = stage("photograph", "Load photograph", ["P"], needs: "a photograph")
    package static let retryPicture = stage(
        "retryPicture", "Reload picture", ["r"], needs: "a picture that failed to load")

    package static let findRider = stage("findRider", "Find rider", ["/"], needs: "a live page with a start list")
    package static let openRider = stage("openRider", "Open rider", ["f"], needs: "a live page with riders")
    package static let nextList = stage("nextList", "Next classification", ["c"], needs: "standings")
    package static let revealStage = stage(
        "reveal", "Reveal or hide result", ["i"], needs: "a stage with a hidden result", [])

    package static let delayLive = stage("delay", "Delay live data", ["D"], needs: "a stage with a live page", [])
    package static let delayMore = stage(
        "delayMore", "Delay by 5 s more", ["+", "="], needs: "a delayed live page", .givesWay)
    package static let delayLess = stage(
        "delayLess", "Delay by 5 s less", ["-"], needs: "a delayed live page", .givesWay)
    package static let pauseReplay = stage(
        "pauseReplay", "Pause or resume replay", ["x"], needs: "a replay that isn't over", [])

    private static func race(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "race.\(name)", title, keys: keys, group: "Race", place: "stages", needs: "a race", traits)
    }

    package static let followRace = CommandDefinition(
        "race.follow", "Follow or add race", keys: ["T", "a"], group: "Race", place: "stages",
        [.isUndoable, .givesWay])
    package static let showSeason = CommandDefinition(
        "race.season", "Show season", keys: ["C"], group: "Race", place: "stages")
    package static let pastWinners = race("winners", "Show past winners", ["W"])
    package static let todaysStage = race("today", "Go to today's stage", ["t"])
    package static let favourite = CommandDefinition(
        "race.favourite", "Mark as favourite or not", keys: ["*"], group: "Race", place: "stages",
        needs: "a race, rider or team", .givesWay)
    package static let exportRace = race("export", "Save race to file", ["w"])
    package static let hideRace = race("hide", "Hide or show race spoilers", ["I"])
    package static let hideResults = CommandDefinition(
        "spoilers.hide", "Hide or show all spoilers", keys: ["H"], group: "Race", place: "everywhere")
    package static let removeRace = race("remove", "Remove race", ["d"], .isUndoable)

    private static func map(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence],
        _ traits: CommandDefinition.Traits = [.unlisted, .givesWay]
    ) -> CommandDefinition {
        CommandDefinition(
            "map.\(name)", title, keys: keys, group: "Zoom", place: "maps", needs: "a zoomed view", traits)
    }

    package static let mapZoomIn = map("zoomIn", "Zoom in", ["+", "="], [.worksFromList, .givesWay])
    package static let mapZoomOut = map("zoomOut", "Zoom out", ["-"], [.worksFromList, .givesWay])
    package static let mapWholeRace = map("whole", "Show whole race", ["0"], .worksFromList)
    package static let mapLeft = map("left", "Pan left", ["left", "h"])
    package static let mapRight = map("right", "Pan right", ["right", "l"])
    package static let mapUp = map("up", "Pan up", ["up", "k"])
    package static let mapDown = map("down", "Pan down", ["down", "j"])

    private static func profile(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition(
            "profile.\(name)", title, keys: keys, group: "Stage", place: "profiles", needs: "more of the stage",
            .givesWay)
    }

    package static let profileLeft = profile("left", "Move back along stage", ["left", "h"])
    package static let profileRight = profile("right", "Move forward along stage", ["right", "l"])

    /// All of them, in the order of help and documents.
    package static let all = [
        nextPage, previousPage, nextStage, previousStage, stageDate, stageArticle, stageBrowser, photograph,
        retryPicture, findRider, openRider, nextList, revealStage, delayLive, delayMore, delayLess, pauseReplay,
        hideRace, hideResults, followRace, showSeason, pastWinners, todaysStage, favourite, exportRace, removeRace,
        mapZoomIn, mapZoomOut, mapWholeRace, mapLeft, mapRight, mapUp, mapDown, profileLeft, profileRight,
    ]
}
