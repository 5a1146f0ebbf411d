import RaceModel

/// The weather at a place or at the head of the race.
struct CentreWeather: Hashable, Sendable {
    /// The temperature in degrees Celsius.
    var temperature: Double?
    /// The wind in kilometres per hour.
    var wind: Double?
    /// The direction from which the wind blows, in degrees clockwise from north.
    var windDirection: Double?
    /// The sky in words, such as "few clouds".
    var sky: String?
    var at: Instant?

    /// The weather in words: "29 °C, few clouds, wind 13 km/h from the NW".
    var text: String? {
        var parts: [String] = []
        if let temperature { parts.append("\(Int(clamping: temperature.rounded())) °C") }
        if let sky { parts.append(sky) }
        if let wind {
            let from = windDirection.map { " from the " + Compass.point($0) } ?? ""
            parts.append("wind \(Int(clamping: wind.rounded())) km/h\(from)")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Returns the degrees of a French abbreviation such as `OSO`.
    private static func degrees(_ text: String) -> Double? {
        let points = [
            "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSO", "SO", "OSO", "O", "ONO", "NO", "NNO",
        ]
        return points.firstIndex(of: text.uppercased().replacing("W", with: "O")).map { Double($0) * 22.5 }
    }

    /// Returns the sky for the name of a picture, such as `02d`.
    static func sky(ofIcon icon: String) -> String? {
        switch icon.prefix(2) {
        case "01": "clear sky"
        case "02": "few clouds"
        case "03": "scattered clouds"
        case "04": "overcast"
        case "09": "showers"
        case "10": "rain"
        case "11": "thunderstorm"
        case "13": "snow"
        case "50": "mist"
        default: nil
        }
    }
}

extension CentreWeather {
    /// Reads the weather of a checkpoint, or returns `nil` if there is nothing in it.
    ///
    /// The force of its wind has no known unit, so it is left out.
    init?(checkpoint node: JSONNode) {
        temperature = node["temperature"]?.number.ifSound(RaceLimits.isTemperature)
        windDirection = node["windDirection"]?.text(upTo: 10).flatMap { CentreWeather.degrees($0) }
        sky = node["currentWeatherIcon"]?.text(upTo: 10).flatMap { CentreWeather.sky(ofIcon: $0) }
        at = node["meteoAt"]?.text(upTo: 40).flatMap { CentreTime.instant($0)?.instant }
        guard temperature != nil || sky != nil else { return nil }
    }
}

/// The state of the race at its head, which is the shortest document of a stage.
struct CentreInsights: Hashable, Sendable {
    /// The kilometres from the start to the head.
    var km: Double?
    /// The mean speed in kilometres per hour.
    var meanSpeed: Double?
    var weather: CentreWeather
    /// The instant at which the record was passed on. When the race was so is unknown.
    var passedOn: Instant?

    /// Reads the insights of a stage, or returns `nil` for an empty response.
    static func read(_ body: [UInt8], bind: String) throws(CentreFailure) -> CentreInsights? {
        try CentreRecords(body).wanted(bind).last.map(CentreInsights.init)
    }

    private init(_ record: JSONNode) {
        // The key says kilometres, but the number is in metres.
        km = record["kmDistanceFromStart"]?.number.map { $0 / 1000 }.ifSound(RaceBounds.isDistance)
        meanSpeed = record["kphAverageSpeed"]?.number.ifSound(RaceBounds.isSpeed)
        passedOn = record.updatedAt
        weather = CentreWeather(
            temperature: record["Temperature_C"]?.number.ifSound(RaceLimits.isTemperature),
            wind: record["AvgWindSpeed_kph"]?.number.ifSound { $0.isBetween(0, 300) },
            windDirection: record["WindDirection"]?.number.ifSound { $0.isBetween(-360, 360) },
            sky: record["WeatherIcon"]?.text(upTo: 10).flatMap { CentreWeather.sky(ofIcon: $0) }, at: record.updatedAt)
    }
}
