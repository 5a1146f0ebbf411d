import Foundation
import Synchronization

/// A small HTTP server on 127.0.0.1 for tests: one answer for each connection, computed from the request.
///
/// It stops when it is released, or after a time limit, which is a quarter of an hour by default.
public final class LoopbackServer: Sendable {
    /// A request as received.
    public struct Request: Sendable {
        /// The method, such as GET.
        public var method: String
        /// The path with its query.
        public var path: String
        /// The header fields by lower-case name.
        public var headers: [String: String]
        /// The body.
        public var body: [UInt8]

        /// Creates a request that isn't received.
        public init(method: String, path: String, headers: [String: String], body: [UInt8]) {
            (self.method, self.path, self.headers, self.body) = (method, path, headers, body)
        }
    }

    /// An answer to send.
    public struct Answer: Sendable {
        /// The status code.
        public var status: Int
        /// Header fields besides the length.
        public var headers: [String: String]
        /// The bytes after the header.
        public var body: [UInt8]
        /// The delay before the answer in milliseconds.
        public var delay: Int
        /// The number of bytes of the body after which the connection closes, whatever length was announced; `nil`
        /// sends everything.
        public var cutAfter: Int?
        /// Bytes that replace the response, or `nil` for a valid HTTP response.
        public var raw: [UInt8]?

        /// Creates an answer from bytes.
        public init(
            _ status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [], delay: Int = 0,
            cutAfter: Int? = nil
        ) {
            self.cutAfter = cutAfter
            self.status = status
            self.headers = headers
            self.body = body
            self.delay = delay
        }

        /// Creates an answer from text.
        public init(_ text: String, type: String = "application/xml", headers: [String: String] = [:]) {
            self.init(200, headers: headers.merging(["Content-Type": type]) { $1 }, body: Array(text.utf8))
        }
    }

    /// The port.
    public let port: Int
    private let listener: Int32
    /// Whether connections stay open for further requests.
    private let keepsAlive: Bool
    private let log = Mutex<[Request]>([])
    private let isStopped = Mutex(false)
    private let departed = Mutex(0)
    private let end: Date

    /// Starts a server.
    ///
    /// - Parameter seconds: The time after which it stops.
    public init(
        keepsAlive: Bool = false, seconds: Double = 900, _ answer: @escaping @Sendable (Request) -> Answer
    ) throws {
        self.keepsAlive = keepsAlive
        end = Date().addingTimeInterval(seconds)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        listener = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let thread = Thread { [weak self, end] in
            while Date() < end {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&waiting, 1, 500) > 0 else { continue }
                let connection = Glibc.accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                guard let server = self, !server.isStopped.withLock({ $0 }) else {
                    Glibc.close(connection)
                    break
                }
                let thread = Thread { server.serve(connection, answer) }
                thread.start()
            }
            Glibc.close(descriptor)
        }
        thread.start()
    }

    deinit { stop() }

    /// Stops the server before it is released.
    public func stop() {
        let wasStopped = isStopped.withLock { value in
            defer { value = true }
            return value
        }
        if !wasStopped { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    /// The requests so far.
    public var requests: [Request] { log.withLock { $0 } }

    /// Waits until a path is requested, the task is cancelled, or the server's time is over.
    public func wait(for path: String) async {
        while !Task.isCancelled, Date() < end, !requests.contains(where: { $0.path == path }) {
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The number of clients that disconnected before a response.
    public var departures: Int { departed.withLock { $0 } }

    /// Returns the address of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    private func serve(_ connection: Int32, _ answer: @Sendable (Request) -> Answer) {
        defer { close(connection) }
        repeat {} while answerOne(connection, answer) && keepsAlive && !isStopped.withLock({ $0 })
    }

    /// Answers a request. Returns `false` if there is none or the connection has ended.
    private func answerOne(_ connection: Int32, _ answer: @Sendable (Request) -> Answer) -> Bool {
        var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 30_000) > 0 else { return false }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        func receive() -> Bool {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 { received += buffer[..<count] }
            return count > 0
        }
        let end = Array("\r\n\r\n".utf8)
        var headEnd: Int?
        while headEnd == nil {
            guard receive() else { return false }
            // It has no TLS, whose first message begins so.
            if received[0] == 0x16 { return false }
            headEnd = received.indices.dropLast(3).first { received[$0..<$0 + 4].elementsEqual(end) }
        }
        let bodyStart = (headEnd ?? 0) + 4
        let lines = String(decoding: received[..<bodyStart], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        let words = lines[0].split(separator: " ")
        let length = Int(headers["content-length"] ?? "") ?? 0
        while received.count < bodyStart + length { guard receive() else { return false } }
        let request = Request(
            method: String(words[0]), path: words.count > 1 ? String(words[1]) : "/", headers: headers,
            body: Array(received[bodyStart..<bodyStart + length]))
        log.withLock { $0.append(request) }
        let result = answer(request)
        if result.delay > 0, poll(&waiting, 1, Int32(result.delay)) > 0,
            recv(connection, &buffer, 1, Int32(MSG_PEEK)) <= 0
        {
            departed.withLock { $0 += 1 }
            return false
        }
        if let raw = result.raw {
            send(connection, raw)
            return false
        }
        var head = "HTTP/1.1 \(result.status) Answer\r\nContent-Length: \(result.body.count)\r\n"
        if !keepsAlive { head += "Connection: close\r\n" }
        for (name, value) in result.headers { head += "\(name): \(value)\r\n" }
        var bytes = Array((head + "\r\n").utf8)
        // In one piece: a second packet would wait for the acknowledgement of the first.
        if result.status != 304 { bytes += result.body.prefix(result.cutAfter ?? result.body.count) }
        send(connection, bytes)
        return result.cutAfter == nil
    }

    private func send(_ connection: Int32, _ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

/// Delays a server's answers until the test opens the gate.
public final class AnswerGate: Sendable {
    private let isOpen = Mutex(false)

    /// Creates a closed gate.
    public init() {}

    /// Releases the answers.
    public func open() { isOpen.withLock { $0 = true } }

    /// Delays answers again.
    public func close() { isOpen.withLock { $0 = false } }

    /// Blocks the server's thread until the gate is open, for at most one minute.
    public func wait() {
        let end = Date().addingTimeInterval(60)
        while Date() < end, !isOpen.withLock({ $0 }) { usleep(1000) }
    }
}
