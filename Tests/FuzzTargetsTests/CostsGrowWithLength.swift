import Foundation
import FuzzTargets
import Testing

/// The readers of external data need processor time in proportion to the length of their input, whatever it contains.
///
/// An input of four times the length may cost 2.5 times as much for each doubling, and a constant. What costs more is
/// measured again at greater lengths, because a cost that is bounded doesn't matter. `GROWTH=1` tries more patterns, and
/// lengths at which even a fast search shows.
@MainActor
@Suite struct CostsGrowWithLength {
    private static let triesAll = ProcessInfo.processInfo.environment["GROWTH"] != nil
    private static let maximumGrowth = 2.5 * 2.5
    /// The seconds that an input may cost whatever its length.
    private static let constant = 0.05
    /// The seconds from which on costs can be compared.
    private static let measurable = triesAll ? 0.1 : 0.003
    /// The seconds after which greater lengths show nothing new.
    private static let enough = 1.0
    /// The greatest length to begin with, and the greatest of all.
    private static let (longestFirst, longest) = (triesAll ? 1 << 20 : 1 << 14, 1 << 20)

    @Test(arguments: FuzzTargets.names) func costsGrowWithLength(target: String) async throws {
        for frame in InputFrame.all(of: target) {
            for pattern in CostsGrowWithLength.patterns(for: target)
            where !pattern.isOfMarkup || frame.isWholeMarkup(of: target) {
                try measure(target, frame, pattern)
                await Task.yield()
            }
        }
    }

    private static func patterns(for target: String) -> [RepeatedPattern] {
        if triesAll { return RepeatedPattern.all }
        return target == "recovery" ? RepeatedPattern.ofBytes : RepeatedPattern.maximum
    }

    private func measure(_ target: String, _ frame: InputFrame, _ pattern: RepeatedPattern) throws {
        func cost(_ length: Int, times: Int = 1) throws -> Double {
            let input = frame.input(pattern.repeated(length))
            return try (0..<times).map { _ in
                let start = CostsGrowWithLength.processorTime()
                try FuzzTargets.run(target, on: input)
                return CostsGrowWithLength.processorTime() - start
            }.min() ?? 0
        }
        var length = pattern.shortest
        var found = (short: 0.0, long: try cost(length))
        while found.long < CostsGrowWithLength.measurable, 4 * length <= CostsGrowWithLength.longestFirst {
            length *= 4
            found.long = try cost(length)
        }
        guard found.long >= CostsGrowWithLength.measurable else { return }
        found.short = try cost(length / 4)
        guard isTooMuch(found, 0) else { return }
        found = (try cost(length / 4, times: 3), try cost(length, times: 3))
        while isTooMuch(found, 0), found.long < CostsGrowWithLength.enough, 2 * length <= CostsGrowWithLength.longest {
            length *= 2
            found = (try cost(length / 4, times: 2), try cost(length, times: 2))
        }
        guard isTooMuch(found, CostsGrowWithLength.constant) else { return }
        Issue.record(
            """
            \(target), \(frame.name): \(pattern.name) costs \(found.long) s at \(length) bytes and \(found.short) s at \
            a quarter of them
            """)
    }

    private func isTooMuch(_ found: (short: Double, long: Double), _ constant: Double) -> Bool {
        found.long > CostsGrowWithLength.maximumGrowth * found.short + constant
    }

    /// Returns the processor time of the process in seconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
