import FeedParsing
import Foundation
import LibraryKernel
import ModelCore
import Platform

/// The private socket at which the dashboard of a library in a pane of tmux accepts places.
///
/// A message is the text of a place and a line feed. The answer is `ok` or a sentence, and a line feed.
struct PlaceSocket {
    var path: String

    /// The maximum length of a message and of an answer in bytes, with the line feed.
    static let maximumBytes = Place.maximumBytes + 1

    /// - Parameters:
    ///   - library: The path of the library.
    ///   - server: The path of the socket of the tmux server.
    ///   - pane: The name of the pane, such as `%3`.
    init(folder: String = FileLocations.sockets, library: String, server: String, pane: String) {
        let real = realpath(library, nil)
        defer { free(real) }
        let name = (real.map { String(cString: $0) } ?? library) + "\n" + server
        var hash = FNVHash()
        hash.combine(name.utf8)
        path = "\(folder)/\(String(hash.value, radix: 16))-\(pane.dropFirst())"
    }

    /// The socket of this pane, or `nil` outside tmux.
    static func own(library: String) -> PlaceSocket? {
        TmuxPane.own.map { PlaceSocket(library: library, server: $0.server, pane: $0.name) }
    }

    /// Returns the line that arrives at a connection, or `nil` if it is too long, not UTF-8 or late.
    static func line(from connection: Int32, within milliseconds: Int) -> String? {
        let end = Stopwatch.now + .milliseconds(milliseconds)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: maximumBytes)
        while bytes.count <= maximumBytes {
            let left = Stopwatch.now.duration(to: end) / .milliseconds(1)
            var event = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&event, 1, Int32(clamping: left)) > 0 else { return nil }
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            if let line = bytes.firstIndex(of: 0x0A) { return String(validating: bytes[..<line], as: UTF8.self) }
        }
        return nil
    }

    /// Sends a line, which is as long as a message can be at most. A reader that is gone or doesn't read is no error.
    static func send(_ line: String, to connection: Int32) {
        let text = ImportedText.limited(line.replacing("\n", with: " "), to: maximumBytes - 1)
        let bytes = Array((text + "\n").utf8)
        _ = Platform.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    enum Answer: Equatable {
        /// No dashboard listens.
        case nobody
        /// A dashboard listens and doesn't answer.
        case busy
        case done
        case refused(String)
    }

    func send(_ place: Place) -> Answer {
        let connection = LocalSocket.make()
        guard connection >= 0 else { return .nobody }
        defer { close(connection) }
        guard LocalSocket.withAddress(of: path, { connect(connection, $0, $1) }) == 0 else { return .nobody }
        PlaceSocket.send(place.text, to: connection)
        switch PlaceSocket.line(from: connection, within: 5000) {
        case nil: return .busy
        case "ok"?: return .done
        case let reason?: return .refused(reason)
        }
    }
}

/// Accepts places from other programs of the user while the dashboard runs.
///
/// Everything that isn't a place is refused. Connections are served one after another, each for two seconds at most.
final class PlaceServer: Sendable {
    private let socket: PlaceSocket
    private let listener: Int32
    /// The identity of the socket's file, which another dashboard in the pane may have replaced.
    private let file: ino_t
    private let show: @MainActor @Sendable (Place) -> String?

    private static let patience = 2000

    /// Listens at a socket.
    ///
    /// - Parameter show: Shows a place, or returns why it can't be shown.
    /// - Returns: `nil` if the socket can't be made.
    init?(_ socket: PlaceSocket, show: @escaping @MainActor @Sendable (Place) -> String?) {
        let folder = URL(fileURLWithPath: socket.path).deletingLastPathComponent().path
        PrivateFile.makeFolder(folder, isOwn: true)
        var status = stat()
        // Another user could have made the folder in /tmp.
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else { return nil }
        let listener = LocalSocket.make()
        guard listener >= 0 else { return nil }
        unlink(socket.path)
        guard LocalSocket.withAddress(of: socket.path, { bind(listener, $0, $1) }) == 0,
            chmod(socket.path, 0o600) == 0, listen(listener, 4) == 0, lstat(socket.path, &status) == 0
        else {
            close(listener)
            return nil
        }
        self.socket = socket
        self.listener = listener
        file = status.st_ino
        self.show = show
        Thread.detachNewThread { [self] in serve() }
    }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            answer(connection)
            close(connection)
        }
    }

    private func answer(_ connection: Int32) {
        guard let line = PlaceSocket.line(from: connection, within: PlaceServer.patience) else { return }
        do throws(Place.Problem) {
            let place = try Place(line)
            // While a player has the terminal, the dashboard can't answer.
            let answer = try? runBlocking(atMost: .milliseconds(PlaceServer.patience)) { [show] in
                await show(place) ?? "ok"
            }
            if let answer { PlaceSocket.send(answer, to: connection) }
        } catch {
            PlaceSocket.send("\(error.description).", to: connection)
        }
    }

    /// Stops listening, and deletes the socket's file if it is still this one's.
    func stop() {
        var status = stat()
        if lstat(socket.path, &status) == 0, status.st_ino == file { unlink(socket.path) }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}
