import Platform

/// An area of the earth in degrees.
struct MapArea: Hashable, Sendable {
    var south: Double, north: Double, west: Double, east: Double

    /// Creates the smallest area that contains some places, or an empty area for none.
    init(_ places: [(north: Double, east: Double)]) {
        south = places.map(\.north).min() ?? 0
        north = places.map(\.north).max() ?? 0
        west = places.map(\.east).min() ?? 0
        east = places.map(\.east).max() ?? 0
    }

    /// Returns the area with a relative margin on each side, and with a minimum size in degrees.
    func with(margin: Double, minimum: Double) -> MapArea {
        var area = self
        let down = max((north - south) * (1 + 2 * margin), minimum)
        let across = max((east - west) * (1 + 2 * margin), minimum)
        let (middleNorth, middleEast) = ((north + south) / 2, (east + west) / 2)
        (area.south, area.north) = (middleNorth - down / 2, middleNorth + down / 2)
        (area.west, area.east) = (middleEast - across / 2, middleEast + across / 2)
        return area
    }

    func meets(_ other: MapArea) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }
}
