import CommonTesting
import Foundation

/// The seeds of a fuzzing target and their mutations, each determined by its number.
struct MutatedSeeds {
    /// The folder with the seeds, a folder for each target.
    static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../FuzzingSeeds").standardized

    private let seeds: [[UInt8]]
    /// The longest input in bytes, that of `make fuzz`.
    private let limit = 16_384

    /// The number of unchanged seeds, which have the first numbers.
    var seedCount: Int { seeds.count }

    init(target: String) throws {
        let folder = MutatedSeeds.folder.appendingPathComponent(target)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        self.init(try names.map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    init(_ seeds: [[UInt8]]) { self.seeds = seeds.filter { !$0.isEmpty } }

    /// Returns the input of a number: a seed, or a seed with up to four changes.
    func input(_ number: Int) -> [UInt8] {
        guard number >= seeds.count else { return seeds[number] }
        var random = SeededGenerator(seed: UInt64(number))
        var bytes = seeds[number % seeds.count]
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, using: &random) }
        return bytes
    }

    private func change(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
        let part = part(of: bytes, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            if !bytes.isEmpty { bytes[part.lowerBound] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1: bytes.removeSubrange(part)
        case 2: if bytes.count + part.count <= limit { bytes.insert(contentsOf: bytes[part], at: part.upperBound) }
        case 3:
            // The beginning of this seed and the end of another one.
            let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            bytes = Array(bytes[..<part.lowerBound] + other[self.part(of: other, using: &random).lowerBound...])
        case 4: replaceNumber(in: &bytes, using: &random)
        case 5: bytes.removeSubrange(part.lowerBound...)
        default: bytes.replaceSubrange(part.prefix(1), with: element(of: MutatedSeeds.signs, using: &random))
        }
    }

    /// Returns a random part of bytes, which is empty only if there are none.
    private func part(of bytes: [UInt8], using random: inout SeededGenerator) -> Range<Int> {
        guard !bytes.isEmpty else { return 0..<0 }
        let start = Int.random(in: 0..<bytes.count, using: &random)
        return start..<Int.random(in: start + 1...min(bytes.count, start + 64), using: &random)
    }

    private func replaceNumber(in bytes: inout [UInt8], using random: inout SeededGenerator) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let starts = bytes.indices.filter { digits.contains(bytes[$0]) && ($0 == 0 || !digits.contains(bytes[$0 - 1])) }
        guard let start = starts.randomElement(using: &random) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: element(of: MutatedSeeds.numbers, using: &random))
    }

    private func element(of texts: [String], using random: inout SeededGenerator) -> [UInt8] {
        Array(texts[Int.random(in: 0..<texts.count, using: &random)].utf8)
    }

    private static let numbers = [
        "0", "-1", "255", "65536", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "99999999999999999999999", "1e308", "1e-308", "0.000001", "NaN",
    ]
    private static let signs = [
        "\0", "\n", "\"", "'", "<", ">", "&", "[", "{", "]", "}", ",", ":", "\\", "\u{1B}", "\u{FEFF}", "é", "🇵🇹",
        "\u{202E}",
    ]
}
