import CommonTesting
import Foundation
import Testing

@testable import Fetching

/// Servers that fail with HTTP/2. They need TLS, so that these tests run where OpenSSL and Python are installed.
@Suite(
    .enabled(if: ["/usr/bin/openssl", "/usr/bin/python3"].allSatisfy(FileManager.default.fileExists)),
    .timeLimit(.minutes(2)))
struct FallsBackFromHTTP2 {
    /// Makes each fault of HTTP/2; with HTTP/1.1 it answers.
    private static let server = """
        os, socket, ssl, struct, sys, threading = map(__import__, "os socket ssl struct sys threading".split())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        context.set_alpn_protocols(["h2", "http/1.1"])
        def frame(kind, flags, stream, body):
            return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body
        def read(connection, size):
            data = b""
            while len(data) < size:
                part = connection.recv(size - len(data))
                if not part: raise EOFError
                data += part
            return data
        def serve(plain):
            try:
                connection = context.wrap_socket(plain, server_side=True)
                print(connection.selected_alpn_protocol(), flush=True)
                if connection.selected_alpn_protocol() == "h2":
                    read(connection, 24)
                    connection.sendall(frame(4, 0, 0, b""))
                    while True:
                        head = read(connection, 9)
                        read(connection, int.from_bytes(head[:3], "big"))
                        if head[3] != 1: continue
                        if sys.argv[2] == "reset": connection.sendall(frame(3, 0, int.from_bytes(head[5:], "big"), struct.pack(">I", 1)))
                        if sys.argv[2] == "leave": return connection.sendall(frame(7, 0, 0, struct.pack(">II", 0, 0)))
                        stream = int.from_bytes(head[5:], "big")
                        start = frame(1, 4, stream, b"\\x88") + frame(0, 0, stream, b"<rss><channel>")
                        if sys.argv[2] == "header": connection.sendall(frame(1, 4, stream, b"\\xff" * 6))
                        if sys.argv[2] == "stream": connection.sendall(frame(0, 0, 0, b"lost"))
                        if sys.argv[2] == "length": connection.sendall(b"\\xff" * 3 + bytes([0, 0]) + struct.pack(">I", stream) + b"x" * 99)
                        if sys.argv[2] == "middle": return connection.sendall(start + frame(7, 0, 0, struct.pack(">II", stream, 1))) or connection.close()
                        if sys.argv[2] == "refused": return connection.sendall(start + frame(7, 0, 0, struct.pack(">II", 0, 0))) or connection.close()
                        if sys.argv[2] == "end": return connection.sendall(start) or connection.close()
                while True:
                    data = b""
                    while b"\\r\\n\\r\\n" not in data: data += read(connection, 1)
                    connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nfeed")
            except Exception: pass
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Timer(90, lambda: os._exit(0)).start()
        print(listener.getsockname()[1], flush=True)
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    private func run(_ words: [String], _ output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        if let output { process.standardOutput = output }
        try process.run()
        return process
    }

    /// Each request is answered, and only the first ones of a host try HTTP/2.
    @Test(arguments: ["reset", "leave", "header", "stream", "length", "middle", "refused", "end"])
    func asksAgainWithHTTP11(fault: String) async throws {
        let folder = TemporaryFolder()
        let certificate = folder.path("certificate.pem")
        let made = try run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", certificate, "-out",
            certificate + ".own",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        ])
        made.waitUntilExit()
        let own = try Data(contentsOf: URL(fileURLWithPath: certificate + ".own"))
        let key = try Data(contentsOf: URL(fileURLWithPath: certificate))
        try (key + own).write(to: URL(fileURLWithPath: certificate))
        let output = Pipe()
        let server = try run(["python3", "-c", Self.server, certificate, fault], output)
        defer { server.terminate() }
        let lines = Lines(output.fileHandleForReading)
        let port = try #require(lines.next())
        func trusting(_ files: [String]) -> Fetcher {
            Fetcher(proxies: ProxyEnvironment { _ in nil }, authorities: Authorities(files: files))
        }
        let fetcher = trusting([certificate + ".own"])
        for number in 0..<3 {
            let answer = try await fetcher.fetch(FetchRequest(url: "https://localhost:\(port)/\(number)"))
            #expect(answer.status == 200 && answer.body == Array("feed".utf8))
        }
        #expect(lines.next() == "h2" && lines.next() == "http/1.1")
        // What may have changed something isn't sent twice.
        let other = trusting([certificate + ".own"])
        var message = FetchRequest(url: "https://localhost:\(port)/")
        message.message = FetchMessage("POST", [], contentType: "text/plain")
        let result = try? await other.fetch(message)
        #expect(result.map { $0.isCut } ?? true)
        // Without the user's authority the certificate is none.
        await #expect(throws: FetchError.self) {
            try await trusting([]).fetch(FetchRequest(url: "https://localhost:\(port)/"))
        }
    }

    /// The lines that a program prints.
    private final class Lines {
        private let handle: FileHandle
        private var text = ""

        init(_ handle: FileHandle) { self.handle = handle }

        /// Waits for the next line. Returns `nil` at the end.
        func next() -> String? {
            while !text.contains("\n") {
                let data = handle.availableData
                if data.isEmpty { return nil }
                text += String(decoding: data, as: UTF8.self)
            }
            let line = text.prefix { $0 != "\n" }
            text.removeFirst(line.count + 1)
            return String(line)
        }
    }
}
