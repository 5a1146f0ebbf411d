import Foundation
import Testing

@testable import FeedParsing

/// The one writer of JSON: what it writes reads back equal, and can be printed.
@Suite struct WritesJSON {
    private struct Point: Codable, Equatable {
        var name: String
        var height: Double?
        var tags: [String] = []
        var inner: [Point]?
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONWriter.bytes(value), as: UTF8.self)
    }

    @Test func indentsByTwoSpacesInTheOrderOfTheValue() throws {
        let value = [
            Point(name: "b", height: 12, tags: ["x", "y"], inner: [Point(name: "a", height: 1.5)]),
            Point(name: "c", inner: []),
        ]
        let expected = """
            [
              {
                "name": "b",
                "height": 12,
                "tags": [
                  "x",
                  "y"
                ],
                "inner": [
                  {
                    "name": "a",
                    "height": 1.5,
                    "tags": []
                  }
                ]
              },
              {
                "name": "c",
                "tags": [],
                "inner": []
              }
            ]

            """
        #expect(try text(value) == expected)
    }

    @Test func writesWhatFoundationReads() throws {
        struct All: Codable, Equatable {
            var flag = true
            var small: UInt8 = 255
            var large = Int64.min
            var huge = UInt64.max
            var tiny = 1e-300
            var whole = 1e15
            var beyond = 1e300
            var float: Float = 0.25
            var missing: [String?] = [nil, "a"]
            var map = [1: "one"]
            var named = ["key \"": ["a"]]
        }
        let decoded = try JSONDecoder().decode(All.self, from: Data(JSONWriter.bytes(All())))
        #expect(decoded == All())
        #expect(throws: EncodingError.self) { try JSONWriter.bytes([Double.nan]) }
        #expect(throws: EncodingError.self) { try JSONWriter.bytes([Double.infinity]) }
    }

    @Test func writesNestedContainersAndSuperEncoders() throws {
        struct Nested: Encodable {
            enum Keys: String, CodingKey { case list, object, base, last }
            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Keys.self)
                var list = members.nestedUnkeyedContainer(forKey: .list)
                var first = list.nestedContainer(keyedBy: Keys.self)
                try first.encode(1, forKey: .last)
                _ = list.nestedUnkeyedContainer()
                var object = members.nestedContainer(keyedBy: Keys.self, forKey: .object)
                try object.encodeNil(forKey: .last)
                try ["b"].encode(to: members.superEncoder(forKey: .base))
                // A value may ask for its members again.
                var again = encoder.container(keyedBy: Keys.self)
                try again.encode(2, forKey: .last)
            }
        }
        let read = try JSONSerialization.jsonObject(with: Data(JSONWriter.bytes([Nested(), Nested()])))
        let expected: NSDictionary = [
            "list": [["last": 1], [Int]()], "object": ["last": NSNull()], "base": ["b"], "last": 2,
        ]
        #expect(read as? NSArray == [expected, expected])
    }

    /// Every character arrives, and none that a terminal would interpret is in the text.
    @Test func escapesWhatATerminalWouldInterpret() throws {
        let harmful = Set<UInt32>(
            Array(0x7F...0x9F) + [0x61C, 0x200E, 0x200F, 0x2028, 0x2029] + Array(0x202A...0x202E)
                + Array(0x2066...0x2069))
        let scalars = (0...0x2FFF).compactMap(Unicode.Scalar.init) + ["\u{FEFF}", "\u{FFFF}", "😀", "\u{10FFFF}"]
        for scalar in scalars {
            let value = "a\(Character(scalar))é"
            let written = try text(value)
            #expect(try JSONDecoder().decode(String.self, from: Data(written.utf8)) == value, "\(scalar.value)")
            let isPlain = scalar.value >= 0x20 && !harmful.contains(scalar.value) && scalar != "\"" && scalar != "\\"
            #expect(
                written.unicodeScalars.contains(scalar)
                    == (isPlain || scalar == "\"" || scalar == "\\" || scalar == "\n"))
            if isPlain { #expect(written == "\"\(value)\"\n", "\(scalar.value)") }
        }
    }

    /// A long list comes in pieces, none of which is much longer than 64 KiB and one element.
    @Test func writesInPieces() throws {
        let element = String(repeating: "x", count: 1000)
        var pieces: [[UInt8]] = []
        try JSONWriter.write(Array(repeating: element, count: 1000)) { pieces.append($0) }
        #expect(pieces.count > 10 && pieces.allSatisfy { $0.count < 70_000 })
        let whole = Data(pieces.joined())
        #expect(try JSONDecoder().decode([String].self, from: whole) == Array(repeating: element, count: 1000))
    }
}
