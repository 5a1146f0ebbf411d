import CommonTesting
import Testing

@testable import TerminalScreen

extension InputDecoder {
    /// Decodes bytes that arrive in pieces of a size.
    mutating func decode(_ bytes: [UInt8], in size: Int) -> [InputEvent] {
        stride(from: 0, to: bytes.count, by: size).flatMap { decode(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}

@Suite struct InputDecoderTests {
    private func decode(_ text: String) -> [InputEvent] {
        var decoder = InputDecoder()
        return decoder.decode(Array(text.utf8)) + decoder.flush()
    }

    @Test(arguments: [
        ("a", KeyPress(.character("a"))), ("é", KeyPress(.character("é"))), ("\r", KeyPress(.enter)),
        ("\t", KeyPress(.tab)), ("\u{7F}", KeyPress(.backspace)), ("\u{08}", KeyPress(.backspace)),
        ("\u{1B}", KeyPress(.escape)), ("\u{1B}[A", KeyPress(.up)), ("\u{1B}OB", KeyPress(.down)),
        ("\u{1B}[Z", KeyPress(.backTab)), ("\u{1B}\t", KeyPress(.backTab)), ("\u{1B}[1;5C", KeyPress(.right, .control)),
        ("\u{1B}[6~", KeyPress(.pageDown)), ("\u{1B}[15~", KeyPress(.function(5))),
        ("\u{1B}OP", KeyPress(.function(1))), ("\u{1B}x", KeyPress(.character("x"), .alt)),
        ("\u{04}", KeyPress(.character("d"), .control)), ("\u{1B}[[A", KeyPress(.function(1))),
    ])
    func keys(bytes: String, press: KeyPress) {
        #expect(decode(bytes) == [.key(press)])
    }

    @Test(arguments: [
        ("\u{1B}[<0;250;5M", MouseEvent(.press(.left), at: Point(x: 249, y: 4))),
        ("\u{1B}[<0;1;1m", MouseEvent(.release, at: .zero)),
        ("\u{1B}[<32;3;4M", MouseEvent(.drag(.left), at: Point(x: 2, y: 3))),
        ("\u{1B}[<64;3;4M", MouseEvent(.wheel(-1), at: Point(x: 2, y: 3))),
        ("\u{1B}[<81;3;4M", MouseEvent(.wheel(1), at: Point(x: 2, y: 3), .control)),
        ("\u{1B}[<66;3;4M", MouseEvent(.horizontalWheel(-1), at: Point(x: 2, y: 3))),
        ("\u{1B}[<2;3;4M", MouseEvent(.press(.right), at: Point(x: 2, y: 3))),
        ("\u{1B}[M !!", MouseEvent(.press(.left), at: .zero)), ("\u{1B}[M#!!", MouseEvent(.release, at: .zero)),
    ])
    func TER_06_mouse(bytes: String, event: MouseEvent) {
        #expect(decode(bytes) == [.mouse(event)])
    }

    @Test(arguments: [
        ("\u{1B}P>|kitty(0.35.2)\u{1B}\\", TerminalReport.version("kitty(0.35.2)")),
        ("\u{1B}[?62;4;22c", .attributes([62, 4, 22])), ("\u{1B}[6;20;10t", .cellSize(Size(width: 10, height: 20))),
        ("\u{1B}[?1;0;256S", .colorRegisters(256)),
    ])
    func answersOfTheTerminalAreNoKeys(bytes: String, report: TerminalReport) {
        #expect(decode(bytes) == [.report(report)])
        // However the bytes are split.
        var decoder = InputDecoder()
        #expect(decoder.decode(Array(bytes.utf8), in: 1) == [.report(report)])
        #expect(decode(bytes + "q") == [.report(report), .key(KeyPress(.character("q")))])
    }

    @Test(arguments: ["0;10", "20;0", "257;10", "20;999999", "99999999999999999999;1"])
    func ignoresCellsThatNoScreenHas(size: String) { #expect(decode("\u{1B}[6;\(size)t") == []) }

    /// Answers with a terminal's own colours, in components of one to four digits; malformed ones are dropped without
    /// becoming keys.
    @Test(arguments: [
        ("\u{1B}]11;rgb:0000/2b2b/3636\u{07}", TerminalReport.color(.background, RGB(0, 0x2B, 0x36))),
        ("\u{1B}]10;rgb:8/9/f\u{1B}\\", .color(.foreground, RGB(0x88, 0x99, 0xFF))),
        ("\u{1B}]10;rgba:8383/9494/9696/ffff\u{1B}\\", .color(.foreground, RGB(0x83, 0x94, 0x96))),
        ("\u{1B}]4;12;rgb:80/90/a0\u{07}", .color(.ansi(12), RGB(0x80, 0x90, 0xA0))),
        ("\u{1B}[?997;1n", .appearance(isDark: true)), ("\u{1B}[?997;2n", .appearance(isDark: false)),
    ])
    func coloursAreReports(bytes: String, report: TerminalReport) {
        #expect(decode(bytes) == [.report(report)])
        var decoder = InputDecoder()
        #expect(decoder.decode(Array(bytes.utf8), in: 1) == [.report(report)])
    }

    @Test(arguments: [
        "\u{1B}]11;red\u{07}", "\u{1B}]11;rgb:1/2\u{07}", "\u{1B}]11;rgb:12345/0/0\u{07}", "\u{1B}]11;rgb:-1/0/0\u{07}",
        "\u{1B}]4;16;rgb:0/0/0\u{07}", "\u{1B}]12;rgb:0/0/0\u{07}", "\u{1B}]11;rgb:0/0/0;5\u{07}", "\u{1B}]11\u{07}",
    ])
    func rejectsOtherColourFormats(bytes: String) { #expect(decode(bytes) == []) }

    @Test(arguments: [
        "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}]52;c;?\u{07}", "\u{1B}P0+r544e\u{1B}\\", "\u{1B}P>|cut",
        // An error instead of the sixel registers, as in xterm; unsolicited reports.
        "\u{1B}[?1;3;0S", "\u{1B}[>1;2P", "\u{1B}[?25;1~",
    ])
    func dropsOtherAnswers(bytes: String) {
        #expect(decode(bytes) == [])
    }

    @Test(arguments: [("\u{1B}P", "P"), ("\u{1B}X", "X"), ("\u{1B}]", "]"), ("\u{1B}^", "^"), ("\u{1B}_", "_")])
    func readsAltKeysThatLookLikeAnswers(bytes: String, key: Character) {
        let press = InputEvent.key(KeyPress(.character(key), .alt))
        #expect(decode(bytes) == [press])
        var decoder = InputDecoder()
        #expect(decoder.decode(bytes.utf8) + decoder.flush() + decoder.decode("j".utf8) == [press, letter("j")])
        // Another sequence shows that no content follows.
        #expect(decode(bytes + "\u{1B}[A") == [press, .key(KeyPress(.up))])
        #expect(decode(bytes + bytes) == [press, press])
        #expect(decode(bytes + "\u{1B}") == [press, .key(KeyPress(.escape))])
    }

    private func letter(_ character: Character) -> InputEvent { .key(KeyPress(.character(character))) }

    @Test func readsAnAnswerOfAnyLengthToItsEnd() {
        var decoder = InputDecoder()
        let start = "\u{1B}P>|\(String(repeating: "x", count: 50_000))"
        #expect(decoder.decode(start.utf8) == [] && decoder.isInsideAnswer)
        #expect(decoder.decode("\u{1B}\\j".utf8) == [letter("j")] && !decoder.isInsideAnswer)
        // Without an end it lasts until nothing more arrives.
        #expect(decoder.decode(start.utf8) + decoder.flush() + decoder.decode("j".utf8) == [letter("j")])
    }

    /// Overlong sequences and answers are abandoned at the same byte however they are split.
    @Test(
        arguments: [
            "\u{1B}[" + String(repeating: "$", count: 90) + "20\u{10}p~[\u{1B}01~y",
            "\u{1B}[" + String(repeating: "1;", count: 300) + "Aj",
            "\u{1B}P>|" + String(repeating: "x", count: 1019) + "\u{1B}\\j",
            "\u{1B}P>|" + String(repeating: "x", count: 1020) + "\u{1B}\\j", "\u{1B}P>|kitty(0.40)\u{1B}\\j",
        ])
    func readsTheSameHoweverBytesAreSplit(text: String) {
        let bytes = Array(text.utf8)
        var whole = InputDecoder()
        let events = whole.decode(bytes) + whole.flush()
        for size in [1, 2, 3, 7, 64, 65, 1024] {
            var decoder = InputDecoder()
            #expect(decoder.decode(bytes, in: size) + decoder.flush() == events, "\(size)")
        }
    }

    @Test func readsAPasteAsOneEvent() {
        let bytes = Array("\u{1B}[200~q\u{1B}[A\nj\u{1B}[201~x".utf8)
        for size in 1...bytes.count {
            var decoder = InputDecoder()
            #expect(decoder.decode(bytes, in: size) == [.paste("q\u{1B}[A\nj"), letter("x")])
        }
    }

    @Test func endsAnUnterminatedPaste() {
        var decoder = InputDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~ab\u{1B}[20".utf8)).isEmpty)
        #expect(decoder.isInsidePaste && decoder.isWaiting)
        #expect(decoder.flush() == [.paste("ab\u{1B}[20")])
        #expect(!decoder.isInsidePaste && !decoder.isWaiting)
        #expect(decoder.decode([0x6A]) == [letter("j")])
    }

    @Test func joinsASplitSequence() {
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B]).isEmpty && decoder.isWaiting)
        #expect(decoder.decode([0x5B]).isEmpty)
        #expect(decoder.decode([0x41]) == [.key(KeyPress(.up))])
        #expect(!decoder.isWaiting)
    }

    @Test func TER_05_readsALoneEscapeAfterATimeout() {
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.flush() == [.key(KeyPress(.escape))])
    }

    @Test func acceptsAnyBytes() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<2000 {
            var decoder = InputDecoder()
            var bytes: [UInt8] = []
            for _ in 0..<24 {
                let common: [UInt8] = [
                    0x1B, 0x5B, 0x3C, 0x4D, 0x3B, 0x30, 0x7E, .random(in: 0...255, using: &generator),
                ]
                bytes.append(common[.random(in: 0..<8, using: &generator)])
            }
            _ = decoder.decode(bytes)
            _ = decoder.flush()
            #expect(!decoder.isWaiting || bytes.contains(0x4D))
        }
    }
}
