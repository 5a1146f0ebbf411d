import Platform

/// A recorded way: kilometres from the start, and metres above the sea.
package struct Track: Hashable, Sendable, Codable {
    /// One point of the way.
    package struct Point: Hashable, Sendable, Codable {
        /// Kilometres from the start.
        package var distance: Double
        /// Metres above the sea.
        package var height: Double
        /// Degrees; tracks that previous versions kept have none.
        package var north: Double?
        package var east: Double?

        package init(distance: Double, height: Double, north: Double? = nil, east: Double? = nil) {
            self.distance = distance
            self.height = height
            self.north = north
            self.east = east
        }
    }

    /// A place of note, such as a pass or a sprint.
    package struct WayPoint: Hashable, Sendable, Codable {
        package var name: String
        /// Degrees.
        package var north: Double
        package var east: Double

        package init(name: String, north: Double, east: Double) {
            self.name = name
            self.north = north
            self.east = east
        }
    }

    package var points: [Point]
    package var wayPoints: [WayPoint]?

    package init(points: [Point], wayPoints: [WayPoint]? = nil) {
        self.points = points
        self.wayPoints = wayPoints
    }
}

/// Reads the tracks of GPX files (topografix.com/GPX/1/1): their points with heights, as one way, and their way points.
package enum TrackReader {
    /// Why there is no track.
    package struct NoTrack: Error, CustomStringConvertible {
        package var description: String
    }

    /// The points that are kept: more than any terminal has columns for.
    static let mostPoints = 4000
    /// The way points that are kept.
    static let mostWayPoints = 100

    /// Kilometres of a track, and metres above or below the sea.
    static let (longest, highest) = (10_000.0, 10_000.0)

    /// A Boolean value that indicates whether two numbers are degrees north and east.
    static func isPlace(_ north: Double, _ east: Double) -> Bool { abs(north) <= 90 && abs(east) <= 180 }

    /// A track without the points and places that ``read(_:)`` would not make: one that was stored may have any numbers.
    package static func sound(_ track: Track) -> Track {
        var last = 0.0
        let points = track.points.prefix(mostPoints).compactMap { point -> Track.Point? in
            guard point.distance.isBetween(last, longest), abs(point.height) < highest else { return nil }
            last = point.distance
            let isPlace = isPlace(point.north ?? 0, point.east ?? 0)
            return isPlace ? point : Track.Point(distance: point.distance, height: point.height)
        }
        return Track(
            points: points, wayPoints: track.wayPoints?.prefix(mostWayPoints).filter { isPlace($0.north, $0.east) })
    }

    /// Reads a document.
    package static func read(_ bytes: [UInt8]) throws(NoTrack) -> Track {
        let handler = TrackHandler()
        let problems = XMLReader.read(TextDecoding.decode(bytes, contentType: nil).utf8, into: handler)
        guard handler.sawGPX else {
            throw NoTrack(description: "this is not GPX" + (problems.first.map { " (\($0))" } ?? ""))
        }
        guard handler.points.count >= 2 else { throw NoTrack(description: "the file has no track with heights") }
        return Track(points: handler.points, wayPoints: handler.wayPoints)
    }
}

private final class TrackHandler: MarkupHandler {
    var sawGPX = false
    /// Every so many points one is kept; it doubles when there are too many.
    private var step = 1
    private var seen = 0
    private(set) var points: [Track.Point] = []
    private(set) var wayPoints: [Track.WayPoint] = []
    private var wayPoint: Track.WayPoint?
    private var distance = 0.0
    private var last: (north: Double, east: Double)?
    private var current: (north: Double, east: Double)?
    private var height: Double?
    private var text: [UInt8] = []
    /// Whether the text is that of a height or of a way point's name.
    private var isInText = false
    private static let longestText = 64

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        switch name.local {
        case "gpx": sawGPX = true
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
            if let wayPoint, !wayPoint.name.isEmpty, wayPoints.count < TrackReader.mostWayPoints {
                wayPoints.append(wayPoint)
            }
            wayPoint = nil
        case "ele":
            isInText = false
            height = Double(String(decoding: text, as: UTF8.self).trimmingBlanks).flatMap {
                abs($0) < TrackReader.highest ? $0 : nil
            }
        case "trkpt", "rtept": take()
        default: break
        }
    }

    /// The place that attributes tell, if it is one on this globe.
    private static func place(_ attributes: [MarkupAttribute]) -> (north: Double, east: Double)? {
        func value(_ key: String) -> Double? {
            attributes.first { $0.name.local == key }.flatMap { Double($0.value.trimmingBlanks) }
        }
        guard let north = value("lat"), let east = value("lon"), TrackReader.isPlace(north, east) else { return nil }
        return (north, east)
    }

    private func take() {
        guard let place = current else { return }
        current = nil
        if let last { distance += TrackHandler.kilometres(last, place) }
        last = place
        guard let height, distance < TrackReader.longest else { return }
        defer { seen += 1 }
        guard seen % step == 0 else { return }
        points.append(Track.Point(distance: distance, height: height, north: place.north, east: place.east))
        if points.count > TrackReader.mostPoints {
            points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            step *= 2
        }
    }

    /// The great circle between two places (haversine).
    private static func kilometres(_ a: (north: Double, east: Double), _ b: (north: Double, east: Double)) -> Double {
        let degree = Double.pi / 180
        let (down, across) = ((b.north - a.north) * degree / 2, (b.east - a.east) * degree / 2)
        let h = sin(down) * sin(down) + cos(a.north * degree) * cos(b.north * degree) * sin(across) * sin(across)
        return 2 * 6371 * asin(min(1, h.squareRoot()))
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isInText, text.count < TrackHandler.longestText {
            text.append(contentsOf: bytes.prefix(max(0, TrackHandler.longestText - text.count)))
        }
    }

    func documentIsCutOff() {}
}
