import Glibc

/// A recorded way: kilometres from the start, and metres above the sea.
package struct Track: Hashable, Sendable, Codable {
    /// One point of the way.
    package struct Point: Hashable, Sendable, Codable {
        /// Kilometres from the start.
        package var distance: Double
        /// Metres above the sea.
        package var height: Double

        package init(distance: Double, height: Double) {
            self.distance = distance
            self.height = height
        }
    }

    package var points: [Point]

    package init(points: [Point]) { self.points = points }
}

/// Reads the tracks of GPX files (topografix.com/GPX/1/1): their points with heights, as one way.
package enum TrackReader {
    /// Why there is no track.
    package struct NoTrack: Error, CustomStringConvertible {
        package var description: String
    }

    /// The points that are kept: more than any terminal has columns for.
    static let mostPoints = 4000

    /// Reads a document.
    package static func read(_ bytes: [UInt8]) throws(NoTrack) -> Track {
        let handler = TrackHandler()
        let problems = XMLReader.read(TextDecoding.decode(bytes, contentType: nil).utf8, into: handler)
        guard handler.sawGPX else {
            throw NoTrack(description: "this is not GPX" + (problems.first.map { " (\($0))" } ?? ""))
        }
        guard handler.points.count >= 2 else { throw NoTrack(description: "the file has no track with heights") }
        return Track(points: handler.points)
    }
}

private final class TrackHandler: MarkupHandler {
    var sawGPX = false
    /// Every so many points one is kept; it doubles when there are too many.
    private var step = 1
    private var seen = 0
    private(set) var points: [Track.Point] = []
    private var distance = 0.0
    private var last: (north: Double, east: Double)?
    private var current: (north: Double, east: Double)?
    private var height: Double?
    private var text: [UInt8] = []
    private var isInHeight = false

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        switch name.local {
        case "gpx": sawGPX = true
        case "trkpt", "rtept":
            func value(_ key: String) -> Double? {
                attributes.first { $0.name.local == key }.flatMap { Double($0.value.trimmingBlanks) }
            }
            height = nil
            if let north = value("lat"), let east = value("lon"), abs(north) <= 90, abs(east) <= 180 {
                current = (north, east)
            }
        case "ele":
            isInHeight = true
            text = []
        default: break
        }
    }

    func endElement(_ name: MarkupName) {
        switch name.local {
        case "ele":
            isInHeight = false
            height = Double(String(decoding: text, as: UTF8.self).trimmingBlanks).flatMap {
                abs($0) < 10_000 ? $0 : nil
            }
        case "trkpt", "rtept": take()
        default: break
        }
    }

    private func take() {
        guard let place = current else { return }
        current = nil
        if let last { distance += TrackHandler.kilometres(last, place) }
        last = place
        guard let height, distance < 10_000 else { return }
        defer { seen += 1 }
        guard seen % step == 0 else { return }
        points.append(Track.Point(distance: distance, height: height))
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
        if isInHeight, text.count < 64 { text.append(contentsOf: bytes) }
    }

    func documentIsCutOff() {}
}
