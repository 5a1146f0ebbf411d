import Foundation
import FuzzTargets
import Testing

/// The readers of external data accept the fuzzing seeds and deterministic mutations of them. `make fuzz` tries millions.
@MainActor
@Suite struct AcceptsMutatedSeeds {
    /// Readers that need more time for an input get fewer.
    private static let counts = ["race-screens": 80, "recovery": 30]

    /// The file with the current input, which remains if a reader fails or crashes.
    private func file(of target: String) -> URL {
        MutatedSeeds.folder.appendingPathComponent("../../.build/test-logs/\(target).input").standardized
    }

    @Test(arguments: FuzzTargets.names)
    func acceptsMutatedSeeds(target: String) async throws {
        let seeds = try MutatedSeeds(target: target)
        let file = file(of: target)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        for number in 0..<seeds.seedCount + (AcceptsMutatedSeeds.counts[target] ?? 150) {
            let input = seeds.input(number)
            try Data(input).write(to: file)
            do { try FuzzTargets.run(target, on: input) } catch {
                Issue.record("\(target) fails on input \(number), \(file.path): \(error)")
                return
            }
            // Jobs on the main actor retain screens.
            await Task.yield()
        }
        try FileManager.default.removeItem(at: file)
    }

    /// `make fuzz` takes the names of the targets from the folders of seeds.
    @Test func eachTargetHasSeeds() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: MutatedSeeds.folder.path)
        #expect(folders.sorted() == FuzzTargets.names.sorted())
        for target in FuzzTargets.names { #expect(try MutatedSeeds(target: target).seedCount > 0, "\(target)") }
    }

    @Test func reportsUnknownTargets() {
        #expect(throws: FuzzFailure.self) { try FuzzTargets.run("unknown", on: []) }
    }

    @Test func mutationsAreDeterministicAndDifferent() {
        let seeds = MutatedSeeds([Array(#"{"number": 12, "name": "Volta"}"#.utf8), Array("<a href='b'>3</a>".utf8)])
        let inputs = (0..<300).map { seeds.input($0) }
        #expect(inputs == (0..<300).map { seeds.input($0) })
        #expect(inputs[0].first == UInt8(ascii: "{") && inputs[1].first == UInt8(ascii: "<"))
        #expect(Set(inputs).count > 200)
        let texts = inputs.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts.contains { $0.contains("9223372036854775808") })
        // A part of one seed after a part of the other.
        #expect(texts.contains { $0.hasPrefix(#"{"num"#) && $0.hasSuffix("</a>") })
    }
}
