import Platform

/// Coasts and borders of the world in hundredths of a degree, from Natural Earth (public domain).
/// `Assets/map/make_outlines.py` creates the file.
struct MapOutlines: Sendable {
    struct Line: Sendable {
        let isBorder: Bool
        /// The points as latitude and longitude in degrees.
        let points: [(north: Double, east: Double)]
        let area: MapArea
    }

    let lines: [Line]

    static let none = MapOutlines(lines: [])

    private static let signature = Array("TAPPAMAP".utf8)

    init(lines: [Line]) { self.lines = lines }

    /// Reads the file. Another file gives no outlines; a truncated one gives those before the end.
    init(_ bytes: [UInt8]) {
        var lines: [Line] = []
        var place = bytes.starts(with: MapOutlines.signature) ? MapOutlines.signature.count : bytes.count
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

    /// Returns the longitudes at which each row of a map crosses a coast, from west to east. Land begins at the first, ends
    /// at the second, begins again at the third, and so on.
    ///
    /// - Parameters:
    ///   - first: The latitude of the first row.
    ///   - step: The distance between rows, to the south.
    ///   - east: The easternmost longitude that matters.
    func shores(first: Double, step: Double, count: Int, east: Double) -> [[Double]] {
        var rows = Array(repeating: [Double](), count: max(0, count))
        let south = first - step * Double(count - 1)
        for line in lines where !line.isBorder && line.area.west <= east {
            guard line.area.north >= south, line.area.south <= first else { continue }
            for (a, b) in zip(line.points, line.points.dropFirst()) where a.north != b.north {
                let (upper, lower) = a.north > b.north ? (a, b) : (b, a)
                // A row that touches a point belongs to the part above it.
                let start = max(0, Int(clamping: ((first - upper.north) / step).rounded(.up)))
                let end = min(count, Int(clamping: ((first - lower.north) / step).rounded(.up)))
                for row in stride(from: start, to: end, by: 1) {
                    let share = (upper.north - (first - step * Double(row))) / (upper.north - lower.north)
                    rows[row].append(upper.east + (lower.east - upper.east) * share)
                }
            }
        }
        return rows.map { $0.sorted() }
    }
}
