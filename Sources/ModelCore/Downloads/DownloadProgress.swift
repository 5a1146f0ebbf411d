/// How far a download is, and what follows from each of the server's answers.
///
/// A value without side effects: whatever a server answers, a download ends after a bounded number of answers and bytes.
package struct DownloadProgress: Hashable, Sendable {
    /// What to do after an answer.
    package enum Decision: Hashable, Sendable {
        /// Ask for ``nextRange``.
        case goOn
        /// The file is complete.
        case finish
        /// Give up, for a reason that is a sentence without a full stop.
        case fail(String)
    }

    /// The parts of an answer that matter.
    package struct Answer: Hashable, Sendable {
        package var status: Int
        package var etag: String?
        package var lastModified: String?
        package var contentRange: String?

        package init(status: Int, etag: String? = nil, lastModified: String? = nil, contentRange: String? = nil) {
            self.status = status
            self.etag = etag
            self.lastModified = lastModified
            self.contentRange = contentRange
        }
    }

    /// Bytes of the file that can be used.
    package private(set) var length: Int64
    /// Bytes of the whole, once the server has named them.
    package private(set) var size: Int64?
    /// The entity tag or date that the bytes belong to.
    package private(set) var validator: String?
    private var answers = 0
    private var restarts = 0
    private var received: Int64 = 0

    /// Bytes that are asked for at once: a break at any moment costs one part.
    package static let part: Int64 = 8 << 20
    /// Bytes of a file at most: of one that comes in parts, and of one that comes in one answer, whose end nobody knows.
    package static let (mostBytes, mostBytesAtOnce): (Int64, Int64) = (16 << 30, 4 << 30)
    /// How often a download may begin anew because the file on the server is another one.
    private static let mostRestarts = 2
    /// Answers that may be short, and the bytes that all others bring at least, on average.
    private static let (shortAnswers, leastBytes): (Int, Int64) = (16, 64 << 10)

    /// - Parameters:
    ///   - length: The bytes that are there. Without a validator nothing tells what they are of, and none of them is used.
    ///   - size: The size of the whole as an earlier answer has named it.
    package init(length: Int64, size: Int64?, validator: String?) {
        let isUsable = validator != nil && length <= DownloadProgress.mostBytes
        self.length = isUsable ? max(0, length) : 0
        self.size = isUsable ? size : nil
        self.validator = isUsable ? validator : nil
    }

    /// Whether all bytes are there.
    package var isComplete: Bool { size.map { length == $0 && length > 0 } ?? false }

    /// The bytes to ask for next.
    package var nextRange: Range<Int64> { length..<length + DownloadProgress.part }

    /// Takes an answer.
    ///
    /// - Parameter fileLength: The file's length now, behind what the answer has brought.
    package mutating func take(_ answer: Answer, fileLength: Int64) -> Decision {
        answers += 1
        switch answer.status {
        case 200:
            (length, size, validator) = (fileLength, fileLength, DownloadProgress.validator(of: answer))
            return fileLength <= DownloadProgress.mostBytesAtOnce ? .finish : tooLarge
        case 206: return take(part: answer, fileLength)
        case 416:
            // The size was not known, and behind the last byte there is none.
            let total = ContentRange(answer.contentRange)?.total ?? length
            if length > 0, total == length, size == nil { return .finish }
            return length > 0 ? restart() : .fail("the server refused the start of the file (416)")
        case 404, 410: return .fail("the file no longer exists (\(answer.status))")
        default: return .fail("the server answered \(answer.status)")
        }
    }

    private mutating func take(part answer: Answer, _ fileLength: Int64) -> Decision {
        guard let range = ContentRange(answer.contentRange), let bounds = range.bounds, bounds.lowerBound == length,
            bounds.upperBound == fileLength
        else { return .fail("the server sent a different part than it announced") }
        let new = DownloadProgress.validator(of: answer)
        let isAnother = validator != nil && new != nil && new != validator || size != nil && range.total != size
        if length > 0, isAnother { return restart() }
        received += fileLength - length
        (length, size, validator) = (fileLength, range.total, new ?? validator)
        if (size ?? length) > DownloadProgress.mostBytes || length > DownloadProgress.mostBytes { return tooLarge }
        if isComplete { return .finish }
        guard received / DownloadProgress.leastBytes >= Int64(answers - DownloadProgress.shortAnswers) else {
            return .fail("the server sends parts that are too small")
        }
        return .goOn
    }

    /// The file on the server is another one now: its beginning is asked for again.
    private mutating func restart() -> Decision {
        restarts += 1
        guard restarts <= DownloadProgress.mostRestarts else {
            return .fail("the file on the server keeps changing")
        }
        (length, size, validator) = (0, nil, nil)
        return .goOn
    }

    private var tooLarge: Decision { .fail("larger than \(DownloadProgress.mostBytes >> 30) GiB, or endless") }

    /// A weak entity tag tells nothing of single bytes (RFC 9110, section 8.8.3).
    private static func validator(of answer: Answer) -> String? {
        [answer.etag.flatMap { $0.hasPrefix("W/") ? nil : $0 }, answer.lastModified].lazy.compactMap { $0 }
            .first { (1...1024).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    }
}

/// A Content-Range field (RFC 9110, section 14.4): `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`.
private struct ContentRange {
    var bounds: Range<Int64>?
    var total: Int64?

    /// - Returns: `nil` for what says nothing, or contradicts itself.
    init?(_ field: String?) {
        guard let field, field.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = ContentRange.number(parts[1]) else { return nil }
            self.total = total
        }
        guard parts[0] != "*" else { return }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(ContentRange.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
            return nil
        }
        bounds = first..<last + 1
    }

    private static func number(_ text: Substring) -> Int64? {
        let text = text.drop { $0 == " " }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text).flatMap { $0 < .max ? $0 : nil }
    }
}
