import CommonTesting
import FeedParsing
import Feeds
import LibraryKernel
import LibraryTesting
import ModelCore
import Pictures
import Synchronization
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Work that runs later, once, or only while the pane has focus; and caches with their limits.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct CachesAndDelays {
    private final class Calls { var list: [Int] = [] }

    @Test func coalescesRequestsIntoTwoRuns() async {
        let calls = Calls()
        let coalescer = Coalescer()
        for number in 1...5 { coalescer.schedule { calls.list.append(number) } }
        #expect(calls.list == [1], "the first is run at once")
        #expect(await eventually { calls.list.count == 2 })
        #expect(calls.list == [1, 2])
        coalescer.schedule { calls.list.append(6) }
        #expect(await eventually { calls.list == [1, 2, 6] })
    }

    @Test func runsOnlyTheLastTaskAfterAPause() async {
        let calls = Calls()
        let timer = IdleTimer()
        for number in 1...3 { timer.start(.milliseconds(1)) { calls.list.append(number) } }
        #expect(calls.list.isEmpty)
        #expect(await eventually { !calls.list.isEmpty })
        #expect(calls.list == [3])
        timer.start(.milliseconds(1)) { calls.list.append(4) }
        timer.stop()
        timer.start(.milliseconds(1)) { calls.list.append(5) }
        #expect(await eventually { calls.list.count == 2 })
        #expect(calls.list == [3, 5])
        timer.start(.milliseconds(1)) { calls.list.append(6) }
        timer.stop()
        let other = IdleTimer()
        other.start(.milliseconds(5)) { calls.list.append(7) }
        #expect(await eventually { calls.list.last == 7 })
        #expect(calls.list == [3, 5, 7])
    }

    @Test func countsTimeOnlyWhileFocused() async {
        let calls = Calls()
        let paneFocus = PaneFocus()
        paneFocus.hasFocus = false
        let timer = IdleTimer(whileLookedAt: paneFocus)
        timer.start(.milliseconds(1)) { calls.list.append(1) }
        let other = IdleTimer()
        other.start(.milliseconds(10)) { calls.list.append(2) }
        #expect(await eventually { calls.list.contains(2) })
        #expect(calls.list == [2])
        paneFocus.hasFocus = true
        #expect(await eventually { calls.list == [2, 1] })
        // A terminal that reports no focus counts as focused.
        for known in [nil, true] as [Bool?] {
            let paneFocus = PaneFocus()
            paneFocus.hasFocus = known
            let calls = Calls()
            let timer = IdleTimer(whileLookedAt: paneFocus)
            timer.start(.milliseconds(1)) { calls.list.append(1) }
            #expect(await eventually { calls.list == [1] })
        }
    }

    @Test func notifiesOnlyWhenUnfocused() {
        let paneFocus = PaneFocus()
        #expect(paneFocus.needsNotifications, "the terminal has not said that somebody looks")
        var returns = 0
        paneFocus.onReturn { returns += 1 }
        paneFocus.hasFocus = false
        #expect(paneFocus.needsNotifications && returns == 0)
        paneFocus.hasFocus = true
        #expect(!paneFocus.needsNotifications && returns == 1)
        paneFocus.hasFocus = false
        paneFocus.hasFocus = true
        #expect(returns == 1, "each waits for one return")
    }

    private final class Detail: ViewController, RowDetail {
        var release = 0
        func releasePictures() { release += 1 }
    }

    @Test func keepsSixteenDetailsThreeWithPictures() {
        var kept = DetailCache<Int, Detail>()
        let details = (0..<18).map { _ in Detail() }
        for index in 0..<3 { #expect(kept.detail(for: index) { details[index] } === details[index]) }
        #expect(details[0].release == 0)
        for index in 3..<16 { _ = kept.detail(for: index) { details[index] } }
        #expect(details[12].release > 0 && details[13].release == 0)
        #expect(details[0..<16].allSatisfy { kept.contains($0) })
        // A requested detail becomes the most recent and survives others.
        #expect(kept.detail(for: 0) { nil } === details[0])
        _ = kept.detail(for: 16) { details[16] }
        #expect(kept.contains(details[0]) && !kept.contains(details[1]))
        _ = kept.detail(for: 17) { details[17] }
        #expect(!kept.contains(details[2]) && kept.contains(details[3]))
        #expect(kept.detail(for: 99) { nil } == nil)
        kept.keep { key, _ in key == 5 }
        #expect(kept.contains(details[5]) && !kept.contains(details[6]) && !kept.contains(details[0]))
    }

    // MARK: Pictures

    private func picture(_ side: Int, _ value: UInt8 = 100) -> Picture {
        Picture(width: side, height: side, rgba: [UInt8](repeating: value, count: side * side * 4))
    }

    private func request(_ stage: Int) -> PictureRequest { .bundled(race: "r", stage: stage) }

    @Test func evictsTheLeastRecentPicture() async {
        // Two of these are within the limit, three are not.
        let side = 1200
        #expect(2 * side * side * 4 <= PictureStore.maximumBytes && 3 * side * side * 4 > PictureStore.maximumBytes)
        let large = picture(side)
        let store = PictureStore(load: { _ in .success(large) }, remembered: { _ in nil }, remember: { _, _ in })
        for stage in 1...2 { _ = await store.load(request(stage)) }
        #expect(store.picture(request(1)) != nil)
        _ = await store.load(request(3))
        #expect(store.picture(request(2)) == nil && store.picture(request(1)) != nil)
        // One that exceeds the limit by itself is kept alone.
        let huge = PixelBuffer(picture(1800))
        #expect(huge.rgba.count > PictureStore.maximumBytes)
        let others = PictureStore(
            load: { _ in .success(Picture(width: 1800, height: 1800, rgba: huge.rgba)) }, remembered: { _ in nil },
            remember: { _, _ in })
        _ = await others.load(request(1))
        #expect(others.picture(request(1)) != nil)
    }

    @Test func requestsAFailedPictureAgain() async {
        let count = Mutex(0)
        let small = picture(2)
        let store = PictureStore(
            load: { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 1 ? .failure(PictureProblem("gone")) : .success(small)
            }, remembered: { _ in nil }, remember: { _, _ in })
        #expect(await store.load(request(1)) == .failure(PictureProblem("gone")))
        #expect(store.picture(request(1)) == nil)
        #expect(await store.load(request(1)) == .success(PixelBuffer(small)))
        _ = await store.load(request(1))
        #expect(count.withLock { $0 } == 2)
    }

    @Test func cachesColoursOfEachPicture() async {
        final class Hints {
            var known: [PictureRequest: PictureHint] = [:]
            var writes = 0
        }
        let hints = Hints()
        let value = Mutex<UInt8>(100)
        let store = PictureStore(
            load: { _ in
                .success(Picture(width: 2, height: 2, rgba: [UInt8](repeating: value.withLock { $0 }, count: 16)))
            }, remembered: { hints.known[$0] },
            remember: {
                hints.known[$0] = $1
                hints.writes += 1
            })
        _ = await store.load(request(1))
        #expect(hints.writes == 1 && store.hint(request(1)) != nil && store.hint(request(2)) == nil)
        store.forget()
        #expect(store.picture(request(1)) == nil && store.hint(request(1)) != nil)
        _ = await store.load(request(1))
        #expect(hints.writes == 1, "the same colours are not written again")
        store.forget()
        value.withLock { $0 = 200 }
        _ = await store.load(request(1))
        #expect(hints.writes == 2)
    }

    @Test func doesNotPrefetchWhilePassing() async {
        let asked = Mutex<[PictureRequest]>([])
        let small = picture(2)
        let store = PictureStore(
            load: { request in
                asked.withLock { $0.append(request) }
                return .success(small)
            }, remembered: { _ in nil }, remember: { _, _ in })
        store.loadAhead([request(1), request(2)])
        store.loadAhead([request(3), request(4)])
        #expect(await eventually { asked.withLock { $0.count } == 2 })
        #expect(asked.withLock { $0 } == [request(3), request(4)])
        store.loadAhead([request(5)])
        store.forget()
        store.loadAhead([request(6)])
        #expect(await eventually { asked.withLock { $0.last } == request(6) })
        #expect(asked.withLock { $0 } == [request(3), request(4), request(6)])
    }

    @Test func limitsHints() {
        let colors = [UInt8](repeating: 7, count: PictureHint.bytes)
        #expect(PictureHint.bytes == 144)
        for (width, height, isOne) in [
            (1, 1, true), (0, 1, false), (1, 0, false), (-1, 1, false), (1 << 20, 1 << 20, true),
            (1 << 20 + 1, 1, false), (1, 1 << 20 + 1, false),
        ] {
            #expect((PictureHint(width: width, height: height, colors: colors) != nil) == isOne, "\(width) \(height)")
        }
        for count in [PictureHint.bytes - 1, PictureHint.bytes + 1] {
            #expect(PictureHint(width: 1, height: 1, colors: [UInt8](repeating: 0, count: count)) == nil)
        }
        // In the picture's proportions, 48 pixels on the longer side.
        for (width, height, size) in [(100, 50, (48, 24)), (50, 100, (24, 48)), (1, 1000, (1, 48)), (7, 7, (48, 48))] {
            let blurred = PictureHint(width: width, height: height, colors: colors)?.blurred
            #expect(blurred?.width == size.0 && blurred?.height == size.1)
            #expect(blurred?.rgba.count == size.0 * size.1 * 4 && blurred?.rgba[0] == 7 && blurred?.rgba[3] == 255)
        }
    }

    // MARK: The index

    private func feed() throws -> ParsedFeed {
        try FeedParser.parse(Array(DashboardScreen.feed.utf8), base: "https://one.example/feed").feed
    }

    private func filledLibrary() async throws -> Library {
        let library = try Library(path: nil)
        let id = try await library.follow("https://one.example/feed")
        try await library.store(try feed(), in: id, record: FetchRecord(date: 1))
        #expect(try library.search.unindexedCount() == 4)
        return library
    }

    @Test func indexesOnRequest() async throws {
        let library = try await filledLibrary()
        let index = IndexController(library: library)
        index.start()
        index.start()
        #expect(try await eventually { try library.search.unindexedCount() == 0 })
        // And again for later entries.
        let id = try await library.follow("https://two.example/feed")
        try await library.store(try feed(), in: id, record: FetchRecord(date: 1))
        #expect(
            try await eventually {
                index.start()
                return try library.search.unindexedCount() == 0
            })
    }

    @Test func theIndexWaitsForOtherPrograms() async throws {
        let library = try await filledLibrary()
        let index = IndexController(library: library, pause: .milliseconds(2))
        index.startAfterRest()
        index.stop()
        #expect(try library.search.unindexedCount() == 4)
        index.startAfterRest()
        index.startAfterRest()
        #expect(try await eventually { try library.search.unindexedCount() == 0 })
    }
}
