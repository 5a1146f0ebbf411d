import CommonTesting
import Foundation
import Testing

/// `make install` and `make uninstall` in the user's own folder, where the library is as well.
@Suite(.timeLimit(.minutes(5))) struct InstallsAndUninstalls: ProgramSuite {
    let temporary = TemporaryFolder()

    private func make(_ target: String) -> Program.Outcome {
        let root = Program.sources.path
        return Program.run(
            "/usr/bin/make",
            ["-C", root, "-o", "build", target, "PROGRAM=\(Program.path.path)", "PREFIX=\(home.path)/.local"],
            environment: ["PATH": "/usr/bin:/bin"])
    }

    private var files: Set<String> {
        Set((FileManager.default.enumerator(atPath: home.path)?.allObjects ?? []).compactMap { $0 as? String })
    }

    @Test func uninstallingLeavesOnlyWhatTheUserHas() throws {
        #expect(tappa("tag", "1", "+x").code == 0)
        let before = files
        #expect(before.contains(".local/share/tappa/library.sqlite"))
        let installed = make("install")
        #expect(installed.code == 0, "\(installed.errors)")
        // The installed program finds its own files, wherever it is.
        let program = home.path + "/.local/bin/tappa"
        let stages = Program.run(program, ["stages"], environment: ["HOME": home.path])
        #expect(stages.code == 0 && stages.output.contains("Amsterdam"), "\(stages.errors)")
        #expect(files.contains(".local/share/man/man1/tappa.1"))
        #expect(make("uninstall").code == 0)
        let left = files.subtracting(before).filter { !$0.hasPrefix(".local/share/tappa/library.sqlite") }
        // Folders that systems have anyway may stay.
        #expect(
            left.isSubset(of: [".local/bin", ".local/share/doc", ".local/share/man", ".local/share/man/man1"]),
            "\(left)")
        #expect(before.isSubset(of: files))
    }
}
