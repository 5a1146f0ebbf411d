import Foundation
import Platform
import Synchronization
import WebAddresses

/// Reads the files of `file:` addresses: regular files only, on background threads, within the limits of a fetch.
///
/// The address may come from someone else's list. A terminal, pipe or device would consume the user's input or never
/// end, so the file is opened without blocking and checked before it is read.
package final class LocalFile: Sendable {
    private typealias Outcome = Result<FetchResponse, FetchError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        /// The result for the waiting task, once known.
        var outcome: Outcome?
    }

    private let state = Mutex(State())
    private static let chunk = 1 << 16

    /// Reads a file.
    ///
    /// Cancelling the task and the timeout end the wait at once, even if the file system doesn't respond.
    static func contents(at address: String, limits: FetchLimits) async throws(FetchError) -> FetchResponse {
        guard let path = path(of: address) else { throw .badAddress(address) }
        let reading = LocalFile()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = reading.state.withLock { state -> Outcome? in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let known { return continuation.resume(returning: known) }
                let thread = Thread { reading.run(path, address, limits) }
                thread.name = "file"
                thread.start()
                guard limits.totalTimeout > 0 else { return }
                DispatchQueue.global().run(after: .milliseconds(limits.totalTimeout)) {
                    [weak reading] in
                    reading?.end(.failure(.timedOut))
                }
            }
        } onCancel: {
            reading.end(.failure(.cancelled))
        }
        return try outcome.get()
    }

    /// Returns the path of an address on this computer, or `nil`.
    package static func path(of address: String) -> String? {
        guard let url = WebAddress(address), url.scheme == "file", !url.segments.isEmpty,
            ["", "localhost", "127.0.0.1"].contains(url.host?.lowercased() ?? ""),
            let path = url.path.removingPercentEncoding, !path.utf8.contains(0)
        else { return nil }
        return path
    }

    private func end(_ outcome: Outcome) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            if state.outcome == nil { state.outcome = outcome }
            return state.continuation
        }
        continuation?.resume(returning: outcome)
    }

    private var isOver: Bool { state.withLock { $0.outcome != nil } }

    // MARK: The reading thread

    private func run(_ path: String, _ address: String, _ limits: FetchLimits) {
        let start = Stopwatch.now
        do throws(FetchError) {
            let file = try bytes(of: path, maximum: limits.body)
            let content = try CompressedDocument.content(of: file, maximum: limits.body)
            end(
                .success(
                    FetchResponse(
                        status: 200, body: content.bytes, headers: [:], effectiveURL: address, permanentURL: nil,
                        isCut: content.isCut, seconds: start.duration(to: Stopwatch.now) / .seconds(1))))
        } catch {
            end(.failure(error))
        }
    }

    private func bytes(of path: String, maximum: Int) throws(FetchError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LocalFile.error(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LocalFile.error(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile(path) }
        var body: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: LocalFile.chunk)
        while !isOver {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw LocalFile.error(path, errno) }
            if count == 0 { return body }
            guard count <= maximum - body.count else { throw .bodyTooLarge(limit: maximum) }
            body += buffer[..<count]
        }
        throw .cancelled
    }

    private static func error(_ path: String, _ fault: Int32) -> FetchError {
        switch fault {
        case ENOENT, ENOTDIR: .noSuchFile(path)
        // A socket, or a device without a driver.
        case ENXIO, ENODEV: .notRegularFile(path)
        default: .cannotRead(path, String(cString: strerror(fault)))
        }
    }
}
