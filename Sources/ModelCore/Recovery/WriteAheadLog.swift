import Feeds
import Foundation

/// A write-ahead log, read without SQLite for libraries that it can't open (https://www.sqlite.org/fileformat.html,
/// section 4).
struct WriteAheadLog {
    /// The page size in bytes.
    let pageSize: Int
    /// The last committed state of each page, by page number from 1.
    let pages: [Int: ArraySlice<UInt8>]
    /// The number of pages in the database after the last commit.
    let pageCount: Int

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Reads a log up to its last complete commit. Returns `nil` if there is none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > WriteAheadLog.headerSize else { return nil }
        func number(_ place: Int) -> UInt32 {
            bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let magic = number(0)
        guard magic & ~1 == 0x377F_0682 else { return nil }
        let isBigEndian = magic & 1 == 1
        let size = Int(number(8))
        guard size >= 512, size <= 65_536, size & (size - 1) == 0 else { return nil }
        var sum: (UInt32, UInt32) = (0, 0)
        func add(_ range: Range<Int>) {
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                let first = isBigEndian ? number(place) : number(place).byteSwapped
                let second = isBigEndian ? number(place + 4) : number(place + 4).byteSwapped
                sum.0 = sum.0 &+ first &+ sum.1
                sum.1 = sum.1 &+ second &+ sum.0
            }
        }
        add(0..<24)
        guard sum == (number(24), number(28)) else { return nil }
        var pending: [Int: ArraySlice<UInt8>] = [:]
        var committed: [Int: ArraySlice<UInt8>] = [:]
        var count = 0
        var place = WriteAheadLog.headerSize
        while place + WriteAheadLog.frameHeaderSize + size <= bytes.count {
            let body = place + WriteAheadLog.frameHeaderSize
            guard number(place + 8) == number(16), number(place + 12) == number(20) else { break }
            add(place..<place + 8)
            add(body..<body + size)
            guard sum == (number(place + 16), number(place + 20)) else { break }
            pending[Int(number(place))] = bytes[body..<body + size]
            let after = Int(number(place + 4))
            if after > 0 {
                committed.merge(pending) { $1 }
                pending = [:]
                count = after
            }
            place = body + size
        }
        guard count > 0 else { return nil }
        (pageSize, pages, pageCount) = (size, committed, count)
    }
}
