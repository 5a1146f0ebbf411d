import ArgumentParser
import Dashboard
import Foundation
import LibraryKernel
import ModelCore
import Platform
import RaceModel
import Races

/// Records a race over time, and plays it later.
extension RaceCommand {
    struct Record: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Record a followed race over time, to play it later.",
            discussion: """
                Requests groups, ticker and results as the live page does, until an hour after the last news of today's stage, or \
                until Ctrl-C. Recording to a file that exists continues it. Hidden results are recorded too.

                Examples:
                  tappa race record stage-14.jsonl
                  tappa race replay stage-14.jsonl --speed 60
                """)

        @Argument(help: ArgumentHelp("The file to write, in JSON Lines.", valueName: "file"))
        var file: String

        @Option(
            help: ArgumentHelp(
                "The id of a race, from 'race list'; the followed one nearest to today if omitted.",
                valueName: "id"))
        var race: String?

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibraryWithRaces().library
            let race = try followed(library)
            let recording = try RecordingFile(file)
            let clock: @Sendable () -> Instant = { .now }
            let service = RaceRecordService(
                library: library, service: RaceFollowService(library: library, clock: clock), clock: clock,
                pause: { try await Clock.sleep(for: .seconds($0)) })
            printError("tappa: recording \(race) (Ctrl-C ends)")
            do {
                let count = try runBlocking {
                    try await service.record(race, size: recording.size) { try recording.append($0) }
                }
                printLine("recorded \(count.counted("state")) of \(race)")
            } catch let error as RecordingFile.Failure {
                throw fail("\(file): \(error)", ExitStatus.inputOutput)
            }
        }

        /// Returns the identifier of the race to record.
        private func followed(_ library: Library) throws -> String {
            let today = CalendarDay(instant: .now)
            guard let race = try race ?? library.races.nearest(to: today) else {
                throw fail("no races", ExitStatus.noInput)
            }
            guard try library.races.subscriptions().contains(where: { $0.raceID == race }) else {
                throw fail("you don't follow '\(race)'; 'tappa race follow' does", ExitStatus.noInput)
            }
            return race
        }
    }

    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Play a recording in a dashboard of its own, with results hidden.",
            discussion: """
                Groups, ticker and results of the recorded stage appear as they came, from five minutes before its start. Results \
                of other stages stay hidden until you reveal them. x pauses the replay and resumes it. Nothing in your library \
                changes.
                """)

        @Argument(help: ArgumentHelp("A file that 'race record' wrote.", valueName: "file"))
        var file: String

        @Option(help: ArgumentHelp("How much faster than the race, 0.1 to 3600.", valueName: "factor"))
        var speed = 1.0

        @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
        var config: String?

        func validate() throws {
            guard ReplayClock.speeds.contains(speed) else {
                throw ValidationError("The speed must be a number from 0.1 to 3600.")
            }
        }

        func run() throws {
            let recording: RaceRecording
            do {
                recording = try RaceRecording(
                    Array(try UserFile.read(file, maximum: RaceRecording.maximumBytes, isFound: true)))
            } catch let problem as UserFile.Problem {
                throw fail(problem.inTheMiddle, problem.exitCode)
            } catch {
                throw fail("\(file): \(error)", ExitStatus.badData)
            }
            let replay = RaceReplay(recording, in: try Library(path: nil))
            let began = Stopwatch.now
            let clock = ReplayClock(from: replay.beginning, until: replay.end, speed: speed) {
                began.duration(to: Stopwatch.now) / .seconds(1)
            }
            try runBlocking { try await replay.begin() }
            let command = try DashboardCommand.parse(
                ["--segment", "stages", "--in-memory"] + (config.map { ["--config", $0] } ?? []))
            let playing = Task.detached {
                while let next = try await replay.play(until: clock.now) {
                    // Of states that follow each other within a moment, the last suffices.
                    let minimum = clock.isPaused ? 0.5 : 0.05
                    try await Clock.sleep(for: .seconds(max(minimum, clock.wait(until: next))))
                }
            }
            defer { playing.cancel() }
            try MainActor.assumeIsolated { try command.show(replay.library, replay: clock) }
        }
    }
}

/// The file of a recording, to which lines are appended whole.
private final class RecordingFile: Sendable {
    struct Failure: Error, CustomStringConvertible { var description: String }

    private let descriptor: Int32
    /// The size of the file when it was opened, in bytes.
    let size: Int

    /// - Throws: An exit code, after a message, if the file is something else or can't be written.
    init(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw fail("\(path): \(String(cString: strerror(errno)))", ExitStatus.inputOutput)
        }
        let end = lseek(descriptor, 0, SEEK_END)
        self.descriptor = descriptor
        size = max(0, Int(end))
        guard size > 0 else { return }
        var (first, last) = ([UInt8](repeating: 0, count: 7), [UInt8](repeating: 0, count: 1))
        guard pread(descriptor, &first, 7, 0) == 7, first.elementsEqual("{\"at\":\"".utf8),
            pread(descriptor, &last, 1, end - 1) == 1
        else { throw fail("\(path) exists and is no recording", ExitStatus.badData) }
        // The last line of a program that was killed.
        if last != [0x0A] { try append([0x0A]) }
    }

    deinit { close(descriptor) }

    func append(_ line: [UInt8]) throws {
        let fault = line.withUnsafeBytes { FileWriting.write($0, to: descriptor) } ?? FileWriting.sync(descriptor)
        if let fault { throw Failure(description: String(cString: strerror(fault))) }
    }
}
