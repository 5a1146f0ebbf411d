import CTesting
import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import Synchronization
import TerminalUI

@testable import Accounts
@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// A program for tests that is killed, runs out of disk space or hangs on purpose.
///
/// - `walk DATABASE SEED STEPS KILL-AT LIMIT`: changes marks at random and prints each one before the request and after
///   the receipt; kills itself before its KILL-AT-th statement; can write files of at most LIMIT bytes (0 disables
///   either).
/// - `samples DATABASE SEED STEPS KILL-AT LIMIT`: does so with the samples of all features, in a ``SampleLibrary``.
/// - `follow DATABASE PORT NOW KILL-AT`: follows the race of a race centre on loopback and reads everything of it; prints
///   the number of statements.
/// - `sync DATABASE SEED STEPS KILL-AT`: does so with read marks and stars, and syncs the accounts in between.
/// - `cut DATABASE SEED STEPS CUTS KIND`: changes a library on a disk that loses what isn't synced, cuts the power, and
///   prints what is wrong with what remains. A disk of the kind `lying` loses what is synced, too.
/// - `wedge`: takes the terminal over and then stops responding.
@main
struct LibraryWalker {
    @MainActor static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        switch words.first {
        case "walk": try await walk(words.dropFirst().compactMap { $0 })
        case "sync": try await walk(words.dropFirst() + ["0"], syncs: true)
        case "follow": try await follow(Array(words.dropFirst()))
        case "samples": try await walkSamples(words.dropFirst().compactMap { $0 })
        case "cut": try await cut(words.dropFirst().compactMap { $0 })
        case "wedge": wedge()
        default: exit(64)
        }
    }

    private static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// Prints a request, makes it, and prints whether it succeeded.
    private static func report(_ request: String, _ make: () async throws -> Void) async {
        tell(request)
        do {
            try await make()
            tell("ok")
        } catch {
            tell("no \(error)")
        }
    }

    private static let statements = Atomic(0)

    private struct Arguments {
        let path: String
        let seed: UInt64
        let steps: Int
        /// The statement before which the program kills itself, or 0.
        let killAt: Int
        /// The size of the largest file in bytes, or 0.
        let limit: UInt

        init(_ words: [String]) {
            guard words.count == 5, let seed = UInt64(words[1]), let steps = Int(words[2]), let killAt = Int(words[3]),
                let limit = UInt(words[4])
            else { exit(64) }
            (path, self.seed, self.steps, self.killAt, self.limit) = (words[0], seed, steps, killAt, limit)
        }
    }

    /// Opens the library of a walk and limits the process as the arguments say.
    private static func open(_ arguments: Arguments) throws -> Library {
        if arguments.limit > 0 {
            signal(SIGXFSZ, SIG_IGN)
            var size = rlimit(rlim_cur: rlim_t(arguments.limit), rlim_max: rlim_t(arguments.limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
        }
        return try Library(path: arguments.path) { db in
            guard !db.configuration.readonly else { return }
            db.trace(options: .statement) { _ in
                if statements.add(1, ordering: .relaxed).newValue == arguments.killAt { kill(getpid(), SIGKILL) }
            }
        }
    }

    private static func follow(_ words: [String]) async throws {
        guard words.count == 4, let port = Int(words[1]), let now = Int64(words[2]) else { exit(64) }
        let clock = Mutex(Instant(now))
        let library = try open(Arguments([words[0], "0", "0", words[3], "0"]))
        let races = KnownRaces(
            bundled: Array(
                #"{"races": [{"id": "volta", "names": {"en": "Volta"}, "host": "http://127.0.0.1:\#(port)", "start": "07-04"}]}"#
                    .utf8))
        library.attach(KnownRaceReader { races })
        let service = RaceFollowService(
            library: library, clock: { clock.withLock { $0 } },
            pause: { seconds in clock.withLock { $0 = $0 + seconds } })
        let address = "aso:http://127.0.0.1:\(port)/2026"
        if try library.races.subscriptions().isEmpty {
            try await library.changes.perform(try await service.read(address).change)
        }
        for failure in try await service.updateCompletely(address, progress: { _ in }) { tell(failure) }
        tell("statements \(statements.load(ordering: .relaxed))")
    }

    private static func cut(_ words: [String]) async throws {
        guard words.count == 5, let seed = UInt64(words[1]), let steps = Int(words[2]), let cuts = Int(words[3])
        else { exit(64) }
        cpc_set_lying(words[4] == "lying" ? 1 : 0)
        var walk = try await PowerCuts(words[0], seed: seed)
        for step in 1...steps { try await walk.step(step) }
        for fault in try await walk.cut(cuts) { tell(fault) }
        tell(try await walk.countSyncs())
    }

    private static func walkSamples(_ words: [String]) async throws {
        let arguments = Arguments(words)
        let library = try open(arguments)
        var walk = try SampleWalk(SampleLibrary(of: library), seed: arguments.seed, isUndoable: false)
        for step in 0..<arguments.steps {
            let next = walk.next()
            await report("ask") { try await walk.make(next) }
            if step % 7 == 0 { library.store.checkpoint(truncates: step % 2 == 0) }
        }
        tell("end")
    }

    private static func walk(_ words: [String], syncs: Bool = false) async throws {
        let arguments = Arguments(words)
        let library = try open(arguments)
        var generator = SeededGenerator(seed: arguments.seed)
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 1000).map(\.id)
        let service = SyncService(library: library)
        for step in 0..<arguments.steps {
            if syncs, step % 5 == 4 { try await service.syncAll(step % 10 == 9 ? .send : .whole) }
            guard let entry = entries.randomElement(using: &generator) else { return }
            let mark = EntryMark.allCases[Int.random(in: 0..<(syncs ? 2 : 3), using: &generator)]
            let value = Bool.random(using: &generator)
            let change = Change.mark(mark, value, entries: [entry], wholeStories: false, now: Instant(step + 1))
            await report("ask \(mark.rawValue) \(entry) \(value ? 1 : 0)") {
                try await library.changes.perform(change)
            }
            // Moves the log into the file from time to time.
            if step % 7 == 0 { library.store.checkpoint(truncates: step % 2 == 0) }
        }
        tell("end")
    }

    @MainActor private static func wedge() {
        let terminal = NcursesTerminal()
        do { try terminal.start() } catch { exit(69) }
        NcursesTerminal.onForcedExit { tell("forced") }
        while true { usleep(1000) }
    }
}
