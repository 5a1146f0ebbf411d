import Testing

@testable import TerminalScreen

/// Every key, button and answer that terminals send, and the values at their limits.
@Suite struct ReadsKeys {
    private func decode(_ bytes: [UInt8], _ decoder: InputDecoder = InputDecoder()) -> [InputEvent] {
        var decoder = decoder
        return decoder.decode(bytes) + decoder.flush()
    }

    private func decode(_ text: String, _ decoder: InputDecoder = InputDecoder()) -> [InputEvent] {
        decode(Array(text.utf8), decoder)
    }

    private func key(_ key: Key, _ modifiers: KeyModifiers = []) -> [InputEvent] { [.key(KeyPress(key, modifiers))] }

    private static let finals: [(Character, Key)] = [
        ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end), ("P", .function(1)),
        ("Q", .function(2)), ("R", .function(3)), ("S", .function(4)),
    ]

    private static let numbers: [(Int, Key)] = [
        (1, .home), (2, .insert), (3, .delete), (4, .end), (5, .pageUp), (6, .pageDown), (7, .home), (8, .end),
        (11, .function(1)), (12, .function(2)), (13, .function(3)), (14, .function(4)), (15, .function(5)),
        (17, .function(6)), (18, .function(7)), (19, .function(8)), (20, .function(9)), (21, .function(10)),
        (23, .function(11)), (24, .function(12)),
    ]

    /// 1 plus 1 for Shift, 2 for Alt and 4 for Control; xterm's further modifiers are ignored.
    private static let modifiers: [(Int, KeyModifiers)] = [
        (1, []), (2, .shift), (3, .alt), (4, [.shift, .alt]), (5, .control), (6, [.shift, .control]),
        (7, [.alt, .control]), (8, [.shift, .alt, .control]), (0, []), (9, []), (13, .control),
    ]

    @Test func readsEachKeyWithEachModifier() {
        for (final, expected) in ReadsKeys.finals {
            #expect(decode("\u{1B}O\(final)") == key(expected), "\(final)")
            #expect(decode("\u{1B}[\(final)") == key(expected), "\(final)")
            // F3 without modifiers would be the position of the cursor.
            for (number, modifiers) in ReadsKeys.modifiers where final != "R" || number > 1 {
                #expect(decode("\u{1B}[1;\(number)\(final)") == key(expected, modifiers), "\(number) \(final)")
            }
        }
        for (code, expected) in ReadsKeys.numbers {
            #expect(decode("\u{1B}[\(code)~") == key(expected), "\(code)")
            for (number, modifiers) in ReadsKeys.modifiers {
                #expect(decode("\u{1B}[\(code);\(number)~") == key(expected, modifiers), "\(number) \(code)")
            }
        }
        #expect(decode("\u{1B}[Z") == key(.backTab) && decode("\u{1B}OZ") == key(.backTab))
        #expect(decode("\u{1B}OM") == key(.enter))
        for (index, letter) in "ABCDE".enumerated() {
            #expect(decode("\u{1B}[[\(letter)") == key(.function(index + 1)))
        }
        for unknown in ["\u{1B}[[F", "\u{1B}[[@", "\u{1B}[9~", "\u{1B}[16~", "\u{1B}[25~", "\u{1B}[1;5X"] {
            #expect(decode(unknown + "j") == key(.character("j")), "\(unknown)")
        }
    }

    @Test func readsEachControlCode() {
        var expected: [(UInt8, Key, KeyModifiers)] = [
            (0, .character(" "), .control), (8, .backspace, []), (9, .tab, []), (10, .enter, []), (13, .enter, []),
            (0x7F, .backspace, []), (28, .character("\\"), .control), (29, .character("]"), .control),
            (30, .character("^"), .control), (31, .character("_"), .control), (0x20, .character(" "), []),
            (0x7E, .character("~"), []), (0x41, .character("A"), []),
        ]
        for (code, letter) in zip(UInt8(1)..., "abcdefghijklmnopqrstuvwxyz") where ![8, 9, 10, 13].contains(code) {
            expected.append((code, .character(letter), .control))
        }
        for (code, wanted, modifiers) in expected {
            #expect(decode([code]) == key(wanted, modifiers), "\(code)")
            // After Esc the same keys have Alt; Tab becomes Shift-Tab.
            if code != 9 { #expect(decode([0x1B, code]) == key(wanted, modifiers.union(.alt)), "\(code)") }
        }
        #expect(decode([0x1B, 9]) == key(.backTab))
        #expect(decode([0x1B, 0x1B]) == key(.escape) + key(.escape))
        #expect(decode([0x1B, 0x1B, 0x5B, 0x41]) == key(.escape) + key(.up))
        #expect(decode("\u{1B}é") == key(.character("é"), .alt))
        for text in ["O", "["] { #expect(decode("\u{1B}\(text)") == key(.character(Character(text)), .alt)) }
        #expect(decode("\u{1B}Oz") == key(.character("O"), .alt) + key(.character("z")))
    }

    @Test func readsCharactersOfAnyLength() {
        for character in ["a", "é", "東", "👍"] as [Character] {
            let bytes = Array(String(character).utf8)
            for cut in 0...bytes.count {
                var decoder = InputDecoder()
                let events = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
                #expect(events == key(.character(character)) && !decoder.isWaiting, "\(character) \(cut)")
                var other = InputDecoder()
                let withAlt = other.decode([0x1B] + bytes[..<cut]) + other.decode(bytes[cut...])
                #expect(withAlt == key(.character(character), .alt), "\(character) \(cut)")
            }
            if bytes.count > 1 {
                #expect(decode(bytes.dropLast() + [0x6A]).last == .key(KeyPress(.character("j"))), "\(character)")
            }
        }
        for broken in [[0xFF], [0x80], [0xC3], [0xE6, 0x9D]] as [[UInt8]] { #expect(decode(broken) == [], "\(broken)") }
    }

    @Test func prefersTerminfo() {
        let own = InputDecoder(described: [
            Array("\u{1B}[A".utf8): .end, Array("\u{1B}[25~".utf8): .function(9), Array("\u{1B}[2".utf8): .left,
        ])
        #expect(decode("\u{1B}[A", own) == key(.end) && decode("\u{1B}[B", own) == key(.down))
        #expect(decode("\u{1B}[25~", own) == key(.function(9)))
        #expect(decode("\u{1B}[2x", own) == key(.left) + key(.character("x")))
        #expect(decode("A", own) == key(.character("A")))
    }

    @Test func readsFocusAndAnswersNotAsKeys() {
        #expect(decode("\u{1B}[I") == [.focus(true)] && decode("\u{1B}[O") == [.focus(false)])
        #expect(decode("\u{1B}[1I") == [] && decode("\u{1B}[1;2O") == [])
        for (number, isKnown) in [(0, false), (1, true), (2, true), (3, true), (4, false)] {
            #expect(decode("\u{1B}[?7;\(number)$y") == [.report(.mode(7, isKnown: isKnown))])
        }
        #expect(decode("\u{1B}[6;1;256t") == [.report(.cellSize(Size(width: 256, height: 1)))])
        #expect(decode("\u{1B}[6;257;1t") == [] && decode("\u{1B}[5;20;10t") == [] && decode("\u{1B}[6;20t") == [])
        #expect(decode("\u{1B}[?1;0;256;1S") == [] && decode("\u{1B}[?2;0;256S") == [])
        #expect(decode("\u{1B}[?996;1n") == [] && decode("\u{1B}[?997n") == [])
        #expect(decode("\u{1B}]4;15;rgb:ff/0/80\u{07}") == [.report(.color(.ansi(15), RGB(255, 0, 0x80)))])
        #expect(decode("\u{1B}]10;rgb:fff/000/800\u{07}") == [.report(.color(.foreground, RGB(255, 0, 127)))])
        var waiting = InputDecoder()
        _ = waiting.decode(Array("\u{1B}P".utf8))
        #expect(waiting.isWaiting && waiting.isInsideAnswer)
        _ = waiting.decode(Array(">|x".utf8))
        #expect(waiting.isInsideAnswer && !waiting.isInsidePaste)
    }

    // MARK: The mouse

    private func sgr(_ button: Int, _ column: Int = 3, _ row: Int = 4, release: Bool = false) -> [InputEvent] {
        decode("\u{1B}[<\(button);\(column);\(row)\(release ? "m" : "M")")
    }

    private func mouse(
        _ action: MouseEvent.Action, _ modifiers: KeyModifiers = [], x: Int = 2, y: Int = 3
    ) -> [InputEvent] { [.mouse(MouseEvent(action, at: Point(x: x, y: y), modifiers))] }

    @Test func readsEachButtonWithEachModifier() {
        let buttons: [(Int, MouseEvent.Button)] = [(0, .left), (1, .middle), (2, .right)]
        let modifiers: [(Int, KeyModifiers)] = [
            (0, []), (4, .shift), (8, .alt), (16, .control), (28, [.shift, .alt, .control]),
        ]
        let wheels: [(Int, MouseEvent.Action)] = [
            (64, .wheel(-1)), (65, .wheel(1)), (66, .horizontalWheel(-1)), (67, .horizontalWheel(1)),
        ]
        for (bits, held) in modifiers {
            for (number, button) in buttons {
                #expect(sgr(number + bits) == mouse(.press(button), held))
                #expect(sgr(number + bits + 32) == mouse(.drag(button), held))
                #expect(sgr(number + bits, release: true) == mouse(.release, held))
                #expect(decode([0x1B, 0x5B, 0x4D, UInt8(32 + number + bits), 35, 36]) == mouse(.press(button), held))
            }
            for (number, action) in wheels {
                #expect(sgr(number + bits) == mouse(action, held))
                #expect(decode([0x1B, 0x5B, 0x4D, UInt8(32 + number + bits), 35, 36]) == mouse(action, held))
            }
            #expect(decode([0x1B, 0x5B, 0x4D, UInt8(35 + bits), 35, 36]) == mouse(.release, held))
        }
        // Mouse movement without a button.
        #expect(sgr(35) == [] && sgr(3) == [])
        #expect(sgr(0, 0, 0) == mouse(.press(.left), x: 0, y: 0) && sgr(0, 1, 1) == mouse(.press(.left), x: 0, y: 0))
        #expect(sgr(0, 300, 200) == mouse(.press(.left), x: 299, y: 199))
        for other in ["\u{1B}[<0;3M", "\u{1B}[<0;3;4;5M", "\u{1B}[<0;3;4x"] {
            #expect(decode(other + "j") == key(.character("j")), "\(other)")
        }
        // In pieces.
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B, 0x5B, 0x4D, 32, 35]).isEmpty)
        #expect(decoder.decode([36]) == mouse(.press(.left)))
    }

    @Test func limitsAPasteToAMegabyte() {
        let maximum = InputDecoder.maximumPaste
        for (count, kept) in [(maximum - 1, maximum - 1), (maximum, maximum), (maximum + 9, maximum)] {
            let text = "\u{1B}[200~" + String(repeating: "a", count: count) + "\u{1B}[201~j"
            #expect(decode(text) == [.paste(String(repeating: "a", count: kept))] + key(.character("j")), "\(count)")
        }
        #expect(maximum == 1 << 20)
        #expect(decode("\u{1B}[200~\u{1B}[201~") == [.paste("")])
        #expect(decode("\u{1B}[200~a\u{1B}[200~b\u{1B}[201~") == [.paste("a\u{1B}[200~b")])
        #expect(decode("\u{1B}[201~j") == key(.character("j")))
    }
}
