import TerminalUI

/// The commands for stages and races.
enum StageCommands {
    private static func stage(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText = "a stage",
        _ traits: CommandDefinition.Traits = .worksFromList
    ) -> CommandDefinition {
        CommandDefinition("stage.\(name)", title, keys: keys, group: "Stage", place: "stages", needs: need, traits)
    }

    static let nextPage = stage("nextPage", "Next page", ["]"])
    static let previousPage = stage("previousPage", "Previous page", ["["])
    static let nextStage = stage("next", "Next stage", ["J"], needs: "a next stage")
    static let previousStage = stage("previous", "Previous stage", ["K"], needs: "a previous stage")
    static let stageDate = stage("publishDate", "Publish Date", ["p"], [])
    static let stageArticle = stage("article", "Read Article", ["a"], needs: "an article")
    static let stageBrowser = stage("browser", "Open article in browser", ["o"], needs: "an article")
    static let photograph = stage("photograph", "Load photograph", ["P"], needs: "a photograph")
    static let retryPicture = stage("retryPicture", "Reload picture", ["r"], needs: "a picture that failed to load")

    static let findRider = stage("findRider", "Find rider", ["/"], needs: "a live page with a start list")
    static let openRider = stage("openRider", "Open rider", ["f"], needs: "a live page with riders")
    static let nextList = stage("nextList", "Next classification", ["c"], needs: "standings")
    static let revealStage = stage(
        "reveal", "Reveal or hide result", ["i"], needs: "a stage with a hidden result", [])

    static let delayLive = stage("delay", "Delay live data", ["D"], needs: "a stage with a live page", [])
    static let delayMore = stage(
        "delayMore", "Delay by 5 s more", ["+", "="], needs: "a delayed live page", .givesWay)
    static let delayLess = stage(
        "delayLess", "Delay by 5 s less", ["-"], needs: "a delayed live page", .givesWay)
    static let pauseReplay = stage(
        "pauseReplay", "Pause or resume replay", ["x"], needs: "a replay that isn't over", [])

    private static func race(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: CommandDefinition.Traits = []
    ) -> CommandDefinition {
        CommandDefinition(
            "race.\(name)", title, keys: keys, group: "Race", place: "stages", needs: "a race", traits)
    }

    static let followRace = CommandDefinition(
        "race.follow", "Follow or add race", keys: ["T", "a"], group: "Race", place: "stages",
        [.isUndoable, .givesWay])
    static let showSeason = CommandDefinition(
        "race.season", "Show season", keys: ["C"], group: "Race", place: "stages")
    static let pastWinners = race("winners", "Show past winners", ["W"])
    static let todaysStage = race("today", "Go to today's stage", ["t"])
    static let favourite = CommandDefinition(
        "race.favourite", "Mark as favourite or not", keys: ["*"], group: "Race", place: "stages",
        needs: "a race, rider or team", .givesWay)
    static let exportRace = race("export", "Save race to file", ["w"])
    static let hideRace = race("hide", "Hide or show race spoilers", ["I"])
    static let hideResults = CommandDefinition(
        "spoilers.hide", "Hide or show all spoilers", keys: ["H"], group: "Race",
        place: "everywhere")
    static let removeRace = race("remove", "Remove race", ["d"], .isUndoable)

    private static func map(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence],
        _ traits: CommandDefinition.Traits = [.unlisted, .givesWay]
    ) -> CommandDefinition {
        CommandDefinition(
            "map.\(name)", title, keys: keys, group: "Zoom", place: "maps", needs: "a zoomed view", traits)
    }

    static let mapZoomIn = map("zoomIn", "Zoom in", ["+", "="], [.worksFromList, .givesWay])
    static let mapZoomOut = map("zoomOut", "Zoom out", ["-"], [.worksFromList, .givesWay])
    static let mapWholeRace = map("whole", "Show whole race", ["0"], .worksFromList)
    static let mapLeft = map("left", "Pan left", ["left", "h"])
    static let mapRight = map("right", "Pan right", ["right", "l"])
    static let mapUp = map("up", "Pan up", ["up", "k"])
    static let mapDown = map("down", "Pan down", ["down", "j"])

    private static func profile(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition(
            "profile.\(name)", title, keys: keys, group: "Stage", place: "profiles", needs: "more of the stage",
            .givesWay)
    }

    static let profileLeft = profile("left", "Move back along stage", ["left", "h"])
    static let profileRight = profile("right", "Move forward along stage", ["right", "l"])

    /// All of them, in the order of help and documents.
    static let all = [
        nextPage, previousPage, nextStage, previousStage, stageDate, stageArticle, stageBrowser, photograph,
        retryPicture, findRider, openRider, nextList, revealStage, delayLive, delayMore, delayLess, pauseReplay,
        hideRace, hideResults, followRace,
        showSeason,
        pastWinners,
        todaysStage, favourite,
        exportRace,
        removeRace,
        mapZoomIn,
        mapZoomOut,
        mapWholeRace, mapLeft, mapRight, mapUp,
        mapDown,
        profileLeft, profileRight,
    ]
}
