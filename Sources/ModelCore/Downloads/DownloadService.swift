import Fetching
import Foundation

/// Downloads recordings, one after the other: one queue for the whole library, whichever program works at it.
package final class DownloadService: Sendable {
    private let library: Library
    private let fetcher: Fetcher
    /// Bytes of a recording.
    private static let maximumBytes = 16 << 30

    package init(library: Library, fetcher: Fetcher = Fetcher()) {
        self.library = library
        self.fetcher = fetcher
    }

    /// Downloads what waits, until nothing does. Cancelling the task leaves parts behind, from which the next run goes on.
    ///
    /// - Parameters:
    ///   - folder: Where recordings are kept; `~` is the home directory.
    ///   - report: Called with each download when it begins and when it has ended.
    package func run(folder: String, report: @escaping @Sendable (Download) async -> Void = { _ in })
        async throws(LibraryError)
    {
        var tried: Set<Int64> = []
        while !Task.isCancelled {
            let waiting = try library.downloads().first { !$0.isDone && $0.error == nil && !tried.contains($0.id) }
            guard let waiting else { return }
            tried.insert(waiting.id)
            await download(waiting, into: UserFile.expanded(folder), report)
        }
    }

    private func download(_ waiting: Download, into folder: String, _ report: @Sendable (Download) async -> Void) async
    {
        var download = waiting
        do {
            guard download.url.hasPrefix("http://") || download.url.hasPrefix("https://") else {
                throw Failure(description: "only recordings at http and https addresses are downloaded")
            }
            if download.path == nil {
                download.path = try DownloadService.place(of: download, in: folder)
                try await library.changes.perform(.noteDownload(download))
            }
            await report(download)
            guard let path = download.path, let part = download.partPath else { return }
            let descriptor = open(part, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard descriptor >= 0 else { throw FetchError.cannotWrite("\(part): \(String(cString: strerror(errno)))") }
            defer {
                // Of what gave nothing nothing is left.
                if lseek(descriptor, 0, SEEK_END) == 0 { unlink(part) }
                close(descriptor)
            }
            // Another program may be at it: it goes on there.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
            try await fetch(&download, to: descriptor)
            guard rename(part, path) == 0 else {
                throw FetchError.cannotWrite("\(path): \(String(cString: strerror(errno)))")
            }
            download.isDone = true
            try await library.changes.perform(.noteDownload(download))
        } catch FetchError.cancelled {
            return
        } catch {
            download.error = "\(error)"
            _ = try? await library.changes.perform(.noteDownload(download))
        }
        await report(download)
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Bytes that are asked for at once: with each part it is noted what the rest has to be of, so that a break at any moment
    /// costs one part.
    private static let partBytes: Int64 = 8 << 20

    /// Fetches the rest of a file, part by part where the server can, else as a whole.
    private func fetch(_ download: inout Download, to descriptor: Int32) async throws {
        // Of a part of which nothing tells what it is of nothing is used.
        var length = download.validator == nil ? 0 : Int64(lseek(descriptor, 0, SEEK_END))
        while download.size.map({ length < $0 }) ?? true {
            var request = FetchRequest(url: download.url)
            request.limits.totalTimeout = 0
            request.limits.body = DownloadService.maximumBytes
            request.allowsPrivateHost = download.allowsPrivateHost
            request.file = FetchFile(
                descriptor: descriptor, range: length..<length + DownloadService.partBytes,
                validator: length > 0 ? download.validator : nil)
            let answer = try await fetcher.fetch(request)
            switch answer.status {
            case 200, 206: break
            case 416 where length > 0:
                // The file is another one now.
                (length, download.size, download.validator) = (0, nil, nil)
                continue
            case 404, 410: throw Failure(description: "the recording is gone (\(answer.status))")
            default: throw Failure(description: "the server answered \(answer.status)")
            }
            let etag = answer.headers["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
            download.validator = etag ?? answer.headers["last-modified"]
            let before = length
            length = Int64(lseek(descriptor, 0, SEEK_END))
            let total = answer.headers["content-range"]?.split(separator: "/").last.flatMap { Int64($0) }
            download.size = answer.status == 200 ? length : total
            guard answer.status == 200 || length > before else {
                throw Failure(description: "the server gives no more of it")
            }
            try await library.changes.perform(.noteDownload(download))
        }
    }

    /// A path that nothing stands at: the title's letters and digits, with the end that the address has.
    private static func place(of download: Download, in folder: String) throws -> String {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(description: "the folder \(folder) cannot be made")
        }
        let words = download.title.split { !($0.isLetter || $0.isNumber) }.joined(separator: " ")
        let name = words.isEmpty ? "Recording" : StoredEntry.limited(words, to: 120)
        let file = download.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        let ending = file.contains(".") ? file.split(separator: ".").last.map(String.init) ?? "" : ""
        let isPlain = (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        for number in 1...10_000 {
            let count = number == 1 ? "" : " \(number)"
            let path = "\(folder)/\(name)\(count)\(isPlain ? "." + ending.lowercased() : "")"
            let isFree = ["", ".part"].allSatisfy { !FileManager.default.fileExists(atPath: path + $0) }
            if isFree { return path }
        }
        throw Failure(description: "there are too many files of its name in \(folder)")
    }
}
