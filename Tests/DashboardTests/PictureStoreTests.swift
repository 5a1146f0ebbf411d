import Pictures
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Pictures appear at once, load once, and leave a few colours behind (row STA-03).
@MainActor
@Suite struct PictureStoreTests {
    private final class Hints {
        var known: [PictureRequest: PictureHint] = [:]
    }
    private let hints = Hints()

    private func picture(_ side: Int, _ value: UInt8 = 100) -> Picture {
        Picture(width: side, height: side, rgba: [UInt8](repeating: value, count: side * side * 4))
    }

    private func store(_ answer: @escaping @Sendable (PictureRequest) -> Result<Picture, PictureProblem>)
        -> PictureStore
    {
        PictureStore(
            load: { request in answer(request) }, remembered: { [hints] in hints.known[$0] },
            remember: { [hints] in hints.known[$0] = $1 })
    }

    private func request(_ stage: Int) -> PictureRequest { .bundled(race: "r", stage: stage) }

    @Test func loadsAPictureOnceForTwoRequests() async {
        let count = Mutex(0)
        let asked = Mutex(0)
        let made = picture(4)
        let store = PictureStore(
            load: { _ in
                count.withLock { $0 += 1 }
                while asked.withLock({ $0 }) < 2 { await Task.yield() }
                return .success(made)
            }, remembered: { _ in nil }, remember: { _, _ in })
        func ask() async {
            asked.withLock { $0 += 1 }
            _ = await store.load(request(1))
        }
        let other = Task { await ask() }
        await ask()
        await other.value
        _ = await store.load(request(1))
        #expect(count.withLock { $0 } == 1)
        #expect(store.picture(request(1)) == PixelBuffer(made))
        store.forget()
        #expect(store.picture(request(1)) == nil)
    }

    @Test func evictsTheOldestPictures() async {
        let large = picture(1200)
        let store = store { _ in .success(large) }
        for stage in 1...4 { _ = await store.load(request(stage)) }
        #expect(store.picture(request(1)) == nil && store.picture(request(2)) == nil)
        #expect(store.picture(request(3)) != nil && store.picture(request(4)) != nil)
    }

    @Test func prefetchesOnlyLocalPictures() async {
        let asked = Mutex<[PictureRequest]>([])
        let small = picture(2)
        let store = store { request in
            asked.withLock { $0.append(request) }
            return .success(small)
        }
        let far = PictureRequest.address("https://race.example/1.jpg", ownHost: nil)
        let known = PictureRequest.address("https://race.example/2.jpg", ownHost: nil)
        hints.known[known] = PictureHint(PixelBuffer(small))
        store.loadAhead([request(1), far, known])
        for _ in 0..<300 where asked.withLock({ $0.count }) < 2 { try? await Task.sleep(for: .milliseconds(10)) }
        #expect(asked.withLock { $0 } == [request(1), known])
    }

    @Test func hintsMatchThePictureColours() throws {
        var rgba: [UInt8] = []
        for _ in 0..<60 {
            for x in 0..<80 { rgba += x < 40 ? [200, 0, 0, 255] : [0, 0, 200, 255] }
        }
        let hint = try #require(PictureHint(PixelBuffer(width: 80, height: 60, rgba: rgba)))
        #expect(hint.width == 80 && hint.height == 60 && hint.colors.count == PictureHint.bytes)
        #expect(Array(hint.colors[..<3]) == [200, 0, 0] && Array(hint.colors[21..<24]) == [0, 0, 200])
        let blurred = hint.blurred
        #expect(blurred.width == 48 && blurred.height == 36)
        #expect(Array(blurred.rgba[..<4]) == [200, 0, 0, 255])
        let middle = Array(blurred.rgba[24 * 4..<24 * 4 + 3])
        #expect(middle[0] > 40 && middle[0] < 160 && middle[2] > 40 && middle[2] < 160)
        #expect(PictureHint(width: 0, height: 1, colors: hint.colors) == nil)
        #expect(PictureHint(width: 1, height: 1, colors: [1]) == nil)
        #expect(PictureHint(PixelBuffer(width: 0, height: 0, rgba: [])) == nil)
        #expect(PictureHint(PixelBuffer(width: 1, height: 1, rgba: [9, 8, 7, 255]))?.colors.count == PictureHint.bytes)
    }

    /// From one stage to the next there is always a picture, never an empty area.
    @Test func STA_03_keepsTheOldPictureUntilTheNewOneLoads() async throws {
        let stages = (1...3).map {
            "{\"number\": \($0), \"start\": \"Town \($0)\", \"finish\": \"Sea\", \"image_url\": \"https://r.example/\($0).jpg\"}"
        }
        let mayLoad = Mutex(false)
        let dashboard = try await DashboardScreen(
            120, 40, segment: "stages",
            race: "{\"race\": \"V\", \"year\": 2026, \"stages\": [\(stages.joined(separator: ","))]}"
        ) { request in
            guard case .address(let url, _) = request else { return .failure(PictureProblem("no")) }
            let isFirst = url.contains("1.jpg")
            while !isFirst, !mayLoad.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(1)) }
            let value: UInt8 = isFirst ? 40 : 220
            return .success(Picture(width: 40, height: 30, rgba: [UInt8](repeating: value, count: 4800)))
        }
        let screen = dashboard.screen
        func color() -> Color { screen.terminal.cells[80, 8].style.foreground }
        #expect(await screen.wait(for: "Photograph: r.example"))
        let first = color()
        #expect(first != .standard)
        #expect(await screen.press("J", until: "Town 2"))
        #expect(color() == first)
        mayLoad.withLock { $0 = true }
        var seen: [Color] = []
        for _ in 0..<400 {
            screen.application.render()
            if seen.last != color() { seen.append(color()) }
            if seen.count > 1 { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(seen.count == 2 && seen[0] == first && !seen.contains(.standard))
        // On the way back it appears together with the row.
        screen.press("K")
        #expect(color() == first)
    }
}
