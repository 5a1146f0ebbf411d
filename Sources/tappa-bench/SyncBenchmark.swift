import Feeds
import Foundation
import LibraryKernel
import LoopbackServer
import ModelCore

/// Measures syncs with a local server: the first one, one without changes, and a thousand marks, compared to curl with
/// the same requests.
enum SyncBenchmark {
    static func run(tappa: String) async {
        for count in [10_000, 100_000] {
            do { try await measure(count, tappa) } catch { print("sync of \(count): \(error)") }
        }
    }

    private static func measure(_ count: Int, _ tappa: String) async throws {
        let server = try ReaderServer()
        defer { server.stop() }
        let body = "<p>" + String(repeating: "stage climb descent sprint ", count: 110) + "</p>"
        let feeds = (1...80).map { server.addFeed("Feed \($0)", url: "https://\($0).example/feed") }
        server.add(count, to: feeds, html: body)
        let folder = try Workload.folder("sync")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = folder.appendingPathComponent("l.sqlite").path

        let first = Workload.measure([
            tappa, "account", "add", "home", server.address, "--user", "alice", "--password-command", "echo secret",
            "--database", database,
        ])
        let sync = [tappa, "account", "sync", "--database", database]
        let requests = server.requests.count
        let none = (0..<5).map { _ in Workload.measure(sync).seconds }.min() ?? .nan
        let perSync = (server.requests.count - requests) / 5
        let library = try Library(path: database)
        let entries = try library.entries.rows(in: EntryQuery(.all), limit: 1_000).map(\.id)
        try await library.changes.perform(.mark(.read, true, entries: entries, wholeStories: false, now: 1))
        let marks = Workload.measure(sync).seconds
        let bare = try curl(server, count, folder)
        print(
            "sync of \(count) entries: first \(format(first.seconds)) s in \(requests) requests, \(format(first.memory)) MiB "
                + "(curl asking for the same \(format(bare.first)) s); without news \(format(none)) s in \(perSync) requests "
                + "(curl \(format(bare.none)) s); 1000 read marks \(format(marks)) s")
    }

    /// Sends the same requests with curl and discards the responses.
    private static func curl(_ server: ReaderServer, _ count: Int, _ folder: URL) throws -> (
        first: Double, none: Double
    ) {
        let program = "/usr/bin/curl"
        guard FileManager.default.isExecutableFile(atPath: program) else { return (.nan, .nan) }
        let base = server.address + "/reader/api/0/"
        let authorization = "Authorization: GoogleLogin auth=" + server.login()
        let lists = [
            "subscription/list?output=json",
            "stream/items/ids?output=json&s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read&n=10000",
            "stream/items/ids?output=json&s=user/-/state/com.google/starred&n=10000",
        ]
        func write(_ requests: [String], _ name: String) throws -> String {
            let path = folder.appendingPathComponent(name).path
            let each = requests.map { "\($0)\noutput = /dev/null\nheader = \"\(authorization)\"\n" }
            try each.joined(separator: "next\n").write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let ids = server.with { $0.entries.keys.sorted(by: >) }
        var whole = lists.map { "url = \"\(base)\($0)\"" }
        for start in stride(from: 0, to: ids.count, by: 250) {
            let data = "T=t" + ids[start..<min(start + 250, ids.count)].map { "&i=\($0)" }.joined()
            whole.append("url = \"\(base)stream/items/contents?output=json\"\ndata = \"\(data)\"")
        }
        let first = Workload.measure([program, "-s", "-K", try write(whole, "whole.txt")]).seconds
        let steady = try write(lists.map { "url = \"\(base)\($0)\"" }, "lists.txt")
        return (first, (0..<5).map { _ in Workload.measure([program, "-s", "-K", steady]).seconds }.min() ?? .nan)
    }
}
