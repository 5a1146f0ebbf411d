import FeedParsing
import Foundation
import WebAddresses

/// Reads race files: JSON with the keys of ``Race`` and ``Stage``, and calendars.
package enum RaceFile {
    /// The schema version that is read and written.
    package static let schema = 3

    /// Returns the name for a race whose file, at a path or address, has none.
    package static func name(ofFile place: String) -> String {
        String(WrittenAddress.lastComponent(of: place).prefix { $0 != "." })
    }

    /// Reads and validates a file in either format.
    ///
    /// - Parameter name: The race's name if the file has none.
    package static func read(_ data: Data, name: String) throws(RaceFileError) -> Race {
        let text = String(decoding: data, as: UTF8.self)
        let start = start(of: text)
        if start.hasPrefix("{") { return try read(data) }
        if start.hasPrefix("<") {
            throw RaceFileError(problems: ["this is a web page, not a race (JSON or iCalendar)"])
        }
        guard start.hasPrefix("BEGIN:VCALENDAR") else {
            throw RaceFileError(problems: ["this is not a race (JSON or iCalendar)"])
        }
        return try RaceCalendar.read(text, name: name).checked()
    }

    /// Returns a text without white space and byte order mark at its beginning.
    private static func start(of text: String) -> Substring { text.drop { $0.isWhitespace || $0 == "\u{FEFF}" } }

    /// Reads and validates a JSON file.
    package static func read(_ data: Data) throws(RaceFileError) -> Race { try readWithDocument(Array(data)).race }

    /// Reads and validates a JSON file that has more than a race.
    package static func readWithDocument(_ utf8: [UInt8]) throws(RaceFileError) -> (
        race: Race, document: PositionedJSON
    ) {
        let (race, document) = try RaceReader.read(utf8)
        return (try race.checked { document.line(at: $0) }, document)
    }

    /// Returns every error in a file, and what tappa ignores in it, a sentence each.
    ///
    /// - Parameter name: The race's name if the file has none.
    /// - Returns: The race, or `nil` with errors.
    package static func inspect(_ data: Data, name: String) -> (race: Race?, errors: [String], warnings: [String]) {
        do throws(RaceFileError) {
            guard start(of: String(decoding: data, as: UTF8.self)).hasPrefix("{") else {
                return (try read(data, name: name), [], [])
            }
            let (race, errors, warnings) = try RaceReader.inspect(Array(data))
            return (errors.isEmpty ? try race?.checked() : nil, errors, warnings)
        } catch {
            return (nil, error.problems, [])
        }
    }

    /// Writes a race in the format that ``read(_:)`` accepts.
    package static func write(_ race: Race) throws -> Data {
        Data(try JSONWriter.bytes(race))
    }
}
