import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Decisions on a server's answers: each download ends.
@Suite struct DownloadProgressTests {
    private typealias Answer = DownloadProgress.Answer
    private let part = DownloadProgress.part

    private func partial(_ range: Range<Int64>, of total: String, etag: String? = "\"a\"") -> Answer {
        Answer(status: 206, etag: etag, contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)")
    }

    @Test func continuesUntilTheAnnouncedSize() {
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        #expect(progress.take(partial(0..<part, of: "\(part + 5)"), fileLength: part) == .goOn)
        #expect(progress.nextRange.lowerBound == part - 4096 && progress.validator == "\"a\"" && !progress.isComplete)
        #expect(progress.take(partial(part - 4096..<part + 5, of: "\(part + 5)"), fileLength: part + 5) == .finish)
        #expect(progress.isComplete)
    }

    @Test func findsTheEndOfAFileWithoutASize() {
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        #expect(progress.take(partial(0..<part, of: "*"), fileLength: part) == .goOn)
        #expect(progress.take(Answer(status: 416, contentRange: "bytes */\(part)"), fileLength: part) == .finish)
        #expect(progress.length == part)
        progress = DownloadProgress(length: part, size: nil, validator: "\"a\"")
        #expect(progress.take(partial(part - 4096..<part, of: "*"), fileLength: part) == .finish)
    }

    /// A part with the right validator and size may still belong to another file.
    @Test func comparesTheEndOfTheFile() {
        var progress = DownloadProgress(length: part, size: part * 2, validator: "\"a\"")
        var answer = partial(part - 4096..<part * 2, of: "\(part * 2)")
        answer.repeatsEnd = false
        #expect(progress.take(answer, fileLength: part * 2) == .goOn && progress.length == 0)
    }

    @Test func restartsWhenTheFileChanged() {
        for answer in [partial(9..<99, of: "100", etag: "\"b\""), partial(9..<99, of: "101"), Answer(status: 416)] {
            var progress = DownloadProgress(length: 9, size: 100, validator: "\"a\"")
            #expect(progress.take(answer, fileLength: 99) == .goOn)
            #expect(progress.length == 0 && progress.size == nil && progress.validator == nil)
        }
        // A partial file without a validator isn't resumed.
        #expect(DownloadProgress(length: 9, size: 100, validator: nil).length == 0)
    }

    /// Alternating 206 and 416, and a different file with each answer.
    @Test(arguments: [true, false]) func stopsWhenTheServerRepeatsItself(refuses: Bool) {
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        var answers = 0
        var decision = DownloadProgress.Decision.goOn
        while decision == .goOn, answers < 1000 {
            answers += 1
            let start = progress.nextRange.lowerBound
            let answer =
                refuses && start > 0
                ? Answer(status: 416, contentRange: "bytes */1")
                : partial(start..<start + part, of: "\(part * 9)", etag: "\"\(refuses ? 0 : answers)\"")
            decision = progress.take(answer, fileLength: answer.status == 206 ? start + part : start)
        }
        #expect(decision == .fail("the file on the server keeps changing") && answers < 10)
    }

    @Test func stopsWhenPartsAreTooSmall() {
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        var answers = 0
        var decision = DownloadProgress.Decision.goOn
        while decision == .goOn, answers < 1000 {
            answers += 1
            let start = progress.length
            decision = progress.take(partial(start..<start + 1, of: "99999"), fileLength: start + 1)
        }
        #expect(decision == .fail("the server sends parts that are too small") && answers < 50)
    }

    @Test(
        arguments: [
            "bytes 0-0/5", "bytes 0-4/9", "bytes 2-4/9", "bytes 1-4/4", "bytes 3-1/5", "bytes 1-9/5", "bytes -1-3/5",
            "bytes 1-3", "1-3/5", "bytes 1-3/-5",
            "bytes */5", nil,
            "bytes 1-9223372036854775807/*", "bytes 1-9223372036854775806/9223372036854775807",
            "bytes 1-99999999999999999999/*",
        ])
    func rejectsAPartOfAnotherRange(field: String?) {
        var progress = DownloadProgress(length: 1, size: nil, validator: "\"a\"")
        let answer = Answer(status: 206, etag: "\"a\"", contentRange: field)
        #expect(
            progress.take(answer, fileLength: 5) == .fail("the server sent a different part than it announced"))
        #expect(progress.length == 1)
    }

    @Test func rejectsTooLargeFiles() {
        let sentence = DownloadProgress.Decision.fail("larger than 16 GiB, or endless")
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        #expect(
            progress.take(partial(0..<part, of: "\(DownloadProgress.maximumBytes + 1)"), fileLength: part) == sentence)
        progress = DownloadProgress(length: 0, size: nil, validator: nil)
        #expect(progress.take(Answer(status: 200), fileLength: DownloadProgress.maximumBytesAtOnce + 1) == sentence)
        progress = DownloadProgress(length: 0, size: nil, validator: nil)
        #expect(progress.take(Answer(status: 200), fileLength: DownloadProgress.maximumBytesAtOnce) == .finish)
    }

    @Test(arguments: [
        (404, "the file no longer exists (404)"), (410, "the file no longer exists (410)"),
        (500, "server error (500)"),
    ])
    func saysWhyThereIsNoFile(status: Int, reason: String) {
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        #expect(progress.take(Answer(status: status), fileLength: 0) == .fail(reason))
    }

    @Test func ignoresEmptyValidators() {
        for answer in [
            Answer(status: 200, etag: "W/\"a\""), Answer(status: 200, etag: "a\u{1}b"), Answer(status: 200, etag: ""),
        ] {
            var progress = DownloadProgress(length: 0, size: nil, validator: nil)
            #expect(progress.take(answer, fileLength: 5) == .finish && progress.validator == nil)
        }
        var progress = DownloadProgress(length: 0, size: nil, validator: nil)
        _ = progress.take(Answer(status: 200, etag: "W/\"a\"", lastModified: "yesterday"), fileLength: 5)
        #expect(progress.validator == "yesterday")
    }
}
