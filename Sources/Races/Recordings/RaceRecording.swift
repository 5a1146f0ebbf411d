import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import RaceCentre
import RaceModel

/// The states of a race over time, as `tappa race record` writes them: JSON Lines, each of them a race file.
///
/// The first line has the whole race. Each of the others has the stages that have changed, with the instant `at` and
/// with the lines of the ticker from number `ticker_from` on. Files can come from anybody: each line is checked like a
/// race file when it is played, and an invalid one, such as the last line of a program that was killed, is skipped.
package struct RaceRecording: Sendable {
    /// The maximum size of a recording in bytes.
    package static let maximumBytes = 64 << 20
    /// The maximum number of lines, and the longest pause that is kept between two, in seconds.
    private static let (mostLines, longestPause): (Int, Int64) = (20_000, 86_400)

    /// The lines with their instants, which never go back.
    private let lines: [(text: ArraySlice<UInt8>, at: Instant)]

    /// - Throws: ``RaceFileError`` if the first line is no race with an instant.
    package init(_ bytes: [UInt8]) throws(RaceFileError) {
        var lines: [(text: ArraySlice<UInt8>, at: Instant)] = []
        for line in bytes.split(separator: 0x0A, maxSplits: RaceRecording.mostLines) {
            guard let at = RaceRecording.instant(of: line) else { continue }
            let earliest = lines.last?.at ?? at
            lines.append((line, at.limited(earliest, earliest + RaceRecording.longestPause)))
        }
        self.lines = lines
        guard !lines.isEmpty else {
            throw RaceFileError(problems: ["this is no recording of 'tappa race record'"])
        }
        _ = try read(0)
    }

    /// The number of states.
    var count: Int { lines.count }

    /// Returns the instant of a state.
    func instant(_ index: Int) -> Instant { lines[index].at }

    /// Returns the race after a line, or `nil` if the line changes nothing.
    ///
    /// - Parameter race: The race before the line, or `nil` for the first.
    func race(_ index: Int, after race: Race?) -> Race? {
        guard let read = try? read(index) else { return nil }
        guard var race, race.id == read.race.id else { return read.race }
        for stage in read.race.stages {
            guard var content = read.race.content(ofStage: stage.number) else { continue }
            let known = race.stages.first { $0.number == stage.number }?.ticker ?? []
            let ticker = known.prefix(read.tickerFrom) + (stage.ticker ?? [])
            content.stage.ticker = ticker.isEmpty ? nil : Array(ticker)
            race.replace(with: content)
        }
        race.riders = read.race.riders ?? race.riders
        race.teams = read.race.teams ?? race.teams
        // Every line is valid alone; together they may not be.
        return RaceCheck.problems(race).isEmpty ? race : nil
    }

    private func read(_ index: Int) throws(RaceFileError) -> (race: Race, tickerFrom: Int) {
        var (race, document) = try RaceFile.readWithDocument(Array(lines[index].text))
        // A file from elsewhere must not make requests.
        for index in race.stages.indices { (race.stages[index].trackURL, race.stages[index].imageURL) = (nil, nil) }
        guard case .object(let fields) = document.value, case .number(let number)? = fields["ticker_from"]?.value
        else { return (race, 0) }
        return (race, Int(clamping: number).limited(0, RaceCheck.mostLines))
    }

    /// Returns the instant in a line, which is its first member.
    private static func instant(of line: ArraySlice<UInt8>) -> Instant? {
        let start = Array("{\"at\":\"".utf8)
        guard line.starts(with: start) else { return nil }
        let text = line.dropFirst(start.count).prefix(40).prefix { $0 != 0x22 }
        return DateParser.parse(String(decoding: text, as: UTF8.self))
    }
}

/// Writes the lines of a ``RaceRecording``.
struct RaceRecorder: Sendable {
    private var last: Race?

    init() {}

    /// Returns a line with what has changed since the last, or `nil` if nothing has.
    mutating func line(for race: Race, at now: Instant) throws -> [UInt8]? {
        guard race != last else { return nil }
        var (part, tickerFrom) = (race, 0)
        if let last, last.id == race.id {
            let before = Dictionary(last.stages.map { ($0.number, $0) }) { first, _ in first }
            part.stages.removeAll { $0 == before[$0.number] }
            if part.stages.count == 1, let known = before[part.stages[0].number]?.ticker {
                let ticker = part.stages[0].ticker ?? []
                tickerFrom = zip(known, ticker).prefix { $0 == $1 }.count
                part.stages[0].ticker = Array(ticker.dropFirst(tickerFrom))
            }
            if race.riders == last.riders { part.riders = nil }
            if race.teams == last.teams { part.teams = nil }
            (part.jerseys, part.source, part.restDays) = (nil, nil, nil)
            let numbers = Set(part.stages.map(\.number))
            part.withdrawals?.removeAll { !numbers.contains($0.stage) }
        }
        last = race
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try encoder.encode(part)
        let from = tickerFrom > 0 ? ",\"ticker_from\":\(tickerFrom)" : ""
        return Array("{\"at\":\"\(CentreTime.text(now))\"\(from),".utf8) + body.dropFirst() + [0x0A]
    }
}
