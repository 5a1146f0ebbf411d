/// The next climb, sprint or finish ahead of the head of the race.
package struct RoadAhead: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A climb with its category, length in kilometres and mean gradient in per cent, as far as known.
        case climb(category: String?, length: Double?, gradient: Double?)
        case sprint(hasBonus: Bool)
        case finish
    }

    package var kind: Kind
    package var name: String
    /// The kilometres to the foot of a climb, or to its summit if the head is on it; to a sprint or the finish.
    package var distance: Double
    /// Whether the head is on the climb.
    package var isOn: Bool

    /// Finds what comes next.
    ///
    /// - Parameter kmToGo: The kilometres that the head has to go. Positions count from the finish, because a stage that
    ///   was altered on its day disagrees with its road book about the start.
    /// - Returns: `nil` if the head has finished, or the road book doesn't know the finish.
    package static func find(in book: RoadBook, kmToGo: Double) -> RoadAhead? {
        guard let length = book.length, kmToGo > 0 else { return nil }
        let head = length - kmToGo
        let climbs = book.climbs.filter { $0.km > head }.map { climb in
            let foot = climb.foot ?? climb.km
            let isOn = foot <= head
            return RoadAhead(
                kind: .climb(category: climb.category, length: climb.length, gradient: climb.gradient),
                name: climb.name, distance: (isOn ? climb.km : foot) - head, isOn: isOn)
        }
        let sprints = book.sprints.filter { $0.km > head }.map { sprint in
            RoadAhead(
                kind: .sprint(hasBonus: sprint.hasBonus), name: sprint.name, distance: sprint.km - head, isOn: false)
        }
        if let climb = climbs.first(where: \.isOn) { return climb }
        let finish = RoadAhead(
            kind: .finish, name: book.finish?.place.map(PlainText.name(fromCapitals:)) ?? "Finish", distance: kmToGo,
            isOn: false)
        return (climbs + sprints + [finish]).min { $0.distance < $1.distance }
    }

    /// The sentence "Télégraphe in 12 km, 11.9 km at 7.1 %".
    package var text: String {
        let distance = RoadAhead.kilometres(distance)
        guard case .climb(_, let length, let gradient) = kind else { return "\(name) in \(distance) km" }
        var words = isOn ? "\(name), summit in \(distance) km" : "\(name) in \(distance) km"
        if let length { words += ", \(RoadAhead.kilometres(length)) km" }
        if let gradient {
            words += length == nil ? ", \(RoadAhead.tenths(gradient)) %" : " at \(RoadAhead.tenths(gradient)) %"
        }
        return words
    }

    /// Returns kilometres with a decimal below 20 if it isn't 0.
    static func kilometres(_ value: Double) -> String {
        value < 20 ? tenths(value) : "\(Int(clamping: value.rounded()))"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int(clamping: (value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return sign + "\(abs(tenths) / 10)" + (tenths % 10 == 0 ? "" : ".\(abs(tenths) % 10)")
    }
}
