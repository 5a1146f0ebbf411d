import CCurl
import Foundation
import Platform
import Synchronization

/// Servers in this process that replace the network, once, at its start.
///
/// They answer requests as they would be sent: after each redirect the next one, with all header lines. No connection
/// is made, so names, addresses and certificates don't matter.
package struct SimulatedNetwork: Sendable {
    /// A request as a server receives it.
    package struct Request: Sendable {
        package var method: String
        package var address: String
        /// The header fields by lower-case name.
        package var headers: [String: String]
        package var body: [UInt8]
    }

    /// The answer of a server.
    package struct Answer: Sendable {
        package var status: Int
        /// The header fields by lower-case name.
        package var headers: [String: String]
        package var body: [UInt8]
        /// Whether the connection ends before the whole body has arrived.
        package var isCut: Bool
        /// The number of seconds until it has arrived.
        package var seconds: Int64

        package init(
            _ status: Int, headers: [String: String] = [:], body: [UInt8] = [], isCut: Bool = false, seconds: Int64 = 0
        ) {
            (self.status, self.headers, self.body, self.isCut) = (status, headers, body, isCut)
            self.seconds = seconds
        }
    }

    private let answer: @Sendable (Request) async throws(FetchError) -> Answer

    /// - Parameter answer: Returns the answer to a request.
    package init(_ answer: @escaping @Sendable (Request) async throws(FetchError) -> Answer) { self.answer = answer }

    private static let isUsed = Atomic(false)
    private static let network = Mutex<SimulatedNetwork?>(nil)

    /// Replaces the network for the rest of the process.
    package func use() {
        SimulatedNetwork.network.withLock { $0 = self }
        SimulatedNetwork.isUsed.store(true, ordering: .releasing)
    }

    /// The network in use, or `nil` for the real one.
    static var current: SimulatedNetwork? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return network.withLock { $0 }
    }

    fileprivate func send(_ request: FetchRequest, to hop: RequestHop) async throws(FetchError) -> Answer {
        let fields = (Fetcher.headers(of: request) + hop.secrets).map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].lowercased(), parts.dropFirst().joined().trimmingCharacters(in: .whitespaces))
        }
        return try await answer(
            Request(
                method: request.message?.method ?? "GET", address: hop.address,
                headers: Dictionary(fields) { $1 }, body: request.message?.body ?? []))
    }

    /// Appends a part to a file, or writes the whole document from the start.
    fileprivate static func write(_ answer: Answer, to file: FetchFile) throws(FetchError) {
        let start = answer.status == 206 ? file.range.lowerBound : 0
        guard ftruncate(file.descriptor, off_t(start)) == 0 else { throw .cannotWrite("ftruncate failed") }
        let written = answer.body.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, off_t(start)) }
        guard written == answer.body.count else { throw .cannotWrite(String(cString: strerror(errno))) }
    }
}

extension Fetcher {
    func fetch(_ request: FetchRequest, _ first: RequestHop, _ network: SimulatedNetwork) async throws(FetchError)
        -> FetchResponse
    {
        var hop = first
        // The timeout covers all redirects together.
        var milliseconds = request.limits.totalTimeout > 0 ? Int64(request.limits.totalTimeout) : .max
        while true {
            if Task.isCancelled { throw .cancelled }
            let answer = try await network.send(request, to: hop)
            let spent = min(milliseconds, answer.seconds * 1000)
            milliseconds -= spent
            if spent > 0 { try? await Clock.sleep(for: .milliseconds(spent)) }
            if Task.isCancelled { throw .cancelled }
            if milliseconds <= 0 { throw .timedOut }
            if request.message == nil, ccurl_is_redirect(answer.status), let target = answer.headers["location"] {
                try hop.follow(answer.status, to: target)
                continue
            }
            guard answer.body.count <= request.limits.body else { throw .bodyTooLarge(limit: request.limits.body) }
            var body = answer.body
            if let file = request.file, (200..<300).contains(answer.status) {
                try SimulatedNetwork.write(answer, to: file)
                if answer.isCut { throw .failed("the connection was lost") }
                body = []
            }
            return FetchResponse(
                status: answer.status, body: body, headers: answer.headers, effectiveURL: hop.address,
                permanentURL: hop.permanentAddress, isCut: answer.isCut, seconds: 0)
        }
    }
}
