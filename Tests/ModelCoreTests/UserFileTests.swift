import CommonTesting
import Foundation
import Platform
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Files named by the user: read and write errors are explained, and no file is left half-written.
@Suite struct UserFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path("file") }

    private func problem(_ body: () throws(UserFile.Problem) -> Void) -> UserFile.Problem? {
        do throws(UserFile.Problem) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func readingProblem(_ path: String, maximum: Int = 100, isFound: Bool = false) -> String? {
        problem { () throws(UserFile.Problem) in _ = try UserFile.read(path, maximum: maximum, isFound: isFound) }?
            .description
    }

    @Test func explainsWhyAFileIsUnreadable() throws {
        #expect(readingProblem(path) == "No such file: \(path)")
        #expect(readingProblem(folder.url.path) == "\(folder.url.path) is a directory")
        #expect(readingProblem(folder.url.path, isFound: true) == "\(folder.url.path) is a directory")
        try UserFile.write(Data(count: 2048), to: path)
        #expect(readingProblem(path, maximum: 2047) == "\(path) is larger than 1 KiB")
        #expect(try UserFile.read(path, maximum: 2048).count == 2048)
        #expect(readingProblem(path + "/below") == "No such file: \(path)/below")
        // Endless, and larger than any memory.
        #expect(readingProblem("/dev/zero", maximum: 1 << 20) == "/dev/zero is larger than 1024 KiB")
    }

    /// A pipe without a writer is opened only if the user named it.
    @Test func skipsPipesInAFolder() throws {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(readingProblem(path, isFound: true) == "\(path) is not a regular file")
        #expect(throws: UserFile.Problem.self) { try SubscriptionFiles.read(file: path) }
        // A named pipe is read to its end.
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", #"printf one > "$0""#, path]
        try writer.run()
        #expect(try UserFile.read(path) == Data("one".utf8))
        writer.waitUntilExit()
    }

    @Test func writesOnceAndReplacesAtomically() throws {
        try UserFile.write(Data("one".utf8), to: path)
        let words = problem { () throws(UserFile.Problem) in try UserFile.write(Data(), to: path) }
        #expect(words?.description == "File exists: \(path)")
        #expect(words?.logged == "File exists", "what is logged has no path in it")
        #expect(try UserFile.read(path) == Data("one".utf8))
        try UserFile.replace(path, with: Data("two".utf8))
        #expect(try UserFile.read(path) == Data("two".utf8))
        let below = problem { () throws(UserFile.Problem) in try UserFile.replace(path + "/x", with: Data()) }
        #expect(below?.description == "No such directory for \(path)/x")
        try FileManager.default.createDirectory(atPath: path + ".d", withIntermediateDirectories: true)
        let onto = problem { () throws(UserFile.Problem) in try UserFile.replace(path + ".d", with: Data()) }
        #expect(onto?.description == "\(path).d can't be written: Is a directory")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["file", "file.d"])
    }
}
