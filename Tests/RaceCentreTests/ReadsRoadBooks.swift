import RaceModel
import Testing

@testable import RaceCentre

@Suite struct ReadsRoadBooks {
    private func read(_ records: String...) throws -> RoadBook {
        try RoadBook(Invented.body(records), bind: "checkpointList-2026-1")
    }

    @Test func readsClimbsAndSprintsInTheOrderOfTheRoad() throws {
        let book = try read(
            Invented.checkpoint(60, km: "150.54", types: ["N", "A"], place: "SERRA"),
            Invented.checkpoint(
                20, km: "36.67", place: "Côte d'Invenção (854 m)", more: Invented.climb(length: "11500", state: "5.4")),
            Invented.checkpoint(3, km: "0", types: ["F"]), Invented.checkpoint(9, km: "0", types: ["R"]),
            Invented.checkpoint(40, km: "90", types: ["N", "B"], place: "VILA"),
            Invented.checkpoint(30, km: "70", more: Invented.climb("H", altitude: 2000)))
        #expect(book.length == 150.54 && book.checkpoints.map(\.number) == [3, 9, 20, 30, 40, 60])
        #expect(book.start?.number == 9 && book.finish?.number == 60 && book.start?.expected == 13 * 3600 + 51 * 60)
        let climb = try #require(book.climbs.first)
        #expect(
            climb.name == "Côte d'Invenção" && climb.length == 11.5 && climb.gradient == 5.4 && climb.elevation == 854)
        #expect(book.climbs.map(\.category) == ["1", "HC"])
        // The finish has the code of a sprint, but is none.
        #expect(book.sprints.map(\.name) == ["Vila"] && book.sprints[0].hasBonus)
        #expect(book.line.count == 6)
    }

    @Test func readsTheDecimalCommaAndProseOfTheVuelta() throws {
        let book = try read(
            Invented.checkpoint(
                4, km: "143.6", place: "PM 3ª Barxo",
                more: Invented.climb(
                    "3", length: "5000", state: "5,1", altitude: 319, name: "PM 2ª Barxo desnivel 266 mts.")),
            Invented.checkpoint(9, km: "171", types: ["A"]))
        #expect(book.climbs[0].name == "Barxo" && book.climbs[0].gradient == 5.1 && book.climbs[0].length == 5)
    }

    @Test func placesKeepTheirDistanceToTheFinishOfAnAlteredStage() throws {
        let book = try read(
            Invented.checkpoint(4, km: "143.6", more: Invented.climb()), Invented.checkpoint(9, km: "171", types: ["A"])
        )
        #expect(book.km(143.6, onStageOf: 161) == 133.6 && book.km(143.6, onStageOf: nil) == 143.6)
    }

    @Test func oddCheckpointsKeepWhatIsSound() throws {
        let book = try read(
            Invented.checkpoint(1, km: "-5"), Invented.checkpoint(2, km: "1e9"), Invented.checkpoint(3, km: "\"x\""),
            Invented.checkpoint(4, km: "10").replacing("45.4", with: "95").replacing("13:51:00", with: "later"),
            Invented.checkpoint(4, km: "12"),
            Invented.checkpoint(5, km: "20", more: Invented.climb("X", length: "-3", state: "999", altitude: 99_999)))
        #expect(book.checkpoints.map(\.number) == [4, 5] && book.checkpoints[0].km == 10)
        #expect(book.checkpoints[0].coordinates == nil && book.checkpoints[0].expected == nil)
        let climb = try #require(book.climbs.first)
        #expect(climb.category == nil && climb.length == nil && climb.gradient == nil && climb.elevation == nil)
    }

    @Test func readsTheWeatherOfThePlace() throws {
        let weather = """
            ,"checkpointMeteo":{"temperature":24.4,"windForce":4,"windDirection":"OSO","currentWeatherIcon":"04d",
            "meteoAt":"2026-07-04T13:30:05+02:00"}
            """
        let book = try read(Invented.checkpoint(1, km: "10", types: ["A"], more: weather))
        let found = try #require(book.finish?.weather)
        #expect(
            found.text == "24 °C, overcast" && found.windDirection == 247.5 && found.at == Invented.instant("13:30:05"))
    }
}

@Suite struct ReadsInsights {
    @Test func readsMetresAsKilometres() throws {
        let insights = try #require(
            try CentreInsights.read(Invented.body(Invented.insights()), bind: "insights-2026-1"))
        #expect(insights.km == 94.676 && insights.meanSpeed == 48.3 && insights.passedOn == 1_783_000_000)
        #expect(insights.weather.text == "29 °C, few clouds, wind 13 km/h from the NW")
    }

    @Test func dropsImpossibleNumbers() throws {
        let odd = Invented.record(
            "insights-2026-1",
            "\"Temperature_C\":-300,\"kmDistanceFromStart\":-1,\"kphAverageSpeed\":\"fast\",\"WindDirection\":1e9")
        let insights = try #require(try CentreInsights.read(Invented.body(odd), bind: "insights-2026-1"))
        #expect(insights.km == nil && insights.meanSpeed == nil && insights.weather.text == nil)
        #expect(Compass.point(-45) == "NW" && Compass.point(360) == "N" && Compass.point(100) == "E")
    }
}
