import Foundation
import Testing

@testable import Fetching

/// File addresses, which may come from someone else's list.
@Suite(.timeLimit(.minutes(2))) struct LocalFileTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test(
        arguments: [
            ("file:///a/b", "/a/b"), ("file:/a", "/a"), ("FILE://localhost/a%20b", "/a b"), ("file:///a?x#y", "/a"),
            ("file://other.example/a", nil), ("file:a", nil), ("file:", nil), ("file:///a%00b", nil),
            ("file:///%ff", nil),
        ])
    func readsThePathOfAnAddress(address: String, path: String?) {
        #expect(LocalFile.path(of: address) == path)
    }

    @Test func rejectsAnythingButRegularFiles() async throws {
        try await withFolder { folder in
            // Opening a pipe without a writer would block forever.
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            symlink("/dev/zero", folder + "/link")
            for path in [folder, folder + "/pipe", folder + "/link", "/dev/null", "/dev/ptmx"] {
                await #expect(throws: FetchError.notRegularFile(path)) {
                    try await Fetcher().fetch(FetchRequest(url: "file://" + path))
                }
            }
            await #expect(throws: FetchError.noSuchFile(folder + "/none")) {
                try await Fetcher().fetch(FetchRequest(url: "file://\(folder)/none"))
            }
        }
    }

    @Test func appliesTheLimitsOfAFetch() async throws {
        try await withFolder { folder in
            try Data(repeating: 65, count: 200_000).write(to: URL(fileURLWithPath: folder + "/file"))
            var request = FetchRequest(url: "file://\(folder)/file")
            request.limits.body = 200_000
            #expect(try await Fetcher().fetch(request).body.count == 200_000)
            request.limits.body = 199_999
            let larger = request
            await #expect(throws: FetchError.bodyTooLarge(limit: 199_999)) { try await Fetcher().fetch(larger) }
        }
    }

    /// The waiting task continues whatever the file system does.
    @Test func endsWhenItIsCancelled() async throws {
        try await withFolder { folder in
            let path = folder + "/sparse"
            #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, 1 << 40) == 0)
            let task = Task {
                var request = FetchRequest(url: "file://\(path)")
                request.limits.body = 2 << 40
                return try await Fetcher().fetch(request)
            }
            await Task.yield()
            task.cancel()
            await #expect(throws: FetchError.cancelled) { try await task.value }
            var request = FetchRequest(url: "file://\(path)")
            (request.limits.body, request.limits.totalTimeout) = (2 << 40, 50)
            let late = request
            await #expect(throws: FetchError.timedOut) { try await Fetcher().fetch(late) }
        }
    }
}
