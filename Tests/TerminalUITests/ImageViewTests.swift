import TerminalUITesting
import Testing

@testable import TerminalUI

@MainActor
@Suite struct ImageViewTests {
    private let view = ImageView()

    /// Four fields: red, green, blue, white.
    private func show(width: Int = 40, height: Int = 40, _ columns: Int, _ rows: Int) -> TestScreen {
        var rgba: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let field = (x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)
                rgba += [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]][field]
            }
        }
        view.image = PixelBuffer(width: width, height: height, rgba: rgba)
        return TestScreen(
            root: HostController(view), size: Size(width: columns, height: rows),
            capabilities: TerminalCapabilities(colors: .direct))
    }

    private func color(_ screen: TestScreen, _ x: Int, _ y: Int) -> Color {
        screen.terminal.cells[x, y].style.foreground
    }

    @Test func STA_04_fitsTheWholePictureCentred() {
        let screen = show(40, 10)
        #expect(screen.lines[0] == String(repeating: " ", count: 10) + String(repeating: "▀", count: 20))
        #expect(color(screen, 10, 0) == .rgb(255, 0, 0))
        #expect(color(screen, 29, 0) == .rgb(0, 255, 0))
        #expect(color(screen, 10, 9) == .rgb(0, 0, 255))
        #expect(color(screen, 29, 9) == .rgb(255, 255, 255))
        screen.press("-")
        #expect(view.viewport == Viewport())
    }

    @Test func fitsASpaceWithItsProportions() {
        _ = show(width: 40, height: 30, 10, 10)
        #expect(view.sizeThatFits(Size(width: 20, height: 40)) == Size(width: 20, height: 8))
        #expect(view.sizeThatFits(Size(width: 200, height: 15)) == Size(width: 40, height: 15))
        view.image = nil
        #expect(view.sizeThatFits(Size(width: 200, height: 15)) == .zero)
    }

    @Test func STA_04_limitsTheZoomAndRecentres() {
        let screen = show(40, 10)
        for _ in 0..<20 { screen.press("+") }
        #expect(view.viewport.zoom == 5)
        for _ in 0..<100 { screen.press("left", "up") }
        #expect(color(screen, 39, 9) == .rgb(255, 0, 0))
        for _ in 0..<100 { screen.press("right", "down") }
        #expect(color(screen, 0, 0) == .rgb(255, 255, 255))
        for _ in 0..<20 { screen.press("-") }
        #expect(view.viewport.zoom == 1)
        #expect(view.viewport.centerX == 0.5)
        #expect(screen.lines[0].count == 30)
    }

    @Test func STA_04_zoomsAtThePointerAndPansByDragging() {
        let screen = show(40, 20)
        for _ in 0..<6 { screen.mouse(.wheel(-1), 2, 2) }
        #expect(color(screen, 20, 10) == .rgb(255, 0, 0))
        #expect(view.viewport.centerX < 0.5)
        let before = view.viewport.centerX
        screen.drag(from: Point(x: 20, y: 10), to: Point(x: 10, y: 10))
        #expect(view.viewport.centerX > before)
        screen.press("0")
        #expect(view.viewport == Viewport())
    }

    @Test func STA_04_keepsTheZoomOverAResize() {
        let screen = show(40, 10)
        screen.press("+", "+", "+")
        let before = view.viewport
        screen.resize(80, 30)
        #expect(view.viewport == before)
    }

    @Test func drawsInkWithoutColours() {
        let screen = show(20, 10)
        screen.terminal.capabilities.colors = .none
        let other = TestScreen(
            root: HostController(view), size: Size(width: 20, height: 10), capabilities: screen.terminal.capabilities)
        #expect(other.lines[0].first != "▀")
        #expect(other.lines[9].hasSuffix("█"))
    }

    @Test(arguments: [(ImageDetail.quadrants, "▌"), (.sextants, "▌")])
    func refinesTheDrawingAtRest(detail: ImageDetail, glyph: String) async {
        // Stripes of half a cell: half blocks mix them, finer parts don't.
        var rgba: [UInt8] = []
        for _ in 0..<40 { for x in 0..<40 { rgba += x % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255] } }
        view.image = PixelBuffer(width: 40, height: 40, rgba: rgba)
        view.detail = detail
        let screen = TestScreen(of: view, width: 20, height: 10)
        #expect(screen.lines[0].contains("▀"))
        #expect(
            await screen.wait {
                screen.lines[0] == String(repeating: glyph, count: 20) || screen.lines[0].contains("▐")
            })
        screen.press("+")
        #expect(screen.lines[0].contains("▀"))
    }

    @Test(arguments: [
        (ImageDetail.kitty, GraphicsProtocol.kitty), (.sixel, .sixel), (.automatic, .kitty), (.automatic, .sixel),
    ])
    func showsPixelsWhereSupported(detail: ImageDetail, way: GraphicsProtocol) async throws {
        view.detail = detail
        let cell = Size(width: 6, height: 12)
        let support = GraphicsSupport(protocols: [way], cellSize: cell, explanation: "a test")
        let screen = show(20, 10)
        let shows = { (text: String) in
            screen.terminal.cells[0, 0].text.unicodeScalars.first == text.unicodeScalars.first
        }
        #expect(shows("▀"))
        screen.terminal.capabilities.graphics = support
        screen.application.send(.graphics(support))
        #expect(await screen.wait { shows("\u{10EEEE}") })
        let added = try #require(screen.terminal.pictures.last)
        #expect(added.picture.size == Size(width: 20, height: 10))
        // Sixels cover the cells' pixels; kitty receives the picture's.
        #expect(added.pixels.width == (way == .sixel ? 120 : 40))
        #expect(Array(added.pixels.rgba[..<4]) == [255, 0, 0, 255])
        #expect(screen.terminal.cells[3, 2].text == "\u{10EEEE}\u{30E}\u{310}\u{30D}")
        // While moving it is drawn in blocks; then the terminal receives the visible pixels.
        screen.press("+")
        #expect(shows("▀"))
        #expect(await screen.wait { shows("\u{10EEEE}") })
        #expect(screen.terminal.pictures.count == 2)
        // Another terminal without graphics: quadrants.
        screen.terminal.capabilities.graphics = .unknown
        screen.application.send(.graphics(.unknown))
        #expect(!shows("\u{10EEEE}"))
        #expect(await screen.wait { !shows("▀") || shows("█") })
        #expect(!screen.text.unicodeScalars.contains("\u{10EEEE}"))
    }

    /// A terminal may claim cells whose pixels need more memory than there is.
    @Test func drawsCellsIfTheirPixelsAreTooMany() async {
        var rgba: [UInt8] = []
        for _ in 0..<40 { for x in 0..<40 { rgba += x % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255] } }
        view.image = PixelBuffer(width: 40, height: 40, rgba: rgba)
        view.detail = .sixel
        var capabilities = TerminalCapabilities(colors: .direct)
        capabilities.graphics = GraphicsSupport(
            protocols: [.sixel], cellSize: Size(width: 256, height: 256), explanation: "a test")
        let screen = TestScreen(
            root: HostController(view), size: Size(width: 20, height: 10), capabilities: capabilities)
        #expect(await screen.wait { !screen.lines[0].contains("▀") })
        #expect(screen.lines[0].contains("▌") || screen.lines[0].contains("▐"))
        #expect(screen.terminal.pictures.isEmpty)
    }

    @Test func hasACharacterForEachPattern() {
        #expect((0..<16).map { String(ImageDetail.quadrants.scalar($0)) }.joined() == " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
        let sextants = (0..<64).map { ImageDetail.sextants.scalar($0) }
        #expect(Set(sextants).count == 64)
        #expect(sextants[1] == "\u{1FB00}" && sextants[62] == "\u{1FB3B}")
    }
}
