import Feeds
import Foundation
import Platform
import Synchronization

/// Receives the playback position from mpv through its JSON interface on a private socket
/// (https://mpv.io/manual/stable/#json-ipc).
final class PlayerPosition: Sendable {
    private struct State {
        var position: Double?
        var duration: Double?
        /// Whether the enclosure was played to its end.
        var isWhole = false
        var isOver = false
    }

    private let folder: String
    private let state = Mutex(State())
    private let ended = Semaphore()

    /// The interval in seconds at which positions are stored during playback, in case this program is killed.
    private let interval: Double
    /// The maximum length of a message in bytes.
    private static let longestMessage = 1 << 16

    /// Creates the socket's folder. Returns `nil` if there is no place for it, and then mpv plays without.
    init?(in runtime: String? = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], interval: Double = 10) {
        self.interval = interval
        let base = runtime.flatMap { $0.hasPrefix("/") ? $0 : nil }
        var template = ((base ?? "/tmp") + "/tappa-XXXXXX").utf8CString.map { $0 }
        guard mkdtemp(&template) != nil else { return nil }
        folder = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        guard LocalSocket.withAddress(of: path, { _, _ in }) != nil else {
            rmdir(folder)
            return nil
        }
    }

    private var path: String { folder + "/mpv" }

    /// mpv's argument for the socket.
    var argument: String { "--input-ipc-server=" + path }

    /// Listens on a background thread until the player quits.
    ///
    /// - Parameter keep: Receives positions, on that thread.
    func listen(_ keep: @escaping @Sendable (PlayedEnclosure) -> Void) {
        Thread.detachNewThread { [self] in
            defer { ended.signal() }
            guard let connection = connect() else { return }
            defer { close(connection) }
            let wishes = """
                {"command":["observe_property",1,"time-pos"]}
                {"command":["observe_property",2,"duration"]}

                """
            guard send(connection, wishes, wishes.utf8.count, Int32(MSG_NOSIGNAL)) == wishes.utf8.count else { return }
            read(connection, keep)
        }
    }

    /// Returns the last position after the player has quit.
    func finish() -> PlayedEnclosure? {
        state.withLock { $0.isOver = true }
        ended.wait(atMost: .seconds(2))
        unlink(path)
        rmdir(folder)
        return played
    }

    private var played: PlayedEnclosure? {
        state.withLock { state in
            let duration = state.duration.map { Int(clamping: $0) }
            if state.isWhole { return .whole(duration: duration) }
            guard let position = state.position else { return nil }
            // Leaving in the last seconds counts as finished.
            if let length = state.duration, length - position < min(15, length / 100) {
                return .whole(duration: duration)
            }
            return PlayedEnclosure(position: Int(clamping: position), duration: duration)
        }
    }

    // MARK: The conversation

    /// Waits until the player listens.
    private func connect() -> Int32? {
        while !state.withLock({ $0.isOver }) {
            let descriptor = LocalSocket.make()
            guard descriptor >= 0 else { return nil }
            let result = LocalSocket.withAddress(of: path) { Platform.connect(descriptor, $0, $1) }
            if result == 0 { return descriptor }
            close(descriptor)
            Stopwatch.pause(for: .milliseconds(50))
        }
        return nil
    }

    private func read(_ connection: Int32, _ keep: (PlayedEnclosure) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var message: [UInt8] = []
        var kept = Stopwatch.now
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in buffer.prefix(count) {
                guard byte == 0x0A else {
                    if message.count < PlayerPosition.longestMessage { message.append(byte) }
                    continue
                }
                take(message)
                message.removeAll(keepingCapacity: true)
            }
            if kept.duration(to: Stopwatch.now) >= .seconds(interval), var played {
                kept = Stopwatch.now
                played.isPlaying = true
                keep(played)
            }
        }
    }

    private struct Message: Decodable {
        var event: String?
        var name: String?
        var data: Double?
        var reason: String?

        private enum CodingKeys: CodingKey { case event, name, data, reason }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            event = try? container.decode(String.self, forKey: .event)
            name = try? container.decode(String.self, forKey: .name)
            data = try? container.decode(Double.self, forKey: .data)
            reason = try? container.decode(String.self, forKey: .reason)
        }
    }

    /// Processes messages. Positions stay when the player reports none, as it does at the end.
    private func take(_ text: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(text)) else { return }
        state.withLock { state in
            // Anything played afterwards is another enclosure.
            guard !state.isWhole else { return }
            switch (message.event, message.name, message.data) {
            case ("property-change", "time-pos", let value?) where (0...1e7).contains(value): state.position = value
            case ("property-change", "duration", let value?) where (0...1e7).contains(value): state.duration = value
            case ("end-file", _, _): state.isWhole = message.reason == "eof" && state.position != nil
            default: break
            }
        }
    }
}
