import CCurl
import Foundation
import Platform
import Synchronization
import WebAddresses

/// Fetches many documents at once on one thread with pooled connections, using libcurl's multi interface.
///
/// ```swift
/// let answer = try await fetcher.fetch(FetchRequest(url: "https://example.org/feed.xml"))
/// ```
///
/// Cancelling the waiting task ends the transfer.
package final class Fetcher: Sendable {
    private struct Pending {
        var request: FetchRequest
        var hop: RequestHop
        /// Whether the request was sent again after a fault of HTTP/2.
        var wasRepeated = false
        /// The time in seconds that previous hops took, not counting the waits for their hosts.
        var spent = 0.0
        var continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
    }

    private struct State {
        var nextID: UInt64 = 1
        /// The requests that have an identifier but are not in the queue yet.
        var announced: Set<UInt64> = []
        var starting: [(id: UInt64, pending: Pending)] = []
        var cancelling: Set<UInt64> = []
        var running: [UInt64: Pending] = [:]
        /// The hosts that failed with HTTP/2, and get HTTP/1.1 since.
        var hostsWithoutHTTP2: Set<String> = []
        var handle: Handle?
    }

    /// libcurl's handle. Only the fetching thread uses it, but any thread may wake it.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let state = Mutex(State())
    let proxy: String?
    let proxies: ProxyEnvironment
    private let authorities: Authorities

    /// The maximum number of connections, in total, to one host and to one address, which many hosts may share.
    private static let maximumConnections: Int32 = 256
    private static let maximumPerHost: Int32 = 2
    private static let maximumPerAddress: Int32 = 8
    /// The maximum number of hosts of which a fault is remembered.
    private static let maximumHosts = 10_000
    /// The time in milliseconds for which the idle thread and its connections are kept.
    private static let idleTime: Int32 = 15_000

    /// Creates a fetcher. libcurl is loaded for the first request.
    ///
    /// - Parameter proxy: The address of a proxy that replaces those of the environment.
    package convenience init(proxy: String? = nil) { self.init(proxy: proxy, proxies: ProxyEnvironment()) }

    init(proxy: String? = nil, proxies: ProxyEnvironment, authorities: Authorities = Authorities()) {
        self.authorities = authorities
        self.proxy = proxy
        self.proxies = proxies
    }

    /// Loads libcurl on a background thread before the first request. With its dependencies this takes as long as
    /// everything else before a reload.
    package static func prepare() {
        let thread = Thread { _ = ccurl_version() }
        thread.name = "libcurl"
        thread.start()
    }

    /// The number of requests with any state, which is 0 once all have ended.
    var remembered: Int {
        state.withLock { $0.announced.count + $0.starting.count + $0.cancelling.count + $0.running.count }
    }

    /// Fetches a document.
    ///
    /// - Throws: ``FetchError`` if there is no response. Responses with any status are returned.
    package func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        if WebAddress.scheme(of: request.url) == "file" {
            return try await LocalFile.contents(at: request.url, limits: request.limits)
        }
        guard let hop = RequestHop(request) else { throw .badAddress(request.url) }
        if let network = SimulatedNetwork.current { return try await fetch(request, hop, network) }
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.announced.insert(state.nextID)
            return state.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(id, Pending(request: request, hop: hop, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    private func enqueue(_ id: UInt64, _ pending: Pending) {
        let refusal: FetchError? = state.withLock { state in
            state.announced.remove(id)
            if state.cancelling.remove(id) != nil { return .cancelled }
            if state.handle == nil {
                guard
                    let pointer = ccurl_multi_new(
                        Fetcher.maximumConnections, Fetcher.maximumPerHost, Fetcher.maximumPerAddress)
                else { return .unavailable }
                let handle = Handle(pointer: pointer)
                state.handle = handle
                let thread = Thread { [self] in run(handle) }
                thread.name = "fetching"
                thread.start()
            }
            state.starting.append((id, pending))
            if let handle = state.handle { ccurl_wake(handle.pointer) }
            return nil
        }
        if let refusal { pending.continuation.resume(returning: .failure(refusal)) }
    }

    private func cancel(_ id: UInt64) {
        state.withLock { state in
            // A completed request can't be cancelled.
            let isKnown =
                state.announced.contains(id) || state.running[id] != nil || state.starting.contains { $0.id == id }
            guard isKnown else { return }
            state.cancelling.insert(id)
            if let handle = state.handle { ccurl_wake(handle.pointer) }
        }
    }

    // MARK: The fetching thread

    private func run(_ handle: Handle) {
        var queue = HostQueue(maximum: Int(Fetcher.maximumPerHost))
        /// Starts a request, or if that fails the next ones for its host.
        func begin(_ id: UInt64) {
            var next: UInt64? = id
            while let id = next {
                do throws(FetchError) {
                    return try start(id, handle)
                } catch {
                    finish(id, .failure(error))
                    next = queue.next(after: id)
                }
            }
        }
        while true {
            let (starting, cancelled) = state.withLock { state in
                let starting = state.starting
                state.starting = []
                for item in starting { state.running[item.id] = item.pending }
                var cancelled: [(UInt64, Pending)] = []
                for id in state.cancelling {
                    if let pending = state.running.removeValue(forKey: id) { cancelled.append((id, pending)) }
                }
                // A request that has not reached the queue yet is rejected there.
                state.cancelling = state.cancelling.intersection(state.announced)
                return (starting, cancelled)
            }
            for item in starting where !cancelled.contains(where: { $0.0 == item.id }) {
                let host = item.pending.hop.url.host ?? ""
                if queue.mayStart(item.id, host: host) { begin(item.id) }
            }
            for (id, pending) in cancelled {
                ccurl_cancel(handle.pointer, id)
                pending.continuation.resume(returning: .failure(.cancelled))
                if let next = queue.next(after: id) { begin(next) }
            }
            ccurl_turn(handle.pointer, Fetcher.idleTime)
            if endIfIdle(handle) { return }
            var result = ccurl_result()
            while ccurl_next(handle.pointer, &result) {
                do throws(FetchError) {
                    if try follow(&result, handle) { continue }
                    if try repeatWithoutHTTP2(&result, handle) { continue }
                    finish(result.id, outcome(result))
                } catch {
                    finish(result.id, .failure(error))
                }
                let next = queue.next(after: result.id)
                ccurl_release(&result)
                if let next { begin(next) }
            }
        }
    }

    /// Ends the thread after an idle period. The next request starts a new one.
    private func endIfIdle(_ handle: Handle) -> Bool {
        let isIdle = state.withLock { state in
            guard state.starting.isEmpty, state.running.isEmpty else { return false }
            state.handle = nil
            return true
        }
        if isIdle { ccurl_multi_free(handle.pointer) }
        return isIdle
    }

    private func finish(_ id: UInt64, _ outcome: Result<FetchResponse, FetchError>) {
        let pending = state.withLock { $0.running.removeValue(forKey: id) }
        pending?.continuation.resume(returning: outcome)
    }

    private func start(_ id: UInt64, _ handle: Handle) throws(FetchError) {
        guard let pending = state.withLock({ $0.running[id] }) else { return }
        try withOptions(of: pending) { options in ccurl_start(handle.pointer, id, &options) }
    }

    /// Sends a request in place of its result, which is consumed.
    private func send(_ pending: Pending, insteadOf result: inout ccurl_result, _ handle: Handle) throws(FetchError) {
        var next = pending
        next.spent += result.seconds
        let id = result.id
        state.withLock { [next] state in state.running[id] = next }
        try withOptions(of: next) { options in ccurl_follow(handle.pointer, &result, &options) }
    }

    /// Follows a redirect, and returns whether the result was one, which is then consumed.
    private func follow(_ result: inout ccurl_result, _ handle: Handle) throws(FetchError) -> Bool {
        let id = result.id
        guard result.code == 0, result.is_redirect, let target = Fetcher.location(result),
            var pending = state.withLock({ $0.running[id] })
        else { return false }
        try pending.hop.follow(result.status, to: target)
        try send(pending, insteadOf: &result, handle)
        return true
    }

    /// Sends a request again with HTTP/1.1 after a fault of HTTP/2, or after what looks like one. If that helps, or the
    /// fault is certain, all later requests to the host use HTTP/1.1.
    ///
    /// What changes something on a server, or continues a file, isn't sent twice.
    ///
    /// - Returns: Whether the request was sent, and the result consumed.
    private func repeatWithoutHTTP2(_ result: inout ccurl_result, _ handle: Handle) throws(FetchError) -> Bool {
        let id = result.id
        guard var pending = state.withLock({ $0.running[id] }), let host = pending.hop.url.host else { return false }
        let isHelped = pending.wasRepeated && result.code == 0 && !result.is_cut
        if result.is_http_2_fault || isHelped {
            state.withLock { state in
                if state.hostsWithoutHTTP2.count < Fetcher.maximumHosts { state.hostsWithoutHTTP2.insert(host) }
            }
        }
        guard result.may_be_http_2_fault, !pending.wasRepeated, pending.request.message == nil,
            pending.request.file == nil
        else { return false }
        pending.wasRepeated = true
        try send(pending, insteadOf: &result, handle)
        return true
    }

    /// Passes libcurl's description of the request to send now, and throws unless it could be sent.
    private func withOptions(of pending: Pending, _ send: (inout ccurl_request) -> Bool) throws(FetchError) {
        let (request, hop) = (pending.request, pending.hop)
        let proxy = proxies.proxy(for: hop.address, instead: proxy)
        if proxy != nil { try hop.checkProxied() }
        // The timeout covers all redirects together.
        let spent = Int(clamping: pending.spent * 1000)
        guard request.limits.totalTimeout <= 0 || spent < request.limits.totalTimeout else { throw .timedOut }
        let timeout = request.limits.totalTimeout <= 0 ? 0 : request.limits.totalTimeout - spent
        let lines = (Fetcher.headers(of: request) + hop.secrets).map { strdup($0) }
        let (url, agent) = (strdup(hop.address), strdup(ProgramVersion.userAgent))
        let (proxyText, method) = (proxy.flatMap { strdup($0) }, request.message.flatMap { strdup($0.method) })
        defer { for text in lines + [url, agent, proxyText, method] { free(text) } }
        let isHTTP1 = pending.wasRepeated || state.withLock { $0.hostsWithoutHTTP2.contains(hop.url.host ?? "") }
        let certificates = hop.url.scheme == "https" || proxy != nil ? authorities.certificates ?? [] : []
        let isSent = lines.map { UnsafePointer($0) }.withUnsafeBufferPointer { headers in
            (request.message?.body ?? []).withUnsafeBufferPointer { body in
                certificates.withUnsafeBufferPointer { certificates in
                    var options = ccurl_request(
                        url: url, user_agent: agent, headers: headers.baseAddress,
                        header_count: Int32(clamping: headers.count), proxy: proxyText,
                        allows_private: hop.allowsPrivateHost, connect_timeout_ms: request.limits.connectTimeout,
                        total_timeout_ms: timeout, maximum_body: request.limits.body,
                        maximum_headers: request.limits.headers, method: method, body: body.baseAddress,
                        body_size: body.count, file: request.file?.descriptor ?? -1,
                        resume_from: request.file?.range.lowerBound ?? 0, is_http_1: isHTTP1,
                        authorities: certificates.isEmpty ? nil : certificates.baseAddress,
                        authorities_size: certificates.count)
                    return send(&options)
                }
            }
        }
        if !isSent { throw .failed("no memory") }
    }

    /// Returns the header lines that any host may receive.
    static func headers(of request: FetchRequest) -> [String] {
        var headers: [String] = [
            "Accept: application/atom+xml, application/rss+xml, application/feed+json;q=0.9, "
                + "application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5"
        ]
        if let etag = request.etag { headers.append("If-None-Match: \(etag)") }
        if let lastModified = request.lastModified { headers.append("If-Modified-Since: \(lastModified)") }
        if let file = request.file {
            headers.append("Range: bytes=\(file.range.lowerBound)-\(file.range.upperBound - 1)")
            if let validator = file.validator { headers.append("If-Range: \(validator)") }
        }
        if let message = request.message { headers += ["Content-Type: \(message.contentType)", "Expect:"] }
        return headers
    }

    private func outcome(_ result: ccurl_result) -> Result<FetchResponse, FetchError> {
        let pending = state.withLock { $0.running[result.id] }
        let address = pending?.hop.address ?? ""
        if result.code != 0 || result.is_proxied && result.status == 407 {
            let limits = pending?.request.limits ?? FetchLimits()
            return .failure(failure(result, address: address, limits: limits))
        }
        guard result.status != 206 || pending?.request.file != nil else { return .failure(.unrequestedPart) }
        return .success(
            FetchResponse(
                status: result.status,
                body: Array(UnsafeBufferPointer(start: result.body, count: result.body_size)),
                headers: Fetcher.fields(result),
                effectiveURL: address,
                permanentURL: pending?.hop.permanentAddress, isCut: result.is_cut,
                seconds: (pending?.spent ?? 0) + result.seconds))
    }

    private static func fields(_ result: ccurl_result) -> [String: String] {
        Dictionary(lines(result)) { $1 }.mapValues { String(decoding: $0, as: UTF8.self) }
            .mapValues { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// Returns the first address to which a response redirects, or `nil` if it is empty.
    private static func location(_ result: ccurl_result) -> String? {
        let first = lines(result).first { $0.name == "location" && $0.value.contains { $0 > 0x20 } }
        guard let bytes = first?.value else { return nil }
        // An address in another encoding than UTF-8 keeps its bytes.
        return String(validating: bytes, as: UTF8.self)
            ?? bytes.map { byte in
                byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
            }.joined()
    }

    /// Returns the header fields with lower-case names and their values as received.
    private static func lines(_ result: ccurl_result) -> [(name: String, value: Slice<UnsafeRawBufferPointer>)] {
        guard let headers = result.headers else { return [] }
        let bytes = UnsafeRawBufferPointer(start: headers, count: result.headers_size)
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), line[(colon + 1)...])
        }
    }
}
