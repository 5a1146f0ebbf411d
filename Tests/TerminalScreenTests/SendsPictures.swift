import CommonTesting
import TerminalText
import Testing

@testable import TerminalScreen

/// Queries about pictures, and how they are sent.
@MainActor @Suite struct SendsPictures {
    /// A terminal that records its input.
    private final class Notes {
        var written: [String] = []
        var cell: Size?
        var queries = 0
        /// The colours that the terminal has reported later.
        var colors: TerminalCapabilities.ColorDepth?
        var text: String { written.joined() }
        func take() -> String {
            defer { written = [] }
            return text
        }
    }

    private let notes = Notes()

    private func graphics(
        _ variables: [String: String] = ["TERM": "xterm"], colors: TerminalCapabilities.ColorDepth = .palette
    ) -> TerminalGraphics {
        let notes = notes
        return TerminalGraphics(
            environment: { variables[$0] ?? "" }, colors: { notes.colors ?? colors },
            cellOfSystem: { notes.cell }, didQuery: { notes.queries += 1 }
        ) { notes.written.append(String(decoding: $0, as: UTF8.self)) }
    }

    private func picture(_ width: Int, _ height: Int) -> PixelBuffer {
        PixelBuffer(width: width, height: height, rgba: Array(repeating: 200, count: width * height * 4))
    }

    /// A terminal that has answered.
    private func answered(_ reports: [TerminalReport]) -> TerminalGraphics {
        let graphics = graphics()
        graphics.detect()
        for report in reports + [.attributes([62, 4])] { graphics.take(report) }
        _ = (graphics.takeEvents(), notes.take())
        return graphics
    }

    private let kitty: [TerminalReport] = [.version("kitty(0.40.0)")]
    private let sixel: [TerminalReport] = [.version("XTerm(379)"), .cellSize(Size(width: 2, height: 3))]

    @Test func queriesOnceAndReportsSupport() {
        let graphics = graphics()
        graphics.take(.attributes([4]))
        #expect(!graphics.isAwaiting && graphics.takeEvents().isEmpty && graphics.support == .unknown)
        graphics.detect()
        graphics.detect()
        #expect(notes.take() == GraphicsDetection.Answers.question && graphics.isAwaiting && notes.queries == 1)
        let waiting = GraphicsSupport(explanation: "The terminal has not answered yet.")
        #expect(graphics.takeEvents() == [.graphics(waiting)] && graphics.takeEvents().isEmpty)
        graphics.take(.version("kitty(0.40.0)"))
        #expect(graphics.isAwaiting && graphics.takeEvents().isEmpty)
        graphics.take(.attributes([62]))
        #expect(!graphics.isAwaiting && graphics.support.protocols == [.kitty])
        #expect(graphics.takeEvents() == [.graphics(graphics.support)])
        graphics.take(.attributes([62, 4]))
        #expect(graphics.support.protocols == [.kitty] && graphics.takeEvents().isEmpty)
        // An equal answer is no change.
        graphics.detect()
        for report in kitty + [.attributes([62])] { graphics.take(report) }
        #expect(graphics.takeEvents().isEmpty)
        notes.cell = Size(width: 8, height: 16)
        graphics.detect()
        graphics.take(.attributes([4]))
        #expect(graphics.support.protocols == [.sixel] && graphics.support.cellSize == notes.cell)
    }

    @Test func queriesNothingWithoutSupport() {
        for (variables, colors) in [
            (["TERM": "linux"], .palette), (["TERM": "xterm"], .sixteen), (["TERM": "screen"], .direct),
            (["TERM": "xterm", "STY": "1"], .palette), (["TERM": "vt220"], .palette),
        ] as [([String: String], TerminalCapabilities.ColorDepth)] {
            let graphics = graphics(variables, colors: colors)
            graphics.detect()
            #expect(notes.take() == "" && !graphics.isAwaiting, "\(variables)")
            #expect(graphics.takeEvents().count == 1 && graphics.support.protocols.isEmpty)
            #expect(!graphics.support.explanation.isEmpty)
            #expect(!graphics.has(TerminalPicture(number: 16, group: 1, size: .zero)))
            #expect(notes.queries == 0)
        }
        let tmux = TmuxAnswer.question(pane: "%7")
        #expect(tmux.filter { $0 == "%7" }.count == 2 && tmux.contains(";"))
        #expect(tmux.contains("#{allow-passthrough}|#{window_active_clients}|#{pane_active}|#{pane_in_mode}"))
        #expect(tmux.contains("#{client_name}|#{client_termtype}|#{client_termfeatures}"))
        for (word, passes) in [("0", false), ("1", true), ("2", true), ("on", true), ("all", true), ("off", false)] {
            #expect(TmuxAnswer("\(word)|3|1|0\n")?.passesThrough == passes, "\(word)")
        }
        #expect(TmuxAnswer("on|3|1|0\na|b|c\nbroken\n")?.clients.count == 1)
        #expect(TmuxAnswer("on|3|1|0\n")?.viewers == 3)
        // The answers of the terminal around tmux must not reach another pane, nor come from two terminals.
        for (answer, isReached) in [
            ("on|1|1|0", true), ("all|1|1|0", true), ("off|1|1|0", false), ("on|0|1|0", false), ("on|2|1|0", false),
            ("on|1|0|0", false), ("on|1|1|1", false),
        ] {
            #expect(TmuxAnswer(answer + "\n")?.reachesTerminal == isReached, "\(answer)")
        }
    }

    /// TERM of a terminal with 24 bits may name eight colours.
    @Test func queriesOnceThereAreEnoughColors() {
        let graphics = graphics(["TERM": "xterm"], colors: .sixteen)
        notes.colors = .direct
        graphics.colorsChanged()
        #expect(notes.take() == "")
        notes.colors = .sixteen
        graphics.detect()
        #expect(notes.take() == "" && graphics.support.explanation.contains("fewer than 256"))
        notes.colors = .direct
        graphics.colorsChanged()
        #expect(notes.take() == GraphicsDetection.Answers.question)
        for report in sixel + [.attributes([62, 4])] { graphics.take(report) }
        #expect(graphics.support.protocols == [.sixel] && !graphics.support.explanation.contains("256"))
    }

    @Test func queriesAgainAfterAResize() {
        let graphics = graphics()
        graphics.terminalMayHaveChanged(hasSameCells: false)
        #expect(notes.take() == "")
        graphics.detect()
        graphics.take(.attributes([62]))
        _ = notes.take()
        graphics.terminalMayHaveChanged(hasSameCells: true)
        #expect(notes.take() == "")
        graphics.terminalMayHaveChanged(hasSameCells: false)
        #expect(notes.take() == GraphicsDetection.Answers.question)
    }

    @Test func sendsAndDeletesKittyPictures() async throws {
        let graphics = answered(kitty)
        let picture = try #require(await graphics.add(picture(3, 2), cells: Size(width: 2, height: 1), by: .kitty))
        #expect(picture.size == Size(width: 2, height: 1) && graphics.has(picture))
        let number = TerminalPictures.identifier(picture)
        let sent = notes.take()
        #expect(sent.contains("a=T,U=1,i=\(number),f=24,s=3,v=2,c=2,r=1,q=2,m=0;"))
        let other = try #require(await graphics.add(self.picture(1, 1), cells: Size(width: 1, height: 1), by: .kitty))
        #expect(other != picture && graphics.has(picture))
        _ = notes.take()
        graphics.retransmit()
        #expect(await eventually { notes.text.contains("i=\(number),") })
        #expect(notes.take().contains("i=\(TerminalPictures.identifier(other)),"))
        graphics.stop()
        let end = notes.take()
        #expect(end.contains("a=d,d=I,i=\(number),q=2") && end.components(separatedBy: "a=d").count == 3)
        #expect(!graphics.has(picture))
        #expect(await graphics.add(self.picture(1, 1), cells: Size(width: 1, height: 1), by: .sixel) == nil)
    }

    @Test func forgetsPicturesOfAnotherTerminal() async throws {
        for (reports, deletes) in [(sixel, false), (kitty + [.cellSize(Size(width: 9, height: 9))], true)] {
            let graphics = answered(kitty)
            let picture = try #require(await graphics.add(picture(1, 1), cells: Size(width: 1, height: 1), by: .kitty))
            _ = notes.take()
            graphics.detect()
            for report in reports + [.attributes([4])] { graphics.take(report) }
            #expect(!graphics.has(picture))
            graphics.detect()
            let question = GraphicsDetection.Answers.question
            #expect(await eventually { notes.text.contains(question) })
            for _ in 0..<50 { await Task.yield() }
            // A terminal without the protocol receives nothing.
            if deletes {
                #expect(await eventually { notes.text.contains("a=d") })
            } else {
                #expect(!notes.text.contains("a=d"))
            }
            _ = notes.take()
        }
    }

    @Test func rejectsPicturesThatCannotBeShown() async {
        let graphics = answered(kitty)
        let one = Size(width: 1, height: 1)
        for (pixels, cells) in [
            (picture(1, 1), Size(width: 0, height: 1)), (picture(1, 1), Size(width: 1, height: 0)),
            (picture(1, 1), Size(width: 298, height: 1)), (picture(1, 1), Size(width: 1, height: 298)),
            (picture(0, 0), one), (picture(1501, 1000), one),
        ] { #expect(await graphics.add(pixels, cells: cells, by: .kitty) == nil, "\(cells) \(pixels.width)") }
        #expect(await graphics.add(picture(1, 1), cells: Size(width: 297, height: 297), by: .kitty) != nil)
        #expect(await graphics.add(picture(2, 3), cells: one, by: .sixel) == nil)
        let sixels = answered(sixel)
        #expect(await sixels.add(picture(2, 3), cells: one, by: .sixel) != nil)
        #expect(await sixels.add(picture(3, 3), cells: one, by: .sixel) == nil)
        #expect(await sixels.add(picture(2, 4), cells: one, by: .sixel) == nil)
        #expect(await sixels.add(picture(2, 3), cells: one, by: .kitty) == nil)
    }

    @Test func redrawsTouchedSixels() async throws {
        let graphics = answered(sixel)
        let picture = try #require(await graphics.add(picture(4, 6), cells: Size(width: 2, height: 2), by: .sixel))
        #expect(notes.take() == "")
        func grid(at point: Point?) -> CellGrid {
            let grid = CellGrid(size: Size(width: 6, height: 6))
            if let point { Surface(grid).draw(picture, at: point) }
            return grid
        }
        let first = grid(at: Point(x: 1, y: 2))
        #expect(graphics.isSixel(first[1, 2]) && !graphics.isSixel(first[0, 2]))
        let text = String(decoding: graphics.sixels(on: first, writtenRows: []), as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}7\u{1B}[3;2H\u{1B}P0;1;0q\"1;1;4;6") && text.hasSuffix("\u{1B}\\\u{1B}8"))
        for (rows, isShown) in [([], false), ([0, 1, 4, 5], false), ([2], true), ([3], true)] as [(Set<Int>, Bool)] {
            #expect(graphics.sixels(on: first, writtenRows: rows).isEmpty == !isShown, "\(rows)")
        }
        #expect(!graphics.sixels(on: grid(at: Point(x: 2, y: 2)), writtenRows: []).isEmpty)
        #expect(graphics.sixels(on: grid(at: nil), writtenRows: []).isEmpty)
        #expect(!graphics.sixels(on: first, writtenRows: []).isEmpty)
        // Sending it again shows it again.
        graphics.retransmit()
        #expect(!graphics.sixels(on: first, writtenRows: []).isEmpty)
    }

    @Test func numbersPicturesInTurn() {
        let pictures = TerminalPictures(place: 256, throughTmux: false)
        #expect(pictures.group == 2 && TerminalPictures(place: 254, throughTmux: false).group == 255)
        #expect(TerminalPictures(place: 0, throughTmux: false).group == 1)
        let one = Size(width: 1, height: 1)
        let first = pictures.reserve(one)
        #expect(first.number == 16 && pictures.keep(first, .kitty([[1]])).isEmpty)
        #expect((0..<239).map { _ in pictures.reserve(one).number } == Array(17...255))
        // A kept picture keeps its number.
        #expect(pictures.reserve(one).number == 17)
        #expect(TerminalPictures.identifier(first) == 2 << 24 | 16)
        #expect(first.style.isPicture && first.glyph(row: 1, column: 2).picturePlaceholder?.group == 2)
    }

    @Test func limitsBytesOfPictures() {
        let pictures = TerminalPictures(place: 0, throughTmux: false)
        let half = [UInt8](repeating: 0, count: TerminalPictures.maximumBytes / 2)
        func add(_ form: TerminalPictures.Form) -> (TerminalPicture, Int) {
            let picture = pictures.reserve(Size(width: 1, height: 1))
            return (picture, pictures.keep(picture, form).count)
        }
        let (first, none) = add(.kitty([half]))
        let (second, still) = add(.kitty([half]))
        #expect(none == 0 && still == 0 && pictures.has(first))
        let (third, one) = add(.kitty([[1]]))
        #expect(one == 1 && !pictures.has(first) && pictures.has(second) && pictures.has(third))
        // The last picture is kept however large it is.
        let (large, gone) = add(.kitty([half, half, half]))
        #expect(gone == 2 && pictures.has(large) && !pictures.isEmpty)
        // Sixels have no commands to resend or delete.
        let sixels = TerminalPictures(place: 0, throughTmux: false)
        _ = sixels.keep(
            sixels.reserve(Size(width: 1, height: 1)),
            .sixel(SixelPicture(picture(2, 2), colors: 4), cell: Size(width: 2, height: 2)))
        #expect(sixels.transmissions.isEmpty && sixels.removeAll().isEmpty && sixels.isEmpty)
    }
}
