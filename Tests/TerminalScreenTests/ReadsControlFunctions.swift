import CommonTesting
import Testing

@testable import TerminalScreen

/// Control sequences and strings by the grammar of ECMA-48, of which no byte is a key, and extended keys.
@Suite struct ReadsControlFunctions {
    private func decode(_ bytes: [UInt8], in size: Int? = nil) -> [InputEvent] {
        var decoder = InputDecoder()
        return decoder.decode(bytes, in: size ?? bytes.count) + decoder.flush()
    }

    private func decode(_ text: String) -> [InputEvent] { decode(Array(text.utf8)) }

    private let q = InputEvent.key(KeyPress(.character("q")))

    /// Answers that may arrive late, from this program's queries or another's.
    @Test(arguments: [
        "\u{1B}P!|7E565445\u{1B}\\", "\u{1B}P1!u0\u{1B}\\", "\u{1B}Pq\u{1B}\\", "\u{1B}^dd\u{1B}\\",
        "\u{1B}Xdd\u{1B}\\", "\u{1B}]lmutt: dd\u{1B}\\", "\u{1B}]Ldd\u{7}", "\u{1B}]l10;rgb:f/f/f\u{1B}\\",
        "\u{1B}_dd\u{1B}\\", "\u{1B}]\u{1B}\\", "\u{1B}[24;80R", "\u{1B}[1;1R", "\u{1B}[2;5R", "\u{1B}[?24;80;1R",
        "\u{1B}[0n", "\u{1B}[>41;388;0c", "\u{1B}[=0c", "\u{1B}[8;24;80t", "\u{1B}[?5u", "\u{1B}[2;1;1;120;120;1;0x",
        "\u{1B}[1 q", "\u{1B}[1$A", "\u{1B}[1;0&w", "\u{1B}P1\u{18}", "\u{9B}24;80R", "\u{90}!|00\u{9C}",
        "\u{90}!|00\u{1B}\\", "\u{9D}ldd\u{9C}", "\u{98}dd\u{7}", "\u{9C}", "\u{85}",
    ])
    func dropsAnswersNobodyAskedFor(answer: String) {
        let bytes = Array((answer + "q").utf8)
        for size in 1...bytes.count { #expect(decode(bytes, in: size) == [q], "\(size)") }
    }

    @Test(arguments: [
        [0x9B, 0x32, 0x3B, 0x35, 0x52], [0x90, 0x64, 0xC3, 0x9C], [0x9D, 0x64, 0x1B, 0x5C], [0x8F, 0x7A],
    ])
    func readsCodesOfEightBits(answer: [UInt8]) {
        for size in 1...answer.count { #expect(decode(answer + [0x71], in: size) == [q], "\(size)") }
        #expect(decode([0x9B, 0x41]) == [.key(KeyPress(.up))] && decode([0x8F, 0x42]) == [.key(KeyPress(.down))])
    }

    /// A sequence that is cut is dropped when nothing follows for a while.
    @Test(arguments: [
        "\u{1B}[24;8", "\u{1B}[<0;1", "\u{1B}[M!", "\u{1B}[[", "\u{1B}Pd", "\u{1B}]ldd", "\u{1B}Xdd", "\u{1B}^d",
    ])
    func dropsWhatIsCut(start: String) {
        var decoder = InputDecoder()
        #expect(decoder.decode(start.utf8) == [] && decoder.isInsideAnswer && decoder.isWaiting)
        #expect(decoder.flush() == [] && !decoder.isWaiting)
        #expect(decoder.decode("q".utf8) == [q])
        // Another sequence ends it at once.
        if !start.hasSuffix("!"), !start.hasSuffix("[[") {
            #expect(decode(start + "\u{1B}[Aq") == [.key(KeyPress(.up)), q])
        }
    }

    /// Whatever a string contains, and in whatever pieces it arrives, nothing of it is a key.
    @Test func keepsStringsFromCommands() {
        var generator = SeededGenerator(seed: 58)
        for _ in 0..<2000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let content: [UInt8] = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    .random(in: 0x20...0xFF, using: &generator)
                }
                let starts: [UInt8] = [0x50, 0x58, 0x5D, 0x5E, 0x5F]
                let start = starts[.random(in: 0..<5, using: &generator)]
                bytes += [0x1B, start] + content
                bytes += Bool.random(using: &generator) ? [0x1B, 0x5C] : [0x07]
            }
            let events = decode(bytes, in: .random(in: 1...bytes.count, using: &generator))
            #expect(events.allSatisfy { if case .report = $0 { true } else { false } }, "\(bytes)")
        }
    }

    // MARK: Extended keys

    @Test(arguments: [
        ("97", KeyPress(.character("a"))), ("97;5", KeyPress(.character("a"), .control)),
        ("97;2", KeyPress(.character("A"))), ("65;6", KeyPress(.character("a"), .control)),
        ("97:65;2", KeyPress(.character("A"))), ("49:33;2", KeyPress(.character("!"))),
        ("97;3", KeyPress(.character("a"), .alt)), ("97;7", KeyPress(.character("a"), [.control, .alt])),
        ("49;5", KeyPress(.character("1"), .control)), ("32;5", KeyPress(.character(" "), .control)),
        ("106;5", KeyPress(.enter)), ("13;2", KeyPress(.enter)), ("13;3", KeyPress(.enter, .alt)),
        ("105;5", KeyPress(.tab)), ("9;2", KeyPress(.backTab)), ("27", KeyPress(.escape)),
        ("127;5", KeyPress(.backspace)), ("91;5", KeyPress(.escape)), ("233", KeyPress(.character("é"))),
        ("233;2", KeyPress(.character("É"))), ("57376", KeyPress(.function(13))), ("57419", KeyPress(.up)),
        ("57400", KeyPress(.character("1"))), ("57414;5", KeyPress(.enter, .control)),
        ("97;1:1", KeyPress(.character("a"))), ("97;65", KeyPress(.character("a"))),
    ])
    func readsExtendedKeys(parameters: String, press: KeyPress) {
        #expect(decode("\u{1B}[\(parameters)u") == [.key(press)])
        let parts = parameters.split(separator: ";")
        guard let code = parts.first, !code.contains(":"), Int(code).map({ $0 < 57344 }) == true else { return }
        #expect(decode("\u{1B}[27;\(parts.count > 1 ? String(parts[1]) : "1");\(code)~") == [.key(press)])
    }

    /// Releases, modifier keys alone, keys with Super, and codes that are no character.
    @Test(arguments: ["97;1:3", "57441", "113;9", "55296", "1114112", "99999999999999999999", "", "133", "57358;1:1"])
    func dropsExtendedKeysWithoutMeaning(parameters: String) {
        let events = decode("\u{1B}[\(parameters)uq")
        #expect(events.last == q && (events.count == 1 || parameters.isEmpty))
    }

    @Test func dropsReleasesOfArrows() {
        #expect(decode("\u{1B}[1;5:1A\u{1B}[1;5:3A") == [.key(KeyPress(.up, .control))])
    }

    /// Popups of tmux send the line feeds of a paste as Ctrl-J.
    @Test(arguments: [
        ("one\u{1B}[106;5utwo", "one\ntwo"), ("one\u{1B}[27;5;106~two", "one\ntwo"),
        ("a\u{1B}[105;5ub\u{1B}[109;5uc", "a\tb\rc"), ("\u{1B}[228u\u{1B}[97;2u", "äA"),
        ("\u{1B}[106;5", "\u{1B}[106;5"), ("\u{1B}[1;5A\u{1B}[3~", "\u{1B}[1;5A\u{1B}[3~"),
        ("\u{1B}[57441u", "\u{1B}[57441u"),
    ])
    func TER_05a_readsExtendedKeysInPastes(content: String, text: String) {
        let bytes = Array("\u{1B}[200~\(content)\u{1B}[201~q".utf8)
        for size in 1...bytes.count { #expect(decode(bytes, in: size) == [.paste(text), q], "\(size)") }
    }
}
