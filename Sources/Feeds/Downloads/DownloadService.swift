import FeedParsing
import Fetching
import Foundation
import LibraryKernel
import Platform
import WebAddresses

/// Downloads enclosures one after the other. Programs that use the same library share the queue.
package final class DownloadService: Sendable {
    private let library: Library
    private let fetcher: Fetcher

    package init(library: Library, fetcher: Fetcher = Fetcher()) {
        self.library = library
        self.fetcher = fetcher
    }

    /// Downloads until the queue is empty. Cancelling the task leaves partial files, which the next run continues.
    ///
    /// - Parameters:
    ///   - folder: The folder for downloads; `~` stands for the home directory.
    ///   - report: Called with each download when it starts and ends.
    package func run(folder: String, report: @escaping @Sendable (Download) async -> Void = { _ in })
        async throws(LibraryError)
    {
        var tried: Set<DownloadID> = []
        while !Task.isCancelled {
            let waiting = try library.downloads.all().first {
                ($0.isPending || !$0.isDone && $0.isTriedAgain) && !tried.contains($0.id)
            }
            guard let waiting else { return }
            tried.insert(waiting.id)
            await download(waiting, into: UserFile.expanded(folder), report)
        }
    }

    /// Whether a download is pending that no program has begun, or whose program has ended.
    package func hasWork() throws(LibraryError) -> Bool {
        try library.downloads.all().contains { $0.isPending && !DownloadService.isRunning($0) }
    }

    private static func isRunning(_ download: Download) -> Bool {
        guard let part = download.partPath else { return false }
        let descriptor = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    private func download(_ waiting: Download, into folder: String, _ report: @Sendable (Download) async -> Void) async
    {
        var download = waiting
        download.error = nil
        let folder = DownloadFolder.path(of: download, in: folder)
        do {
            guard WebAddress.isWeb(download.url) else {
                throw Failure(description: "only http and https addresses can be downloaded")
            }
            guard let descriptor = try await openPart(of: &download, in: folder), let part = download.partPath else {
                return
            }
            defer {
                // An empty partial file, or one that can't be resumed, is deleted.
                let isUseless = download.validator == nil || lseek(descriptor, 0, SEEK_END) == 0
                if isUseless, !download.isDone { unlink(part) }
                close(descriptor)
            }
            await report(download)
            var ending: String?
            if let answer = try await fetch(&download, to: descriptor, at: part) {
                do {
                    try ReceivedFile.check(part, answer)
                } catch {
                    // Nothing of it belongs to the recording.
                    (download.size, download.validator) = (nil, nil)
                    throw error
                }
                ending = ReceivedFile.ending(of: download, answer)
            }
            try moveIntoPlace(&download, ending: ending, in: folder)
            download.isDone = true
            try await library.changes.perform(StoreDownload(download))
        } catch FetchError.cancelled {
            return
        } catch {
            download.error = "\(error)"
            _ = try? await library.changes.perform(StoreDownload(download))
        }
        await report(download)
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    // MARK: Files

    /// Opens and locks the partial file of a download.
    ///
    /// It must be a regular file that this download created. If something else has its name, the download gets another
    /// name.
    ///
    /// - Returns: The descriptor, or `nil` if another program is downloading it.
    private func openPart(of download: inout Download, in folder: String) async throws -> Int32? {
        for _ in 0..<DownloadService.maximumNames {
            if download.path == nil {
                (download.size, download.validator) = (nil, nil)
                download.path = try DownloadService.place(of: download, in: folder)
                try await library.changes.perform(StoreDownload(download))
            }
            guard let part = download.partPath else { return nil }
            let descriptor = open(part, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o644)
            if descriptor < 0, ![ELOOP, ENXIO, EISDIR, ENODEV].contains(errno) {
                throw FetchError.cannotWrite("\(part): \(String(cString: strerror(errno)))")
            }
            var status = stat()
            if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                    close(descriptor)
                    return nil
                }
                // Unknown content may belong to the user.
                if status.st_size == 0 || download.validator != nil { return descriptor }
            }
            if descriptor >= 0 { close(descriptor) }
            download.path = nil
        }
        throw Failure(description: "no free file name in \(folder)")
    }

    /// Renames a complete file to its name, or to another if the name was taken in the meantime.
    ///
    /// - Parameter ending: The ending of the name, if it has another so far.
    private func moveIntoPlace(_ download: inout Download, ending: String?, in folder: String) throws {
        guard let part = download.partPath else { return }
        if let ending { download.path = try DownloadService.place(of: download, ending: ending, in: folder) }
        for _ in 0..<DownloadService.maximumNames {
            guard let path = download.path else { return }
            guard let fault = FileWriting.move(part, to: path) else { return }
            guard fault == EEXIST else { throw FetchError.cannotWrite("\(path): \(String(cString: strerror(fault)))") }
            download.path = try DownloadService.place(of: download, ending: ending, in: folder)
        }
        throw Failure(description: "no free file name in \(folder)")
    }

    private static let maximumNames = 20

    // MARK: Bytes

    /// The maximum duration of one response and of one run. The next run continues.
    private static let (answerTime, runTime) = (Duration.seconds(6 * 3600), Duration.seconds(24 * 3600))

    /// Fetches the rest of a file, in parts if the server supports it. The validator is stored with each part.
    ///
    /// - Returns: The last response, or `nil` if the file was complete.
    private func fetch(
        _ download: inout Download, to descriptor: Int32, at path: String
    ) async throws -> FetchResponse? {
        let start = Clock.uptime
        var progress = DownloadProgress(
            length: Int64(lseek(descriptor, 0, SEEK_END)), size: download.size, validator: download.validator)
        while !progress.isComplete {
            let rest = DownloadService.runTime - start.duration(to: Clock.uptime)
            guard rest > .zero else { throw Failure(description: "it took longer than a day") }
            var request = FetchRequest(url: download.url, allowsPrivateHost: download.allowsPrivateHost)
            request.limits.totalTimeout = max(
                1, Int(clamping: min(rest, DownloadService.answerTime) / .milliseconds(1)))
            request.limits.body = Int(DownloadProgress.maximumBytesAtOnce)
            request.file = FetchFile(
                descriptor: descriptor, range: progress.nextRange,
                validator: progress.length > 0 ? progress.validator : nil)
            let (place, count) = (Int(clamping: progress.nextRange.lowerBound), progress.repeatedEnd)
            let end = FileReading.piece(of: path, at: place, count: count)
            let answer = try await fetcher.fetch(request)
            let decision = progress.take(
                DownloadProgress.Answer(
                    status: answer.status, etag: answer.headers["etag"], lastModified: answer.headers["last-modified"],
                    contentRange: answer.headers["content-range"],
                    repeatsEnd: FileReading.piece(of: path, at: place, count: count) == end),
                fileLength: Int64(lseek(descriptor, 0, SEEK_END)))
            (download.size, download.validator) = (progress.size, progress.validator)
            switch decision {
            case .fail(let reason): throw Failure(description: reason)
            case .finish: return answer
            case .goOn:
                // The next run continues what is on the disk.
                if let fault = FileWriting.sync(descriptor) {
                    throw FetchError.cannotWrite(String(cString: strerror(fault)))
                }
                try await library.changes.perform(StoreDownload(download))
            }
        }
        return nil
    }

    /// Returns an unused path made of the title's letters and digits and the address's extension.
    ///
    /// - Parameter ending: The ending of the file's name, if the address doesn't have the right one.
    static func place(of download: Download, ending: String? = nil, in folder: String) throws -> String {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(description: "can't create the folder \(folder)")
        }
        let words = download.title.split { !($0.isLetter || $0.isNumber) }.joined(separator: " ")
        let name = words.isEmpty ? "Download" : StoredEntry.limited(words, to: 120)
        let ending = (ending ?? MediaType.ending(of: download.url)).map { "." + $0 } ?? ""
        for number in 1...10_000 {
            let count = number == 1 ? "" : " \(number)"
            let path = "\(folder)/\(name)\(count)\(ending)"
            let isFree = ["", ".part"].allSatisfy { !FileManager.default.fileExists(atPath: path + $0) }
            if isFree { return path }
        }
        throw Failure(description: "too many files with its name in \(folder)")
    }
}
