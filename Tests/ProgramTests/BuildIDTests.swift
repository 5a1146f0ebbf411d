import Foundation
import Testing

@testable import tappa

/// Reading the build identifier from a program file.
@Suite struct BuildIDTests {
    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(value >> ($0 * 8) & 0xFF) }
    }

    /// A note of an owner.
    private static func note(_ owner: String, type: Int, _ content: [UInt8]) -> [UInt8] {
        let name = Array(owner.utf8) + [0]
        let padding = Array(repeating: UInt8(0), count: (4 - name.count % 4) % 4)
        return number(name.count, 4) + number(content.count, 4) + number(type, 4) + name + padding + content
    }

    /// An ELF file with a segment of another type and one of notes.
    private static func file(_ notes: [UInt8]) -> [UInt8] {
        let (table, size) = (64, 56)
        let start = table + 2 * size
        let header = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + Array(repeating: 0, count: 26) + number(table, 8)
        let counts = Array(repeating: UInt8(0), count: 14) + number(size, 2) + number(2, 2)
        func segment(_ type: Int) -> [UInt8] {
            number(type, 4) + number(0, 4) + number(start, 8) + number(0, 16) + number(notes.count, 8) + number(0, 16)
        }
        let all = header.map { UInt8($0) } + counts
        return all + Array(repeating: 0, count: table - all.count) + segment(1) + segment(4) + notes
    }

    private static let whole = file(
        note("Other", type: 3, [1, 2, 3, 4]) + note("GNU", type: 1, [0, 0, 0, 0])
            + note("GNU", type: 3, [0x0A, 0xBC, 0xDE, 0xF0]))

    @Test func findsTheIdentifierAmongNotes() {
        #expect(BuildID.read(Data(Self.whole)) == "0abcdef0")
        #expect(BuildID.read(Data(Self.file(Self.note("GNU", type: 1, [0, 0, 0, 0])))) == nil)
        #expect(BuildID.read(Data("#!/bin/sh\n".utf8)) == nil)
    }

    @Test func knowsTheDateOfTheCommit() {
        let commit = String(repeating: "ab", count: 20)
        #expect(BuildID.date(in: commit + "6aed2c40")?.text == "2026-11-06")
        #expect(BuildID.date(in: commit) == nil && BuildID.date(in: commit + "wxyz0000") == nil)
    }

    @Test func survivesDamagedFiles() {
        for length in 0..<Self.whole.count {
            #expect(BuildID.read(Data(Self.whole.prefix(length))) == nil, "\(length)")
        }
        for index in Self.whole.indices {
            for value in [UInt8(0), 0x7F, 0xFF] {
                var damaged = Self.whole
                damaged[index] = value
                _ = BuildID.read(Data(damaged))
            }
        }
    }
}
