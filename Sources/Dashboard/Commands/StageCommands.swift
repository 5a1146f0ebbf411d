import TerminalUI

/// What can be done with stages and their races.
extension CommandDefinition {
    private static func stage(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], needs need: DisplayText = "a stage",
        _ traits: Traits = .worksFromList
    ) -> CommandDefinition {
        CommandDefinition("stage.\(name)", title, keys: keys, group: "Stage", place: "stages", needs: need, traits)
    }

    static let nextPage = stage("nextPage", "Next page", ["]"])
    static let previousPage = stage("previousPage", "Page before", ["["])
    static let nextStage = stage("next", "Next stage", ["J"], needs: "a stage after it")
    static let previousStage = stage("previous", "Stage before", ["K"], needs: "a stage before it")
    static let stageDate = stage("publishDate", "Publish Date", ["p"], [])
    static let stageArticle = stage("article", "Read Article", ["a"], needs: "an article")
    static let stageBrowser = stage("browser", "Open the article in the browser", ["o"], needs: "an article")
    static let photograph = stage("photograph", "Load the photograph", ["P"], needs: "a photograph's address")
    static let retryPicture = stage("retryPicture", "Load the picture again", ["r"], needs: "a picture that failed")

    static let nextList = stage("nextList", "Next classification", ["c"], needs: "standings")
    static let revealStage = stage(
        "look", "Show its result, or hide it again", ["i"], needs: "a stage whose result is hidden", [])

    private static func race(_ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: Traits = [])
        -> CommandDefinition
    {
        CommandDefinition(
            "race.\(name)", title, keys: keys, group: "Race", place: "stages", needs: "a race", traits)
    }

    static let followRace = CommandDefinition(
        "race.follow", "Follow a race, or add one", keys: ["T", "a"], group: "Race", place: "stages",
        [.isUndoable, .givesWay])
    static let showSeason = CommandDefinition(
        "race.season", "Races of the season: under way, coming, past", keys: ["C"], group: "Race", place: "stages")
    static let exportRace = race("export", "Write this race to a file", ["w"])
    static let hideRace = race("hide", "Hide this race's results until I have looked, or show them", ["I"])
    static let hideResults = CommandDefinition(
        "results.hide", "Hide the results of all races until I have looked, or show them", keys: ["H"], group: "Race",
        place: "everywhere")
    static let removeRace = race("remove", "Take this race away", ["d"], .isUndoable)

    private static func map(
        _ name: String, _ title: DisplayText, _ keys: [KeySequence], _ traits: Traits = [.unlisted, .givesWay]
    ) -> CommandDefinition {
        CommandDefinition(
            "map.\(name)", title, keys: keys, group: "Zoom", place: "maps", needs: "a part that is enlarged", traits)
    }

    static let mapZoomIn = map("zoomIn", "Larger", ["+", "="], .worksFromList)
    static let mapZoomOut = map("zoomOut", "Smaller", ["-"], .worksFromList)
    static let mapWhole = map("whole", "The whole race", ["0"], .worksFromList)
    static let mapLeft = map("left", "Left", ["left", "h"])
    static let mapRight = map("right", "Right", ["right", "l"])
    static let mapUp = map("up", "Up", ["up", "k"])
    static let mapDown = map("down", "Down", ["down", "j"])

    private static func profile(_ name: String, _ title: DisplayText, _ keys: [KeySequence]) -> CommandDefinition {
        CommandDefinition(
            "profile.\(name)", title, keys: keys, group: "Stage", place: "profiles", needs: "more of the stage",
            .givesWay)
    }

    static let profileLeft = profile("left", "Back along the stage", ["left", "h"])
    static let profileRight = profile("right", "On along the stage", ["right", "l"])

    static let stageCommands = [
        nextPage, previousPage, nextStage, previousStage, stageDate, stageArticle, stageBrowser, photograph,
        retryPicture, nextList, revealStage, hideRace, hideResults, followRace, showSeason, exportRace, removeRace,
        mapZoomIn,
        mapZoomOut,
        mapWhole, mapLeft, mapRight, mapUp,
        mapDown,
        profileLeft, profileRight,
    ]
}
