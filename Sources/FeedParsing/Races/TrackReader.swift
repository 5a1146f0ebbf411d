import Platform

/// A recorded route with distances from the start and elevations.
package struct Track: Hashable, Sendable, Codable {
    /// A point of the route.
    package struct Point: Hashable, Sendable, Codable {
        /// The distance from the start in kilometres.
        package var distance: Double
        /// The elevation in metres.
        package var height: Double
        /// The position in degrees. Tracks stored by earlier versions have none.
        package var north: Double?
        package var east: Double?

        package init(distance: Double, height: Double, north: Double? = nil, east: Double? = nil) {
            self.distance = distance
            self.height = height
            self.north = north
            self.east = east
        }
    }

    /// A point of interest, such as a pass or sprint.
    package struct WayPoint: Hashable, Sendable, Codable {
        package var name: String
        /// The position in degrees.
        package var north: Double
        package var east: Double
    }

    package var points: [Point]
    package var wayPoints: [WayPoint]?

    package init(points: [Point], wayPoints: [WayPoint]? = nil) {
        self.points = points
        self.wayPoints = wayPoints
    }
}

/// Reads GPX files (topografix.com/GPX/1/1): all points with elevations of the tracks, or else of the routes, and points
/// of interest.
package enum TrackReader {
    /// The reason why a file contains no track.
    package struct NoTrack: Error, CustomStringConvertible {
        package var description: String
    }

    /// The maximum number of points, which exceeds the width of any terminal.
    static let maximumPoints = 4000
    static let maximumWayPoints = 100

    /// The maximum length of a track in kilometres, and the maximum elevation above or below sea level in metres.
    static let (longest, highest) = (10_000.0, 10_000.0)

    /// Whether two numbers are a valid latitude and longitude.
    static func isPlace(_ north: Double, _ east: Double) -> Bool { abs(north) <= 90 && abs(east) <= 180 }

    /// Returns a track without points that ``read(_:)`` would reject, because a stored track may contain any numbers.
    package static func sound(_ track: Track) -> Track {
        var last = 0.0
        let points = track.points.prefix(maximumPoints).compactMap { point -> Track.Point? in
            guard point.distance.isBetween(last, longest), abs(point.height) < highest else { return nil }
            last = point.distance
            let isPlace = isPlace(point.north ?? 0, point.east ?? 0)
            return isPlace ? point : Track.Point(distance: point.distance, height: point.height)
        }
        return Track(
            points: points, wayPoints: track.wayPoints?.prefix(maximumWayPoints).filter { isPlace($0.north, $0.east) })
    }

    /// Parses a document.
    package static func read(_ bytes: [UInt8]) throws(NoTrack) -> Track {
        let handler = TrackHandler()
        let problems = XMLReader.read(TextDecoding.decode(bytes, contentType: nil).utf8, into: handler)
        guard handler.sawGPX else {
            throw NoTrack(description: "this is not GPX" + (problems.first.map { " (\($0))" } ?? ""))
        }
        // A route plans what a track recorded, with fewer points.
        guard let line = [handler.track, handler.route].first(where: { $0.points.count >= 2 }) else {
            throw NoTrack(description: "the file has no track with heights")
        }
        return Track(points: line.points, wayPoints: handler.wayPoints)
    }
}

private final class TrackHandler: MarkupHandler {
    var sawGPX = false
    private(set) var track = TrackLine()
    private(set) var route = TrackLine()
    private(set) var wayPoints: [Track.WayPoint] = []
    private var wayPoint: Track.WayPoint?
    private var current: (north: Double, east: Double)?
    private var height: Double?
    private var text: [UInt8] = []
    /// Whether the current text is an elevation or the name of a point of interest.
    private var isInText = false
    private static let longestText = 64

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        switch name.local {
        case "gpx": sawGPX = true
        case "trk": track.begin()
        case "rte": route.begin()
        case "trkpt", "rtept":
            height = nil
            current = TrackHandler.place(attributes) ?? current
        case "wpt":
            wayPoint = TrackHandler.place(attributes).map { Track.WayPoint(name: "", north: $0.north, east: $0.east) }
        case "name" where wayPoint != nil, "ele":
            isInText = true
            text = []
        default: break
        }
    }

    func endElement(_ name: MarkupName) {
        switch name.local {
        case "name" where wayPoint != nil:
            isInText = false
            wayPoint?.name = String(decoding: text, as: UTF8.self).trimmingBlanks
        case "wpt":
            if let wayPoint, !wayPoint.name.isEmpty, wayPoints.count < TrackReader.maximumWayPoints {
                wayPoints.append(wayPoint)
            }
            wayPoint = nil
        case "ele":
            isInText = false
            height = Double(String(decoding: text, as: UTF8.self).trimmingBlanks).flatMap {
                abs($0) < TrackReader.highest ? $0 : nil
            }
        case "trkpt": take(into: &track)
        case "rtept": take(into: &route)
        default: break
        }
    }

    /// Returns the position in attributes if it is valid.
    private static func place(_ attributes: [MarkupAttribute]) -> (north: Double, east: Double)? {
        func value(_ key: String) -> Double? {
            attributes.first { $0.name.local == key }.flatMap { Double($0.value.trimmingBlanks) }
        }
        guard let north = value("lat"), let east = value("lon"), TrackReader.isPlace(north, east) else { return nil }
        return (north, east)
    }

    private func take(into line: inout TrackLine) {
        if let place = current { line.add(place, height: height) }
        current = nil
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isInText, text.count < TrackHandler.longestText {
            text.append(contentsOf: bytes.prefix(max(0, TrackHandler.longestText - text.count)))
        }
    }
}

/// The points of tracks or routes. Those that continue each other are one; of others the longest counts.
private struct TrackLine {
    /// The points of the longest line.
    var points: [Track.Point] { longest.distance > distance ? longest.points : line }

    private var line: [Track.Point] = []
    private var longest: (distance: Double, points: [Track.Point]) = (0, [])
    private var isAtBeginning = false
    /// The maximum distance between tracks that continue each other, in kilometres.
    private static let nearby = 1.0
    /// The step between points that are kept. It doubles when there are too many.
    private var step = 1
    private var seen = 0
    private var distance = 0.0
    private var last: (north: Double, east: Double)?

    mutating func begin() { isAtBeginning = true }

    mutating func add(_ place: (north: Double, east: Double), height: Double?) {
        if isAtBeginning, let last, TrackLine.kilometres(last, place) > TrackLine.nearby {
            if distance > longest.distance { longest = (distance, line) }
            (line, step, seen, distance, self.last) = ([], 1, 0, 0, nil)
        }
        isAtBeginning = false
        if let last { distance += TrackLine.kilometres(last, place) }
        last = place
        guard let height, distance < TrackReader.longest else { return }
        defer { seen += 1 }
        guard seen % step == 0 else { return }
        line.append(Track.Point(distance: distance, height: height, north: place.north, east: place.east))
        if line.count > TrackReader.maximumPoints {
            line = line.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            step *= 2
        }
    }

    /// Returns the great-circle distance between two positions (haversine).
    private static func kilometres(_ a: (north: Double, east: Double), _ b: (north: Double, east: Double)) -> Double {
        let degree = Double.pi / 180
        let (down, across) = ((b.north - a.north) * degree / 2, (b.east - a.east) * degree / 2)
        let h = sin(down) * sin(down) + cos(a.north * degree) * cos(b.north * degree) * sin(across) * sin(across)
        return 2 * 6371 * asin(min(1, h.squareRoot()))
    }
}
