/// The positions from which links inside a text were followed. Jumping back returns to the last one.
struct TextJumps {
    private var places: [TextView.Place] = []
    private static let maximum = 50

    /// Whether there is no position to return to.
    var isEmpty: Bool { places.isEmpty }

    /// Adds a position.
    mutating func add(_ place: TextView.Place) {
        places.append(place)
        if places.count > TextJumps.maximum { places.removeFirst() }
    }

    /// Removes and returns the last position.
    mutating func takeLast() -> TextView.Place? { places.popLast() }
}
