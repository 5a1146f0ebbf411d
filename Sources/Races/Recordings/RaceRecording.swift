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
    private static let (maximumLines, longestPause): (Int, Int64) = (20_000, 86_400)

    /// The lines with their instants, which never go back.
    private let lines: [(text: ArraySlice<UInt8>, at: Instant)]

    /// - Throws: ``RaceFileError`` if the first line is no race with an instant.
    package init(_ bytes: [UInt8]) throws(RaceFileError) {
        var lines: [(text: ArraySlice<UInt8>, at: Instant)] = []
        for line in bytes.split(separator: 0x0A, maxSplits: RaceRecording.maximumLines) {
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

    var count: Int { lines.count }

    func instant(_ index: Int) -> Instant { lines[index].at }

    /// Returns the race after some lines, or `nil` if they change nothing.
    ///
    /// - Parameter race: The race before the lines, or `nil` if the first of all is among them.
    func race(_ indexes: Range<Int>, after race: Race?) -> Race? {
        let lines = indexes.compactMap { try? read($0) }
        guard race != nil || !lines.isEmpty else { return nil }
        let result = RaceRecording.apply(lines[...], to: race)
        return result == race ? nil : result
    }

    /// Applies lines to a race. Every line is valid alone; together they may not be. They are checked together, because
    /// a check takes longer than a line, and in halves if the result is not valid.
    private static func apply(_ lines: ArraySlice<Line>, to race: Race?) -> Race? {
        guard !lines.isEmpty else { return race }
        var result = race
        for line in lines { result = line.applied(to: result) }
        if let result {
            if lines.count == 1, race == nil { return result }
            // The other stages are as they were.
            var part = result
            if race != nil {
                let changed = Set(lines.flatMap { $0.race.stages.map(\.number) })
                part.stages.removeAll { !changed.contains($0.number) }
                part.withdrawals?.removeAll { !changed.contains($0.stage) }
            }
            if RaceCheck.problems(part).isEmpty { return result }
        }
        guard lines.count > 1 else { return race }
        let middle = lines.startIndex + lines.count / 2
        return apply(lines[middle...], to: apply(lines[..<middle], to: race))
    }

    private struct Line {
        var race: Race
        /// The number of the ticker's lines that stay.
        var tickerFrom = 0

        func applied(to before: consuming Race?) -> Race {
            guard var result = before, result.id == race.id else { return race }
            for stage in race.stages {
                guard var content = race.content(ofStage: stage.number),
                    let place = result.stages.firstIndex(where: { $0.number == stage.number })
                else { continue }
                // The ticker is changed in place: a copy for each line would take the square of their number.
                var ticker = result.stages[place].ticker ?? []
                result.stages[place].ticker = nil
                ticker.removeLast(max(0, ticker.count - tickerFrom))
                ticker += stage.ticker ?? []
                content.stage.ticker = ticker.isEmpty ? nil : ticker
                result.replace(with: content)
            }
            result.riders = race.riders ?? result.riders
            result.teams = race.teams ?? result.teams
            return result
        }
    }

    private func read(_ index: Int) throws(RaceFileError) -> Line {
        var (race, document) = try RaceFile.readWithDocument(Array(lines[index].text))
        // A file from elsewhere must not make requests.
        for index in race.stages.indices { (race.stages[index].trackURL, race.stages[index].imageURL) = (nil, nil) }
        guard case .object(let fields) = document.value, case .number(let number)? = fields["ticker_from"]?.value
        else { return Line(race: race) }
        return Line(race: race, tickerFrom: Int(clamping: number).limited(0, RaceCheck.maximumLines))
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
