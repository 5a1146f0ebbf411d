import RaceModel

extension RoadBook.Checkpoint {
    init?(_ record: JSONNode) {
        guard let km = record["length"]?.number.ifSound(RaceBounds.isDistance),
            let number = record["checkpoint"]?.whole.ifSound((0...100_000).contains)
        else { return nil }
        self.number = number
        self.km = km
        place = (record["place"] ?? record["road"])?.text(upTo: 200)
        coordinates = RoadBook.Coordinates(record)
        expected = record["middleSchedule"]?.text(upTo: 20).flatMap { CentreTime.seconds($0) }
        let codes = RoadBook.codes(record)
        isStart = codes.contains("R")
        isNeutralStart = codes.contains("F")
        isFinish = codes.contains("A")
        weather = record["checkpointMeteo"].flatMap { CentreWeather(checkpoint: $0) }
    }
}

extension RoadBook.Coordinates {
    init?(_ node: JSONNode) {
        guard let latitude = node["latitude"]?.number, let longitude = node["longitude"]?.number,
            RaceBounds.isPlace(latitude, longitude)
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

extension RoadBook.Climb {
    init?(_ summit: JSONNode, at checkpoint: RoadBook.Checkpoint) {
        guard summit["code"] != nil || summit["length"] != nil || summit["summit"] != nil else { return nil }
        self.checkpoint = checkpoint.number
        km = checkpoint.km
        category = RoadBook.category(summit["code"])
        // The length is in metres.
        length = summit["length"]?.number.map { $0 / 1000 }.ifSound { $0 > 0 && $0 <= 200 }
        gradient = summit["state"]?.number.ifSound { $0.isBetween(-40, 40) }
        elevation = summit["summit"]?["altitude"]?.number.ifSound { $0 != 0 && $0.isBetween(-400, 6000) }
        name = RoadBook.climbName(place: checkpoint.place, summit: summit["summit"]?["name"]?.text(upTo: 200))
    }
}

extension RoadBook.Sprint {
    init?(_ record: JSONNode, at checkpoint: RoadBook.Checkpoint) {
        let codes = RoadBook.codes(record)
        // The finish has the code of a sprint too.
        guard !checkpoint.isFinish, codes.contains("N") || codes.contains("B") else { return nil }
        self.checkpoint = checkpoint.number
        km = checkpoint.km
        name = checkpoint.place.map(PlainText.name(fromCapitals:)) ?? "Sprint"
        hasBonus = codes.contains("B")
    }
}

extension RoadBook {
    static func codes(_ record: JSONNode) -> Set<String> {
        Set(JSONItems.of(record["checkpointTypes"]).prefix(20).compactMap { $0["code"]?.text(upTo: 10) })
    }

    static func category(_ node: JSONNode?) -> String? {
        guard let code = node?.text(upTo: 20) ?? node?.whole.map({ String($0) }) else { return nil }
        return ["H", "HC", "E", "ESP"].contains(code.uppercased()) ? "HC" : code == "X" ? nil : code
    }

    /// Returns the name of a climb.
    ///
    /// The Tour's places have the elevation in brackets. The Vuelta's summits are prose, so that the place has the
    /// name, after a category such as "PM 3ª".
    static func climbName(place: String?, summit: String?) -> String {
        for candidate in [place, summit] {
            guard var name = candidate else { continue }
            if let bracket = name.firstRange(of: " ("), name.hasSuffix("m)") {
                name = String(name[..<bracket.lowerBound])
            }
            if let prefix = name.prefixMatch(of: /PM ?(?:\d ?[ªºa]|ESP|HC)?\.? ?/) {
                name = String(name[prefix.range.upperBound...])
            }
            name = PlainText.trimmed(name, upTo: 200)
            if !name.isEmpty { return PlainText.name(fromCapitals: name) }
        }
        return "Climb"
    }
}
