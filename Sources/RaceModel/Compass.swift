/// The points of the compass.
package enum Compass {
    /// Returns the point for a direction in degrees clockwise from north, such as `NW`.
    package static func point(_ degrees: Double) -> String {
        let sector = Int(clamping: (degrees / 45).rounded()) % 8
        return ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][(sector + 8) % 8]
    }
}
