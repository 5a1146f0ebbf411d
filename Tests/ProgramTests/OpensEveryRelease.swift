import CommonTesting
import Foundation
import Testing

/// The files of a user of each release open in this version, with everything in them.
@Suite(.timeLimit(.minutes(5))) struct OpensEveryRelease {
    private let temporary = TemporaryFolder()

    /// The recorded files of each release. `make release-fixture` records this version's.
    static let releases = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []

    private static let folder = Program.sources.appendingPathComponent("Tests/Packaging/Releases")

    @Test func thereIsARelease() { #expect(!OpensEveryRelease.releases.isEmpty) }

    @Test(arguments: OpensEveryRelease.releases) func opens(release: String) throws {
        let home = temporary.url
        let archive = OpensEveryRelease.folder.appendingPathComponent(release).path
        #expect(Program.run("/usr/bin/tar", ["-xzf", archive, "-C", home.path]).code == 0)
        let expected = try String(contentsOf: home.appendingPathComponent("expected.txt"), encoding: .utf8)
        for part in expected.components(separatedBy: "== ").dropFirst() {
            let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let words = lines[0].split(separator: " ").map(String.init)
            let told = Program.run(Program.path.path, words, environment: ["HOME": home.path, "LANG": "C.UTF-8"])
            #expect(told.output == lines.last ?? "", "\(release): \(words)")
            #expect(told.code == 0 && told.errors.isEmpty, "\(release): \(words): \(told.errors)")
        }
    }
}
