import CommonTesting
import Foundation
import Testing

@testable import Fetching

/// File addresses, which may come from someone else's list.
@Suite(.timeLimit(.minutes(2))) struct LocalFileTests {
    private let folder = TemporaryFolder()

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
        // Opening a pipe without a writer would block forever.
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        symlink("/dev/zero", folder.path("link"))
        for path in [folder.url.path, folder.path("pipe"), folder.path("link"), "/dev/null", "/dev/ptmx"] {
            await #expect(throws: FetchError.notRegularFile(path)) {
                try await Fetcher().fetch(FetchRequest(url: "file://" + path))
            }
        }
        await #expect(throws: FetchError.noSuchFile(folder.path("none"))) {
            try await Fetcher().fetch(FetchRequest(url: "file://" + folder.path("none")))
        }
    }

    @Test func appliesTheLimitsOfAFetch() async throws {
        let file = try folder.write(String(repeating: "A", count: 200_000), to: "file")
        var request = FetchRequest(url: "file://" + file)
        request.limits.body = 200_000
        #expect(try await Fetcher().fetch(request).body.count == 200_000)
        request.limits.body = 199_999
        await #expect(throws: FetchError.bodyTooLarge(limit: 199_999)) { try await Fetcher().fetch(request) }
    }

    /// The waiting task continues whatever the file system does.
    @Test func endsWhenItIsCancelled() async throws {
        let path = try folder.write("", to: "sparse")
        #expect(truncate(path, 1 << 40) == 0)
        var request = FetchRequest(url: "file://" + path)
        request.limits.body = 2 << 40
        let task = Task { [request] in try await Fetcher().fetch(request) }
        await Task.yield()
        task.cancel()
        await #expect(throws: FetchError.cancelled) { try await task.value }
        request.limits.totalTimeout = 50
        await #expect(throws: FetchError.timedOut) { try await Fetcher().fetch(request) }
    }
}
