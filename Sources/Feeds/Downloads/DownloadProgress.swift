import Fetching
import LibraryKernel

/// The progress of a download and the decision after each response.
///
/// It has no side effects. Whatever a server responds, a download ends after a limited number of responses and bytes.
package struct DownloadProgress: Hashable, Sendable {
    /// What to do after a response.
    package enum Decision: Hashable, Sendable {
        /// Request ``nextRange``.
        case goOn
        /// The file is complete.
        case finish
        /// Give up, with the reason as a sentence without a full stop.
        case fail(String)
    }

    /// The relevant parts of a response.
    package struct Answer: Hashable, Sendable {
        var status: Int
        var etag: String?
        var lastModified: String?
        var contentRange: String?
        /// Whether the part repeats the end of the file as it was.
        var repeatsEnd: Bool

        package init(
            status: Int, etag: String? = nil, lastModified: String? = nil, contentRange: String? = nil,
            repeatsEnd: Bool = true
        ) {
            self.status = status
            self.repeatsEnd = repeatsEnd
            self.etag = etag
            self.lastModified = lastModified
            self.contentRange = contentRange
        }
    }

    /// The number of usable bytes in the file.
    package private(set) var length: Int64
    /// The total size in bytes, once the server has reported it.
    private(set) var size: Int64?
    /// The entity tag or date of the received bytes.
    private(set) var validator: String?
    private var answers = 0
    private var restarts = 0
    private var received: Int64 = 0

    /// The number of bytes to request at once. An interruption loses at most one part.
    static let part: Int64 = 8 << 20
    private static let repeated = 4 << 10
    /// The maximum size of a file in bytes: of one that arrives in parts, and of one that arrives in a single response
    /// of unknown length.
    package static let (maximumBytes, maximumBytesAtOnce): (Int64, Int64) = (16 << 30, 4 << 30)
    /// The maximum number of restarts because the file on the server has changed.
    private static let maximumRestarts = 2
    /// The number of responses that may be short, and the minimum average size of all others.
    private static let (shortAnswers, minimumBytes): (Int, Int64) = (16, 64 << 10)

    /// - Parameters:
    ///   - length: The number of existing bytes. Without a validator none of them is used.
    ///   - size: The total size that an earlier response reported.
    package init(length: Int64, size: Int64?, validator: String?) {
        let isUsable = validator != nil && length <= DownloadProgress.maximumBytes
        self.length = isUsable ? max(0, length) : 0
        self.size = isUsable ? size : nil
        self.validator = isUsable ? validator : nil
    }

    /// Whether all bytes are present.
    var isComplete: Bool { size.map { length == $0 && length > 0 } ?? false }

    /// The bytes to request next. They repeat the end of the file, because some servers send a part of another file with
    /// the same validator and size.
    package var nextRange: Range<Int64> {
        length - Int64(repeatedEnd)..<length - Int64(repeatedEnd) + DownloadProgress.part
    }

    /// The number of bytes at the end of the file that the next part repeats.
    var repeatedEnd: Int { length > DownloadProgress.part / 2 ? DownloadProgress.repeated : 0 }

    /// Processes a response.
    ///
    /// - Parameter fileLength: The length of the file including the response.
    package mutating func take(_ answer: Answer, fileLength: Int64) -> Decision {
        answers += 1
        switch answer.status {
        case 200:
            (length, size, validator) = (fileLength, fileLength, DownloadProgress.validator(of: answer))
            return fileLength <= DownloadProgress.maximumBytesAtOnce ? .finish : tooLarge
        case 206: return take(part: answer, fileLength)
        case 416:
            // The size was unknown, and there are no bytes after the last one.
            let total = ContentRange(answer.contentRange)?.total ?? length
            if length > 0, total == length, size == nil { return .finish }
            return length > 0 ? restart() : .fail("the server refused the start of the file (416)")
        case 404, 410: return .fail("the file no longer exists (\(answer.status))")
        default: return .fail(HTTPStatus.sentence(for: answer.status))
        }
    }

    private mutating func take(part answer: Answer, _ fileLength: Int64) -> Decision {
        guard let range = ContentRange(answer.contentRange), let bounds = range.bounds,
            bounds.lowerBound == nextRange.lowerBound, bounds.upperBound == fileLength
        else { return .fail("the server sent a different part than it announced") }
        let new = DownloadProgress.validator(of: answer)
        let isAnother = validator != nil && new != nil && new != validator || size != nil && range.total != size
        if length > 0, isAnother || !answer.repeatsEnd { return restart() }
        // The size was unknown, and there are no bytes after the last one.
        if repeatedEnd > 0, fileLength == length, size ?? range.total == nil { return .finish }
        received += fileLength - length
        (length, size, validator) = (fileLength, range.total, new ?? validator)
        if (size ?? length) > DownloadProgress.maximumBytes || length > DownloadProgress.maximumBytes {
            return tooLarge
        }
        if isComplete { return .finish }
        guard received / DownloadProgress.minimumBytes >= Int64(answers - DownloadProgress.shortAnswers) else {
            return .fail("the server sends parts that are too small")
        }
        return .goOn
    }

    /// Starts again, because the file on the server has changed.
    private mutating func restart() -> Decision {
        restarts += 1
        guard restarts <= DownloadProgress.maximumRestarts else {
            return .fail("the file on the server keeps changing")
        }
        (length, size, validator) = (0, nil, nil)
        return .goOn
    }

    private var tooLarge: Decision { .fail("larger than \(DownloadProgress.maximumBytes >> 30) GiB, or endless") }

    /// Returns the validator of a response. A weak entity tag doesn't identify single bytes (RFC 9110, section 8.8.3).
    private static func validator(of answer: Answer) -> String? {
        [answer.etag.flatMap { $0.hasPrefix("W/") ? nil : $0 }, answer.lastModified].lazy.compactMap { $0 }
            .first { (1...1024).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    }
}

/// A Content-Range field (RFC 9110, section 14.4): `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`.
private struct ContentRange {
    var bounds: Range<Int64>?
    var total: Int64?

    /// - Returns: `nil` if the field is invalid or contradicts itself.
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
