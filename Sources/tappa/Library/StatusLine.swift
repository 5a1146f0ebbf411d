import ArgumentParser
import Configuration
import Dashboard
import FeedParsing
import Foundation
import LibraryKernel
import ModelCore
import RaceModel
import Races
import Synchronization
import TerminalText

/// The line of `tappa status`. Only data in the format is read.
struct StatusLine {
    static let standardFormat = "{unread} unread"
    static let fields: [(name: String, meaning: String)] = [
        ("{unread}", "The number of unread entries."), ("{feeds}", "The number of feeds."),
        ("{errors}", "The number of feeds that failed at the last reload."),
        ("{pending}", "The number of changes that wait to be sent to servers."),
        ("{stage}", "Today's or the next stage; while it is ridden, only '47 km · P +1:24', and favourite riders."),
        ("{virtual}", "The general classification on the road, computed: '1 Vauquelin · 2 Pogačar +0:12'."),
    ]
    let format: String

    /// Whether the format contains the stage, so that race files must be checked.
    var asksForStage: Bool { format.contains("{stage}") || format.contains("{virtual}") }

    /// The first name in braces that isn't a field.
    var unknownField: String? {
        for part in format.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: "}"), !part[..<end].isEmpty,
                part[..<end].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
            else { continue }
            let name = "{" + String(part[...end])
            if !StatusLine.fields.contains(where: { $0.name == name }) { return name }
        }
        return nil
    }

    /// - Throws: An exit code, after a message, if the library can't be read.
    func text(_ library: Library, now: Instant = .now) throws -> String {
        let parts = format.split(separator: "{", omittingEmptySubsequences: false)
        var line = String(parts[0])
        for part in parts.dropFirst() {
            if let end = part.firstIndex(of: "}"),
                let value = try value(of: "{" + String(part[...end]), library, now)
            {
                line += value + String(part[part.index(after: end)...])
            } else {
                line += "{" + String(part)
            }
        }
        // tmux interprets # as the start of a format.
        if line.utf8.contains(UInt8(ascii: "#")) { line = line.replacing("#", with: "##") }
        return Sanitizer.sanitize(line)
    }

    /// Returns the value of a field, or `nil` if there is no such field.
    private func value(of field: String, _ library: Library, _ now: Instant) throws(LibraryError) -> String? {
        switch field {
        case "{unread}": String(try library.feeds.unreadCount())
        case "{feeds}": String(try library.feeds.all().count)
        case "{pending}": String(try library.outbox.count())
        case "{errors}": String(try library.feeds.all().filter { $0.error != nil }.count)
        case "{stage}": try stage(library, now: now)
        case "{virtual}": try virtual(library, now: now)
        default: nil
        }
    }

    /// Returns the stage of today, or the next one.
    private func coming(_ library: Library, now: Instant) throws(LibraryError) -> NextStage? {
        // The day in the local time zone.
        var local = tm()
        var seconds = time_t(now.seconds)
        localtime_r(&seconds, &local)
        let today = CalendarDay(instant: now + Int64(local.tm_gmtoff))
        return try library.races.nextStage(from: today, at: library.races.delay().shownInstant(at: now))
    }

    /// Returns the first of the general classification on the road, or an empty text while no stage is under way.
    private func virtual(_ library: Library, now: Instant) throws(LibraryError) -> String {
        guard let coming = try coming(library, now: now), coming.days == 0,
            let report = try report(of: coming, library, now: now)
        else { return "" }
        let rows = try library.races.virtualStandings(report, of: coming.stage.number, in: coming.raceID)
        return rows.prefix(3).map { row in
            "\(row.place) \(RiderName.family(row.name))" + (row.place > 1 ? " +" + RaceTime.text(row.gap ?? 0) : "")
        }.joined(separator: Signs.shown(" · "))
    }

    /// Returns the groups of a stage under way, unless they are too old to tell.
    private func report(of coming: NextStage, _ library: Library, now: Instant) throws(LibraryError) -> LiveReport? {
        guard try library.races.progress(of: coming.stage, in: coming.raceID, now: now).phase == .underWay,
            let report = try library.races.live(of: coming.stage.number, in: coming.raceID)
        else { return nil }
        return report.freshness(at: try library.races.delay().shownInstant(at: now)) == .old ? nil : report
    }

    /// Returns where the user's favourites are, such as " · Pogačar +0:31, group 2".
    private func favourites(in coming: NextStage, _ library: Library, now: Instant) throws(LibraryError) -> String {
        guard try library.races.favourites().hasRiders, let report = try report(of: coming, library, now: now)
        else { return "" }
        let roster = try library.races.liveRoster(of: coming.stage.number, in: coming.raceID)
        return roster.favourites.prefix(2).map { key in
            guard let group = report.groups?.firstIndex(where: { $0.riders?.contains(key) == true }) else { return "" }
            let gap = report.gap(of: key).map { " +" + RaceTime.text($0) } ?? ""
            return Signs.shown(" · ") + RiderName.family(roster.name(key)) + gap + ", group \(group + 1)"
        }.joined()
    }

    /// Returns today's stage, or the next one of any race with the days until then, or an empty text.
    private func stage(_ library: Library, now: Instant) throws(LibraryError) -> String {
        guard let coming = try coming(library, now: now) else { return "" }
        let text = "\(coming.raceName) \(coming.stage.name): \(coming.stage.route)"
        let days = coming.days
        let progress = days == 0 ? try library.races.progress(of: coming.stage, in: coming.raceID, now: now) : nil
        let shown = try library.races.delay().shownInstant(at: now)
        let when = StatusLine.when(days, progress, winner: coming.stage.winner, now: shown)
        // During the stage the line has a few columns.
        guard progress?.phase == .underWay, progress?.kilometresToGo != nil else { return when + ": " + text }
        return when + (try favourites(in: coming, library, now: now))
    }
}

extension StatusLine {
    /// Returns when a stage takes place: its day, or today its progress as far as known.
    ///
    /// - Parameter days: The number of days from today.
    static func when(_ days: Int64, _ progress: StageProgress?, winner: String?, now: Instant) -> String {
        switch days {
        case 0: progress.flatMap { words($0, winner: winner, now: now) } ?? "today"
        case 1: "tomorrow"
        default: "in \(days) days"
        }
    }

    /// Returns the progress of today's stage, or `nil` if it is unknown.
    private static func words(_ progress: StageProgress, winner: String?, now: Instant) -> String? {
        switch progress.phase {
        case .cancelled: return "cancelled"
        case .unknown: return nil
        case .coming(let start):
            let minutes = (start.seconds(since: now) + 59) / 60
            return minutes < 60 ? "in \(minutes) min" : "in \(minutes / 60) h \(minutes % 60) min"
        case .underWay:
            return progress.words.map { Signs.shown($0) } ?? "under way"
        case .over: return winner.map { "won by \($0)" } ?? "over"
        }
    }

    /// The library that was read, which stays open until the process ends.
    private static let kept = Mutex<Library?>(nil)

    /// Prints the line for the arguments typical of a status bar, and returns whether it did.
    ///
    /// Every pane's bar prints it every few seconds, and parsing the arguments of all commands would double the time.
    /// Other arguments, and a missing library, are left to ``StatusCommand``.
    static func printPlainly(_ arguments: [String]) throws -> Bool {
        guard arguments.first == "status" else { return false }
        var (format, database) = (standardFormat, FileLocations.database)
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard ["--format", "--database"].contains(option), let value = rest.popFirst(), !value.hasPrefix("-") else {
                return false
            }
            if option == "--format" { format = value } else { database = value }
        }
        let line = StatusLine(format: format)
        let configuration = FileLocations.configuration
        guard !line.asksForStage, line.unknownField == nil, let library = Library(glancingAt: database) else {
            return false
        }
        // Closing the library would take longer than reading it, and is not needed at the end of the process.
        defer { kept.withLock { $0 = library } }
        printLine(try line.text(library))
        // Errors in the configuration are printed after the line.
        let rules = RuleFile.folder(besideConfiguration: configuration)
        let hasConfiguration = access(configuration, F_OK) == 0 || access(rules, F_OK) == 0
        if hasConfiguration { LibraryOptions.warn(of: LibraryOptions.readConfiguration(configuration)) }
        return true
    }
}
