import CommonTesting
import Foundation
import Testing

/// A program that depends only on the toolkit fetches none of tappa's other dependencies.
@Suite(.timeLimit(.minutes(10))) struct DependentTests {
    @Test func theToolkitBuildsWithoutOtherRepositories() throws {
        let folder = TemporaryFolder()
        let root = Program.sources
        let manifest = """
            // swift-tools-version: 6.2
            \("import") PackageDescription
            let package = Package(
                name: "dependent", dependencies: [.package(name: "tappa", path: "\(root.path)", traits: [])],
                targets: [
                    .executableTarget(
                        name: "dependent", dependencies: [.product(name: "TerminalUI", package: "tappa")])
                ])
            """
        try folder.write(manifest, to: "Package.swift")
        try folder.write("import TerminalUI\n", to: "Sources/dependent/main.swift")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", folder.url.path, "show-dependencies", "--format", "flatlist",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let list = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let names = list.split(separator: "\n").map { $0.lowercased() }
        #expect(names.count == 1 && names.first?.contains(root.lastPathComponent.lowercased()) == true, "\(list)")
    }
}
