/// A part of the earth, in degrees.
struct MapArea: Hashable, Sendable {
    var south: Double, north: Double, west: Double, east: Double

    /// The least that has all of some places; without any it is empty.
    init(_ places: [(north: Double, east: Double)]) {
        south = places.map(\.north).min() ?? 0
        north = places.map(\.north).max() ?? 0
        west = places.map(\.east).min() ?? 0
        east = places.map(\.east).max() ?? 0
    }

    /// The area with a share of its height and width more on each side, and no smaller than so many degrees.
    func with(margin: Double, least: Double) -> MapArea {
        var area = self
        let down = max((north - south) * (1 + 2 * margin), least)
        let across = max((east - west) * (1 + 2 * margin), least)
        let (middleNorth, middleEast) = ((north + south) / 2, (east + west) / 2)
        (area.south, area.north) = (middleNorth - down / 2, middleNorth + down / 2)
        (area.west, area.east) = (middleEast - across / 2, middleEast + across / 2)
        return area
    }

    /// Whether it has something in common with another.
    func meets(_ other: MapArea) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }
}
