import Platform

/// Coasts and borders of the world in hundredths of a degree, from Natural Earth (public domain).
/// `Assets/map/make_outlines.py` creates the file.
struct MapOutlines: Sendable {
    /// A line of points.
    struct Line: Sendable {
        let isBorder: Bool
        /// The points as latitude and longitude in degrees.
        let points: [(north: Double, east: Double)]
        let area: MapArea
    }

    let lines: [Line]

    /// No outlines.
    static let none = MapOutlines([])

    private static let signature = Array("TAPPAMAP".utf8)

    /// Reads the file. Another file gives no outlines; a truncated one gives those before the end.
    init(_ bytes: [UInt8]) {
        var lines: [Line] = []
        var place = MapOutlines.signature.count
        guard bytes.starts(with: MapOutlines.signature) else {
            self.lines = []
            return
        }
        func number(_ place: Int) -> Int {
            Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
        }
        while place + 3 <= bytes.count {
            let isBorder = bytes[place] == 1
            let count = Int(bytes[place + 1]) | Int(bytes[place + 2]) << 8
            place += 3
            guard count > 1, place + 4 * count <= bytes.count else { break }
            let points = (0..<count).map { index in
                (north: Double(number(place + 4 * index)) / 100, east: Double(number(place + 4 * index + 2)) / 100)
            }
            place += 4 * count
            lines.append(Line(isBorder: isBorder, points: points, area: MapArea(points)))
        }
        self.lines = lines
    }
}
