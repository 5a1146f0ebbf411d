/// Reads files: the only place that does, apart from sockets and the events of directories.
///
/// Foundation's readers end the program if a read fails, have no bound, or say nothing about the reason. Each function
/// here has a bound and reports errors as numbers (`errno`).
package enum FileReading {
    /// The reason why a file can't be read.
    package struct Fault: Error {
        /// The error number (`errno`): `EFBIG` for a file beyond the bound, ``noWriter`` for a pipe without a writer.
        package let number: Int32
    }

    /// The error number for a named pipe that no program opens for writing.
    package static let noWriter = EPIPE
    /// The number of milliseconds to wait for a program that writes to a named pipe.
    private static let patience = 5000
    private static let (chunk, tick): (Int, Int32) = (1 << 16, 20)

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - maximum: The maximum size in bytes.
    ///   - isRegular: Whether to refuse (`EISDIR`, `EINVAL`) what is no regular file: a pipe might block.
    ///   - take: Receives the bytes in order.
    package static func read(
        _ path: String, maximum: Int, isRegular: Bool = false, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(Fault) {
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(number: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Fault(number: errno) }
        let kind = status.st_mode & S_IFMT
        if isRegular, kind != S_IFREG { throw Fault(number: kind == S_IFDIR ? EISDIR : EINVAL) }
        try read(descriptor, maximum: maximum, waitsForWriter: kind == S_IFIFO, take)
    }

    /// Reads an open file to its end.
    ///
    /// - Parameter waitsForWriter: Whether the file is a named pipe that may not have a writer yet.
    package static func read(
        _ descriptor: Int32, maximum: Int, waitsForWriter: Bool = false, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(Fault) {
        var buffer = [UInt8](repeating: 0, count: chunk)
        var (total, waited, isAwaited) = (0, 0, waitsForWriter)
        while true {
            let count = Platform.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                isAwaited = false
                guard count <= maximum - total else { throw Fault(number: EFBIG) }
                total += count
                buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            } else if count == 0 {
                guard isAwaited, !hasHungUp(descriptor) else { return }
                waited += Int(tick)
                if waited > patience { throw Fault(number: noWriter) }
            } else if errno == EAGAIN {
                isAwaited = false
                var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&event, 1, -1)
            } else if errno != EINTR {
                throw Fault(number: errno)
            }
        }
    }

    /// Waits a moment for the writer of a pipe, and returns whether there was one that has closed it.
    private static func hasHungUp(_ descriptor: Int32) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&event, 1, tick)
        return event.revents & Int16(POLLHUP) != 0 && event.revents & Int16(POLLIN) == 0
    }

    /// Returns a file's bytes, or `nil` if it can't be read or has more than `maximum`.
    package static func bytes(_ path: String, maximum: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        do throws(Fault) { try read(path, maximum: maximum, isRegular: true) { bytes += $0 } } catch { return nil }
        return bytes
    }

    /// Returns bytes within a regular file, fewer at its end, or `nil` if they can't be read.
    package static func piece(of path: String, at offset: Int = 0, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        let found = pread(descriptor, &bytes, bytes.count, off_t(offset))
        return found < 0 ? nil : Array(bytes.prefix(found))
    }

    /// Returns the line that the user types at a terminal, without its end, or `nil` at the end of input.
    package static func typedLine() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Platform.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? String(decoding: buffer[..<count].prefix { $0 != 0x0A }, as: UTF8.self) : nil
        }
    }
}
