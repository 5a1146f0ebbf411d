import FeedParsing
import Foundation
import Platform

/// The identifier that the linker gave this build. It connects a crash report with its debug file.
///
/// `make build` makes it of the commit's 20 bytes and the commit's date in seconds since 1970, four bytes.
enum BuildID {
    /// The build identifier of the running program in hexadecimal, or `nil` if the linker wrote none.
    static var current: String? {
        (try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped)).flatMap(read)
    }

    /// Returns the date of the commit in a build identifier, or `nil` if it is that of other content.
    static func date(in identifier: String) -> CalendarDay? {
        guard identifier.count == 48, let seconds = Int64(identifier.suffix(8), radix: 16) else { return nil }
        return CalendarDay(instant: Instant(seconds))
    }

    /// Returns the build identifier of a 64-bit little-endian ELF file, or `nil` if it has none or is damaged.
    ///
    /// - Source: System V ABI, chapter 5: program headers and notes.
    static func read(_ file: Data) -> String? {
        guard file.prefix(6).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = number(file, at: 32, bytes: 8), let size = number(file, at: 54, bytes: 2),
            let count = number(file, at: 56, bytes: 2)
        else { return nil }
        for index in 0..<count {
            let header = table.addingClamped(index.multipliedClamped(by: size))
            let isNote = number(file, at: header, bytes: 4) == 4
            guard isNote, let start = number(file, at: header.addingClamped(8), bytes: 8),
                let length = number(file, at: header.addingClamped(32), bytes: 8),
                let found = note(file, from: start, to: start.addingClamped(length))
            else { continue }
            return found
        }
        return nil
    }

    /// Returns the build identifier among the notes between two offsets.
    private static func note(_ file: Data, from start: Int, to end: Int) -> String? {
        var place = start
        while place < end, let nameLength = number(file, at: place, bytes: 4),
            let length = number(file, at: place.addingClamped(4), bytes: 4),
            let type = number(file, at: place.addingClamped(8), bytes: 4)
        {
            let name = place.addingClamped(12)
            let content = name.addingClamped(nameLength.addingClamped(3) / 4 * 4)
            // The type alone may belong to another owner.
            if type == 3, bytes(file, at: name, nameLength)?.elementsEqual(Array("GNU\0".utf8)) == true {
                return bytes(file, at: content, length)?.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                    .joined()
            }
            place = content.addingClamped(length.addingClamped(3) / 4 * 4)
        }
        return nil
    }

    private static func number(_ file: Data, at offset: Int, bytes count: Int) -> Int? {
        bytes(file, at: offset, count).flatMap { bytes in
            Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }

    private static func bytes(_ file: Data, at offset: Int, _ count: Int) -> Data? {
        guard offset >= 0, count >= 0, count <= file.count, offset <= file.count - count else { return nil }
        return file[file.startIndex + offset..<file.startIndex + offset + count]
    }
}
