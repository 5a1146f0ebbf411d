import CAllocationCount
import Dispatch
import Foundation
import LibraryTesting
import ModelCore
import TerminalUI
import Testing

@testable import Dashboard
@testable import FeedsSegment

/// Keys and screens allocate at most a tenth more than recorded in `Allocations.txt`.
///
/// `make allocations` records the numbers of the current code. Other compilers than the recording one produce other
/// numbers, so that the suite needs its version.
@MainActor
@Suite(.enabled(if: AllocationRecords.isComparable), .serialized)
struct CountsAllocations {
    private static let records = AllocationRecords()

    @Test func countsEachKindOfAllocationOfThisThread() {
        let before = cac_allocations()
        var memory = [malloc(10), calloc(2, 10), aligned_alloc(64, 64)]
        memory[0] = realloc(memory[0], 1 << 20)
        var aligned: UnsafeMutableRawPointer?
        let status = posix_memalign(&aligned, 64, 100)
        let count = cac_allocations() - before
        // The array is an allocation, too.
        #expect(count >= 6 && count < 20)
        #expect(status == 0 && aligned != nil && UInt(bitPattern: aligned) % 64 == 0)
        #expect(posix_memalign(&aligned, 3, 100) == EINVAL)
        for part in memory + [aligned] { free(part) }
    }

    @Test func ignoresOtherThreads() {
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            for _ in 0..<10_000 { free(malloc(10)) }
            isDone.signal()
        }
        let before = cac_allocations()
        thread.start()
        isDone.wait()
        #expect(cac_allocations() - before < 1000)
    }

    @Test func keyDownInAnEntryList() async throws {
        let items = (0..<120).map { (title: "Entry \($0)", age: Int64(3600 * $0)) }
        let dashboard = try await dashboard([("https://alpha.example/feed", FeedWalk.atom("Alpha", items))])
        dashboard.screen.press("enter")
        try await expect("key down in an entry list", dashboard) { dashboard.screen.press("j") }
        #expect(dashboard.screen.application.window.focusedController is EntryListViewController)
    }

    @Test func keyDownInTheListOfFeeds() async throws {
        let feeds = (10..<50).map { ("https://feed\($0).example/", FeedWalk.atom("Feed\($0)", [("Entry", 3600)])) }
        let dashboard = try await dashboard(feeds)
        try await expect("key down in the list of feeds", dashboard) { dashboard.screen.press("j") }
        #expect(dashboard.screen.application.window.focusedController is FeedListViewController)
    }

    @Test func nextSegment() async throws {
        let dashboard = try await dashboard()
        try await expect("tab through all segments", dashboard) { dashboard.screen.press("tab", "tab", "tab") }
    }

    @Test(arguments: SegmentName.allCases.map(\.rawValue)) func drawOfASegment(segment: String) async throws {
        let dashboard = try await dashboard(segment: segment)
        try await expect("draw of \(segment)", dashboard) {
            dashboard.screen.application.window.setNeedsLayout()
            dashboard.screen.application.render()
        }
    }

    @Test func pageDownInAnArticle() async throws {
        let paragraphs = String(repeating: "<p>A line of a <b>long</b> article.</p>", count: 1000)
        let feed =
            "<rss><channel><title>Long</title><item><title>Long</title>"
            + "<description><![CDATA[\(paragraphs)]]></description></item></channel></rss>"
        let dashboard = try await dashboard([("https://long.example/feed", feed)])
        dashboard.screen.press("enter", "enter")
        #expect(await dashboard.articleIsShown)
        try await expect("page down in an article", dashboard) { dashboard.screen.press("pagedown") }
    }

    @Test func popover() async throws {
        let dashboard = try await dashboard()
        #expect(await dashboard.screen.press("enter", "G", "enter", until: "In a recent post"))
        let close: @MainActor () -> Void = {
            #expect(dashboard.screen.application.window.presentedViewController != nil)
            dashboard.screen.press("p")
        }
        try await expect("popover", dashboard, after: close) { dashboard.screen.press("p") }
    }

    private func dashboard(_ feeds: [(String, String)]? = nil, segment: String = "feeds") async throws
        -> DashboardScreen
    {
        let dashboard = try await DashboardScreen(120, 39, segment: segment, feeds: feeds)
        try await dashboard.library.indexAll()
        return dashboard
    }

    /// Repeats work, compares the median number of allocations with the recorded one, or records it.
    ///
    /// The first repetitions fill caches, and are not counted.
    ///
    /// - Parameter reset: What restores the state before the next repetition.
    private func expect(
        _ scene: String, _ dashboard: DashboardScreen, after reset: @MainActor () -> Void = {},
        _ work: @MainActor () -> Void
    ) async throws {
        var counts: [Int] = []
        for _ in 0..<12 {
            try await dashboard.settle()
            let before = cac_allocations()
            work()
            counts.append(Int(cac_allocations() - before))
            reset()
        }
        let count = counts.dropFirst(4).sorted()[4]
        if let problem = try CountsAllocations.records.problem(with: count, of: scene) { Issue.record("\(problem)") }
    }
}

/// The recorded numbers of allocations, a line for each scene.
private struct AllocationRecords {
    /// Whether this build allocates as the recorded one did.
    #if compiler(>=6.3) && compiler(<6.4)
        static let isComparable = cac_is_counting()
    #else
        static let isComparable = false
    #endif

    private let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Allocations.txt")

    /// Compares a number with the recorded one. With `RECORD_ALLOCATIONS` in the environment it is recorded instead.
    ///
    /// - Returns: How much the scene allocates too much, or `nil`.
    func problem(with count: Int, of scene: String) throws -> String? {
        var records = read()
        if ProcessInfo.processInfo.environment["RECORD_ALLOCATIONS"] != nil {
            records[scene] = count
            let lines = records.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }
            try Data(lines.joined().utf8).write(to: file)
            return nil
        }
        guard let recorded = records[scene] else { return "'\(scene)' is not recorded" }
        guard count * 10 > recorded * 11 else { return nil }
        return "'\(scene)' makes \(count) allocations, recorded are \(recorded); `make allocations` records others"
    }

    private func read() -> [String: Int] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        var records: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.components(separatedBy: ": ")
            if parts.count == 2 { records[parts[0]] = Int(parts[1]) }
        }
        return records
    }
}
