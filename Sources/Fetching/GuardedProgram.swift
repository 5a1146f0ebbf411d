import CSpawn
import Foundation
import Platform
import Synchronization

/// Runs programs in the background and collects what they print, without files.
///
/// A program has a guard, which ends it and everything it started when this program ends, even if it is killed, and when
/// it takes too long, prints too much or is cancelled.
package enum GuardedProgram {
    /// How a program ended.
    package enum End: Hashable, Sendable {
        /// By itself, with its exit code or a negative signal number.
        case ended(Int)
        case notStarted
        /// It was stopped.
        case tookTooLong, printedTooMuch, cancelled
    }

    /// The end of a program and what it printed.
    package struct Result: Sendable {
        package var end: End
        /// The standard output, up to the maximum.
        package var output: [UInt8] = []
        fileprivate var errors: [UInt8] = []

        /// Returns the first line of its error output up to a number of bytes, or `nil` if there is none.
        package func firstError(maximum: Int) -> String? {
            let text = String(decoding: errors.prefix(maximum), as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).first.map(String.init)
        }
    }

    /// The limits of a program.
    package struct Limits: Sendable {
        /// The maximum duration in seconds.
        var patience: Double
        /// Whether processes that it leaves running continue when it ends by itself.
        var keepsRest: Bool

        package init(patience: Double, keepsRest: Bool = false) {
            (self.patience, self.keepsRest) = (patience, keepsRest)
        }
    }

    /// The maximum size of a program's output in bytes.
    private static let maximumOutput = 16 << 20
    /// The maximum number of bytes of error output that is kept.
    private static let maximumErrors = 4_096
    /// The maximum size of the error output of a detached program. Writing more fails.
    private static let maximumDetachedErrors = 1 << 20

    /// Runs a program to its end, or until the task is cancelled.
    package static func run(_ call: ProgramCall, input: [UInt8]? = nil, _ limits: Limits) async -> Result {
        let stop = Stop()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(returning: run(call, input: input, limits, stop: stop))
                }
            }
        } onCancel: {
            stop.stop()
        }
    }

    /// Runs a program to its end on this thread.
    package static func runBlocking(_ call: ProgramCall, input: [UInt8]? = nil, _ limits: Limits) -> Result {
        run(call, input: input, limits, stop: Stop())
    }

    private final class Stop: Sendable {
        private let state = Mutex<(control: Int32?, isStopped: Bool)>((nil, false))

        func use(_ control: Int32?) {
            state.withLock { state in
                state.control = control
                if state.isStopped, let control { shutdown(control, Int32(SHUT_RDWR)) }
            }
        }

        func stop() {
            state.withLock { state in
                state.isStopped = true
                if let control = state.control { shutdown(control, Int32(SHUT_RDWR)) }
            }
        }
    }

    private static func run(_ call: ProgramCall, input: [UInt8]?, _ limits: Limits, stop: Stop) -> Result {
        guard let file = input.map(anonymousFile) ?? -1 else { return Result(end: .notStarted) }
        var program = csp_guarded()
        let result = call.withPointers { csp_start_guarded($0, $1, file, limits.keepsRest, &program) }
        if file >= 0 { close(file) }
        guard result == 0 else { return Result(end: .notStarted) }
        stop.use(program.control)
        defer {
            stop.use(nil)
            csp_end_guard(&program)
        }
        return collect(program, limits)
    }

    private static func collect(_ program: csp_guarded, _ limits: Limits) -> Result {
        var result = Result(end: .cancelled)
        let deadline = Stopwatch.now + .seconds(limits.patience)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        /// Appends what can be read. Returns whether there may be more later.
        func take(_ stream: Int32, into bytes: inout [UInt8], maximum: Int) -> Bool {
            while true {
                let count = read(stream, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 && errno == EAGAIN }
                bytes += buffer.prefix(min(count, max(0, maximum - bytes.count)))
                if bytes.count > maximumOutput { return true }
            }
        }
        var streams = [
            pollfd(fd: program.control, events: Int16(POLLIN), revents: 0),
            pollfd(fd: program.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: program.errors, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let left = Stopwatch.now.duration(to: deadline).components
            guard left.seconds >= 0, left.attoseconds >= 0 else {
                result.end = .tookTooLong
                return result
            }
            let wait = min(left.seconds, 3_600) * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1
            guard poll(&streams, 3, Int32(clamping: wait)) > 0 else { continue }
            if !take(program.output, into: &result.output, maximum: maximumOutput + 1) { streams[1].fd = -1 }
            if !take(program.errors, into: &result.errors, maximum: maximumErrors) { streams[2].fd = -1 }
            if result.output.count > maximumOutput {
                result.output.removeLast(result.output.count - maximumOutput)
                result.end = .printedTooMuch
                return result
            }
            guard streams[0].revents != 0 else { continue }
            var code: Int32 = 0
            if csp_guarded_end(withUnsafePointer(to: program) { $0 }, &code) { result.end = .ended(Int(code)) }
            // What it printed last may have arrived between the two.
            _ = take(program.output, into: &result.output, maximum: maximumOutput + 1)
            _ = take(program.errors, into: &result.errors, maximum: maximumErrors)
            return result
        }
    }

    // MARK: Detached programs

    /// Starts a program that may outlive this one, and waits for its end. Its output is discarded.
    package static func runDetached(_ call: ProgramCall, input: [UInt8]? = nil) async -> Result {
        // It may take days.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: runDetachedBlocking(call, input: input)) }
        }
    }

    private static func runDetachedBlocking(_ call: ProgramCall, input: [UInt8]?) -> Result {
        guard let file = input.map(anonymousFile) ?? -1 else { return Result(end: .notStarted) }
        let errors = csp_anonymous_file(maximumDetachedErrors)
        defer { if errors >= 0 { close(errors) } }
        var child: pid_t = 0
        let result = call.withPointers { csp_start_detached($0, $1, file, errors, &child) }
        if file >= 0 { close(file) }
        guard result == 0 else { return Result(end: .notStarted) }
        var ended = Result(end: .ended(Int(csp_wait(child))))
        if errors >= 0 {
            // Its offset is where the program has written to.
            let size = min(max(0, Int(lseek(errors, 0, Int32(SEEK_CUR)))), maximumErrors)
            ended.errors = [UInt8](repeating: 0, count: size)
            let count = pread(errors, &ended.errors, size, 0)
            ended.errors.removeLast(size - max(0, count))
        }
        return ended
    }

    /// Returns a file without a name that contains the bytes and is read from its beginning.
    private static func anonymousFile(_ bytes: [UInt8]) -> Int32? {
        let file = csp_anonymous_file(0)
        guard file >= 0 else { return nil }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                close(file)
                return nil
            }
            written += count
        }
        lseek(file, 0, Int32(SEEK_SET))
        return file
    }
}

extension ProgramCall {
    /// Passes the words and all variables as C strings with a final null.
    package func withPointers<Value>(
        _ work: (_ arguments: [UnsafePointer<CChar>?], _ environment: [UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let texts = (words.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
        defer { for text in texts.0 + texts.1 { free(text) } }
        return work(texts.0.map { UnsafePointer($0) }, texts.1.map { UnsafePointer($0) })
    }
}
