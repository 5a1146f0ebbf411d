import Feeds
import Foundation
import GRDB
import LibraryKernel
import Races

/// The pages of a database that may be damaged, read without SQLite (https://www.sqlite.org/fileformat.html).
///
/// Any number in the file may be wrong, so each is checked before use. The work is bounded by the size of the file.
struct DatabasePages {
    /// A record as stored in a page.
    struct Record {
        /// The row number, or `nil` in indexes and tables `WITHOUT ROWID`.
        var row: Int64?
        /// The values in stored order. Values with missing bytes are `NULL`; a truncated text ends early.
        var values: [DatabaseValue]
        /// The type of each value as SQLite's `typeof` returns it, in quotes. It is known even if the value's bytes are
        /// missing.
        var kinds: [String]
        /// Whether all bytes of the record were present.
        var isWhole: Bool
    }

    /// A page of a B-tree.
    struct Node {
        /// Whether the tree is a table with row numbers, and not an index or a table `WITHOUT ROWID`.
        let isTable: Bool
        var children: [Int] = []
        var records: [Record] = []
        /// Whether every cell of the page could be read.
        var isWhole = true
    }

    /// The page size in bytes.
    let pageSize: Int
    /// The numbers of all existing pages, in ascending order.
    let numbers: [Int]
    /// The page size without the bytes reserved for extensions.
    private let usableSize: Int
    private let file: [UInt8]
    private let log: WriteAheadLog?
    /// The number of overflow pages that may still be read, since damaged cells can refer to the same long chain many
    /// times.
    private var overflowLeft: Int

    private static let pageSizes = [8192, 4096, 1024, 2048, 16_384, 32_768, 65_536, 512]

    /// The maximum size of a file in bytes.
    private static let maximumBytes = 16 << 30

    /// Reads a database and the write-ahead log beside it. Returns `nil` if there is nothing to read.
    ///
    /// - Throws: ``LibraryError`` if a file can't be read. Without the log, the newest changes would be lost.
    init?(_ path: String) throws(LibraryError) {
        func bytes(_ suffix: String) throws(LibraryError) -> [UInt8] {
            guard access(path + suffix, F_OK) == 0 else { return [] }
            do throws(UserFile.Problem) {
                return [UInt8](try UserFile.read(path + suffix, maximum: DatabasePages.maximumBytes, isFound: true))
            } catch {
                throw .cannotOpen(path: path, reason: error.description)
            }
        }
        self.init(bytes: try bytes(""), log: WriteAheadLog(try bytes("-wal")))
    }

    /// - Parameters:
    ///   - bytes: The database file.
    ///   - log: The log beside it, which contains newer pages.
    init?(bytes: [UInt8], log: WriteAheadLog? = nil) {
        guard bytes.count >= 512 || log != nil else { return nil }
        let pageSize = log?.pageSize ?? DatabasePages.likelyPageSize(bytes)
        let inFile = (bytes.count + pageSize - 1) / pageSize
        let inLog = (log?.pages.keys).map { $0.filter { $0 > inFile }.sorted() } ?? []
        let header = log?.pages[1] ?? bytes[..<min(100, bytes.count)]
        // Only extensions reserve bytes, and only a few. A larger number is damage.
        let reserved = header.count > 20 ? Int(header[header.startIndex + 20]) : 0
        self.pageSize = pageSize
        usableSize = pageSize - (reserved <= 32 ? reserved : 0)
        numbers = Array(1..<inFile + 1) + inLog
        file = bytes
        self.log = log
        overflowLeft = 4 * numbers.count + 1000
    }

    /// Returns the page size that explains most of a file, since the header may be damaged or missing.
    private static func likelyPageSize(_ bytes: [UInt8]) -> Int {
        func explained(_ size: Int) -> Int {
            var count = 0
            for start in stride(from: 0, to: min(bytes.count, 4 << 20), by: size) {
                let page = bytes[start..<min(start + size, bytes.count)]
                let header = start == 0 ? 100 : 0
                guard let kind = byte(page, header), [2, 5, 10, 13].contains(kind),
                    let cells = short(page, header + 3), cells > 0
                else { continue }
                let pointers = header + (kind >= 10 ? 8 : 12)
                // Cells fill a page from its end. If the size is right, most pages have a cell in the second half, and
                // none has one beyond the page.
                let last = (0..<min(cells, size / 2)).reduce(0) { max($0, short(page, pointers + 2 * $1) ?? 0) }
                if last >= size / 2, last < size { count += size }
            }
            return count
        }
        let stated = bytes.count > 17 ? Int(bytes[16]) << 8 | Int(bytes[17]) : 0
        let first = stated == 1 ? 65_536 : stated
        let sizes = (pageSizes.contains(first) ? [first] : []) + pageSizes
        var best = (size: sizes[0], score: -1)
        for size in sizes {
            let score = explained(size)
            if score > best.score { best = (size, score) }
        }
        return best.size
    }

    /// Returns the bytes of a page. There are fewer than ``pageSize`` if the file ends within it.
    func page(_ number: Int) -> ArraySlice<UInt8>? {
        if let page = log?.pages[number] { return page }
        guard number >= 1, number <= (file.count + pageSize - 1) / pageSize else { return nil }
        return file[(number - 1) * pageSize..<min(number * pageSize, file.count)]
    }

    /// Returns the pages in the list of free pages.
    func freePages() -> Set<Int> {
        var free: Set<Int> = []
        guard let header = page(1), var trunk = DatabasePages.number(header, 32) else { return [] }
        while trunk > 0, free.insert(trunk).inserted, let bytes = page(trunk) {
            guard let count = DatabasePages.number(bytes, 4), count <= pageSize / 4 - 2 else { break }
            for index in 0..<count {
                if let leaf = DatabasePages.number(bytes, 8 + 4 * index) { free.insert(leaf) }
            }
            trunk = DatabasePages.number(bytes, 0) ?? 0
        }
        return free
    }

    // MARK: Trees

    /// Whether a page starts like one with rows of a table.
    func isTableLeaf(_ number: Int) -> Bool {
        page(number).flatMap { DatabasePages.byte($0, number == 1 ? 100 : 0) } == 13
    }

    /// Returns a page as a node of a tree, or `nil` if it can't be one.
    ///
    /// - Parameter isBrief: Whether to read records only up to the end of the page, which is enough to recognise them.
    mutating func node(_ number: Int, isBrief: Bool = false) -> Node? {
        guard let page = page(number) else { return nil }
        let header = number == 1 ? 100 : 0
        guard let kind = DatabasePages.byte(page, header), [2, 5, 10, 13].contains(kind) else { return nil }
        let (isTable, isLeaf) = (kind == 5 || kind == 13, kind >= 10)
        guard let count = DatabasePages.short(page, header + 3) else { return nil }
        let pointers = header + (isLeaf ? 8 : 12)
        guard pointers + 2 * count <= usableSize else { return nil }
        var node = Node(isTable: isTable)
        var seen: Set<Int> = []
        // Cells never overlap in an intact page. This limit bounds the work on pages where they do.
        var left = 2 * usableSize
        for index in 0..<count {
            guard let place = DatabasePages.short(page, pointers + 2 * index), place >= pointers + 2 * count,
                seen.insert(place).inserted, left > 0
            else {
                node.isWhole = false
                continue
            }
            var position = place
            if !isLeaf {
                guard let child = DatabasePages.number(page, position) else {
                    node.isWhole = false
                    continue
                }
                node.children.append(child)
                position += 4
                if isTable { continue }
            }
            guard let record = record(in: page, at: &position, isTable: isTable, isBrief: isBrief) else {
                node.isWhole = false
                continue
            }
            left -= position - place
            node.records.append(record)
            if !record.isWhole, !isBrief { node.isWhole = false }
        }
        if !isLeaf, let last = DatabasePages.number(page, header + 8) { node.children.append(last) }
        if isTable { node.dropMisnumbered() }
        return node
    }

    /// Reads the record of a cell. Returns `nil` if its lengths are inconsistent.
    private mutating func record(
        in page: ArraySlice<UInt8>, at position: inout Int, isTable: Bool, isBrief: Bool
    ) -> Record? {
        guard let size = DatabasePages.varint(page, &position), size <= 1 << 31 else { return nil }
        var row: Int64?
        if isTable {
            guard let number = DatabasePages.varint(page, &position) else { return nil }
            row = Int64(bitPattern: number)
        }
        let length = Int(size)
        let local = localSize(of: length, isTable: isTable)
        let start = page.startIndex + position
        guard start < page.endIndex else { return nil }
        let part = page[start..<min(start + local, page.endIndex)]
        guard let columns = DatabasePages.columns(part, length) else { return nil }
        position += local
        var payload = [UInt8](part)
        if local < length, !isBrief, payload.count == local, let next = DatabasePages.number(page, position) {
            appendOverflow(from: next, to: &payload, length)
        }
        var place = columns.start
        let values = columns.types.map { type in
            defer { place += DatabasePages.size(of: type) }
            return DatabasePages.value(type, payload, place)
        }
        return Record(
            row: row, values: values, kinds: columns.types.map(DatabasePages.kind), isWhole: payload.count == length)
    }

    /// Returns the number of bytes of a record that are stored in its page (section 1.6 of the file format).
    private func localSize(of length: Int, isTable: Bool) -> Int {
        let maximum = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
        guard length > maximum else { return length }
        let minimum = (usableSize - 12) * 32 / 255 - 23
        let local = minimum + (length - minimum) % (usableSize - 4)
        return local <= maximum ? local : minimum
    }

    private mutating func appendOverflow(from first: Int, to payload: inout [UInt8], _ length: Int) {
        var next = first
        while payload.count < length, next > 0, overflowLeft > 0, let page = page(next), page.count > 4 {
            overflowLeft -= 1
            payload += page.dropFirst(4).prefix(min(usableSize - 4, length - payload.count))
            next = DatabasePages.number(page, 0) ?? 0
        }
    }

    // MARK: Records

    /// Returns the types of a record's values and the offset of the first, or `nil` if their sizes don't add up.
    private static func columns(_ part: ArraySlice<UInt8>, _ length: Int) -> (types: [Int], start: Int)? {
        var position = 0
        guard let header = varint(part, &position), header <= UInt64(part.count), header >= 1 else { return nil }
        var types: [Int] = []
        var sum = Int(header)
        while position < Int(header) {
            guard let type = varint(part, &position), type <= 1 << 32, type != 10, type != 11 else { return nil }
            types.append(Int(type))
            sum += size(of: Int(type))
            guard sum <= length else { return nil }
        }
        return position == Int(header) && sum == length ? (types, Int(header)) : nil
    }

    private static func size(of type: Int) -> Int {
        switch type {
        case 0, 8, 9: 0
        case 1...4: type
        case 5: 6
        case 6, 7: 8
        default: (type - 12) / 2
        }
    }

    private static func kind(_ type: Int) -> String {
        switch type {
        case 0: "'null'"
        case 7: "'real'"
        case 1...6, 8, 9: "'integer'"
        default: type % 2 == 0 ? "'blob'" : "'text'"
        }
    }

    private static func value(_ type: Int, _ payload: [UInt8], _ place: Int) -> DatabaseValue {
        let size = size(of: type)
        let bytes = payload[min(place, payload.count)..<min(place + size, payload.count)]
        let isWhole = bytes.count == size
        switch type {
        case 8: return 0.databaseValue
        case 9: return 1.databaseValue
        case 1...6 where isWhole:
            // The first bit is the sign.
            let start: UInt64 = bytes.first.map { $0 >= 128 } == true ? .max : 0
            return Int64(bitPattern: bytes.reduce(start) { $0 << 8 | UInt64($1) }).databaseValue
        case 7 where isWhole:
            let number = Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
            return number.isNaN ? .null : number.databaseValue
        case 13... where type % 2 == 1:
            return isWhole || !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self).databaseValue : .null
        case 12... where isWhole: return Data(bytes).databaseValue
        default: return .null
        }
    }

    // MARK: Numbers

    private static func byte(_ page: ArraySlice<UInt8>, _ place: Int) -> UInt8? {
        place >= 0 && place < page.count ? page[page.startIndex + place] : nil
    }

    private static func short(_ page: ArraySlice<UInt8>, _ place: Int) -> Int? {
        guard let high = byte(page, place), let low = byte(page, place + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    private static func number(_ page: ArraySlice<UInt8>, _ place: Int) -> Int? {
        guard let high = short(page, place), let low = short(page, place + 2) else { return nil }
        return high << 16 | low
    }

    private static func varint(_ page: ArraySlice<UInt8>, _ place: inout Int) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard let byte = byte(page, place) else { return nil }
            place += 1
            if index == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 127)
            if byte < 128 { return value }
        }
        return nil
    }
}

extension DatabasePages.Node {
    /// Drops records whose row number is out of order. A damaged number would take another row's place.
    fileprivate mutating func dropMisnumbered() {
        var kept: [DatabasePages.Record] = []
        for (index, record) in records.enumerated() {
            let (last, row) = (kept.last?.row ?? .min, record.row ?? 0)
            let next = index + 1 < records.count ? records[index + 1].row ?? 0 : .max
            if kept.isEmpty || row > last, row < next || next <= last { kept.append(record) }
        }
        if kept.count < records.count { (records, isWhole) = (kept, false) }
    }
}
