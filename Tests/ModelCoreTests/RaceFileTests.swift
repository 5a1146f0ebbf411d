import Foundation
import Testing

@testable import ModelCore

@Suite struct RaceFileTests {
    @Test func STA_07_aRaceComesBackAsItWasStored() throws {
        let json = """
            {"race":"Tour of X","year":2024,"rest_days":["2024-05-02"],"stages":[
            {"number":2,"start":"B","finish":"B","distance_km":12.8},
            {"number":1,"date":"2024-05-01","start":"A","finish":"B","distance_km":209,"start_lat_lon":[1.5,2]}]}
            """
        let race = try RaceFile.read(Data(json.utf8))
        #expect(race.stages.map(\.number) == [1, 2])
        #expect(race.stages.map(\.route) == ["A → B", "B"])
        let library = try Library(path: nil)
        try library.store(race)
        #expect(race.id == "tour-of-x-2024")
        var stored = try library.race(race.id)
        stored?.overall = nil
        #expect(stored == race)
    }

    @Test(arguments: [
        ("{", "not JSON"), ("{\"year\":2024,\"stages\":[]}", "race is missing"),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":1,\"start\":\"A\",\"finish\":\"B\",\"distance_km\":-4}]}",
            "stage 1: distance_km is -4.0"
        ),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":1,\"start\":\"A\"}]}",
            "stages, item 1: finish is missing"
        ),
        (
            "{\"race\":\"X\",\"year\":1,\"stages\":[{\"number\":1,\"start\":\"A\",\"finish\":\"B\",\"date\":\"2024-02-30\"}]}",
            "'2024-02-30' is not a date"
        ),
    ])
    func errorsNameTheirPlace(json: String, words: String) {
        #expect { try RaceFile.read(Data(json.utf8)) } throws: { "\($0)".contains(words) }
    }
}
