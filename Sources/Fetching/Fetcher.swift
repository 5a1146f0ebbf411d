import CCurl
import Foundation
import Synchronization

/// Fetches documents over libcurl's multi interface: many at once on one thread, over pooled connections.
///
/// ```swift
/// let answer = try await fetcher.fetch(FetchRequest(url: "https://example.org/feed.xml"))
/// ```
///
/// Cancelling the task that waits ends the transfer.
package final class Fetcher: Sendable {
    private struct Pending {
        var request: FetchRequest
        var continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
    }

    private struct State {
        var nextID: UInt64 = 1
        /// Requests that have a number and are not in the queue yet.
        var announced: Set<UInt64> = []
        var starting: [(id: UInt64, pending: Pending)] = []
        var cancelling: Set<UInt64> = []
        var running: [UInt64: Pending] = [:]
        var handle: Handle?
    }

    /// libcurl's handle: used on the fetching thread alone, but for waking it, which any thread may.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let state = Mutex(State())
    private let userAgent: String
    private let proxy: String?

    /// Connections at once, in all and to one host.
    private static let maximumConnections: Int32 = 256
    private static let maximumPerHost: Int32 = 2
    /// Milliseconds that the thread and its connections are kept without a request.
    private static let idleTime: Int32 = 15_000

    /// Makes a fetcher; libcurl is opened at the first request.
    ///
    /// - Parameter proxy: A proxy's address that all hosts are asked through; `nil`: the environment's, or none.
    package init(userAgent: String = ProgramVersion.userAgent, proxy: String? = nil) {
        self.userAgent = userAgent
        self.proxy = proxy
    }

    /// Opens libcurl ahead of the first request, on a thread of its own: with the libraries that it needs, it takes as long as all
    /// else before a reload.
    package static func prepare() {
        let thread = Thread { _ = ccurl_version() }
        thread.name = "libcurl"
        thread.start()
    }

    /// Requests that anything is known of: none once all have ended.
    var remembered: Int {
        state.withLock { $0.announced.count + $0.starting.count + $0.cancelling.count + $0.running.count }
    }

    /// Fetches a document.
    ///
    /// - Throws: ``FetchError`` when no answer came. An answer of any status is returned.
    package func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        guard Fetcher.isAllowed(request.url) else { throw .badAddress(request.url) }
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.announced.insert(state.nextID)
            return state.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(id, Pending(request: request, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    private static func isAllowed(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return ["http", "https", "file"].contains(scheme) && url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private func enqueue(_ id: UInt64, _ pending: Pending) {
        let refusal: FetchError? = state.withLock { state in
            state.announced.remove(id)
            if state.cancelling.remove(id) != nil { return .cancelled }
            if state.handle == nil {
                guard let pointer = ccurl_multi_new(Fetcher.maximumConnections, Fetcher.maximumPerHost) else {
                    return .unavailable
                }
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
            // One that was answered already has nothing to cancel.
            let isKnown =
                state.announced.contains(id) || state.running[id] != nil || state.starting.contains { $0.id == id }
            guard isKnown else { return }
            state.cancelling.insert(id)
            if let handle = state.handle { ccurl_wake(handle.pointer) }
        }
    }

    // MARK: The fetching thread

    private func run(_ handle: Handle) {
        var queue = HostQueue<FetchRequest>(most: Int(Fetcher.maximumPerHost))
        /// Begins a request, or the next ones of its host where one cannot be begun.
        func begin(_ id: UInt64, _ request: FetchRequest) {
            var next: (id: UInt64, item: FetchRequest)? = (id, request)
            while let (id, request) = next {
                if start(id, request, handle) { return }
                finish(id, .failure(.failed("no memory")))
                next = queue.next(after: id)
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
                // One that has not come to the queue yet is refused there.
                state.cancelling = state.cancelling.intersection(state.announced)
                return (starting, cancelled)
            }
            for item in starting where !cancelled.contains(where: { $0.0 == item.id }) {
                let host = Origin(item.pending.request.url)?.host ?? ""
                if queue.mayStart(item.id, item.pending.request, host: host) { begin(item.id, item.pending.request) }
            }
            for (id, pending) in cancelled {
                ccurl_cancel(handle.pointer, id)
                pending.continuation.resume(returning: .failure(.cancelled))
                if let next = queue.next(after: id) { begin(next.id, next.item) }
            }
            ccurl_turn(handle.pointer, Fetcher.idleTime)
            if endIfIdle(handle) { return }
            var result = ccurl_result()
            while ccurl_next(handle.pointer, &result) {
                finish(result.id, outcome(result))
                let next = queue.next(after: result.id)
                ccurl_release(&result)
                if let next { begin(next.id, next.item) }
            }
        }
    }

    /// A thread that has had nothing to do for a while ends; the next request starts another.
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

    private func start(_ id: UInt64, _ request: FetchRequest, _ handle: Handle) -> Bool {
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
        let (address, authorization) = UserInfo.split(request.url)
        var secrets = request.headers.filter { $0.contains(":") && !$0.utf8.contains { $0 < 0x20 } }
        if let authorization, !secrets.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
            secrets.append(authorization)
        }
        let lines = (headers + secrets).map { strdup($0) }
        let proxy = proxy.map { strdup($0) } ?? nil
        defer { for line in lines + [proxy] { free(line) } }
        return address.withCString { url in
            userAgent.withCString { agent in
                lines.map { UnsafePointer($0) }.withUnsafeBufferPointer { list in
                    (request.message?.body ?? []).withUnsafeBufferPointer { body in
                        (request.message?.method ?? "").withCString { method in
                            var options = ccurl_request(
                                url: url, user_agent: agent, headers: list.baseAddress,
                                header_count: Int32(headers.count),
                                secrets: list.baseAddress.map { $0 + headers.count },
                                secret_count: Int32(secrets.count),
                                proxy: proxy.map { UnsafePointer($0) },
                                allows_file: request.url.lowercased().hasPrefix("file:"),
                                allows_private: request.allowsPrivateHost,
                                connect_timeout_ms: request.limits.connectTimeout,
                                total_timeout_ms: request.limits.totalTimeout, maximum_body: request.limits.body,
                                maximum_headers: request.limits.headers, maximum_redirects: request.limits.redirects,
                                method: request.message == nil ? nil : method, body: body.baseAddress,
                                body_size: body.count,
                                file: request.file?.descriptor ?? -1, resume_from: request.file?.range.lowerBound ?? 0)
                            return ccurl_start(handle.pointer, id, &options)
                        }
                    }
                }
            }
        }
    }

    private func outcome(_ result: ccurl_result) -> Result<FetchResponse, FetchError> {
        let request = state.withLock { $0.running[result.id]?.request }
        let url = request?.url ?? ""
        let limits = request?.limits ?? FetchLimits()
        guard result.code == 0 else { return .failure(failure(result, url: url, limits: limits)) }
        let isFile = url.lowercased().hasPrefix("file:")
        return .success(
            FetchResponse(
                status: isFile ? 200 : result.status,
                body: Array(UnsafeBufferPointer(start: result.body, count: result.body_size)),
                headers: Fetcher.fields(result),
                effectiveURL: UserInfo.split(result.effective_url.map { String(cString: $0) } ?? url).address,
                permanentURL: result.permanent_url.map { UserInfo.split(String(cString: $0)).address },
                isCut: result.is_cut, seconds: result.seconds))
    }

    private static func fields(_ result: ccurl_result) -> [String: String] {
        guard let headers = result.headers else { return [:] }
        let bytes = UnsafeRawBufferPointer(start: headers, count: result.headers_size)
        var fields: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
            fields[name] = value.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return fields
    }

    /// libcurl's codes that have plain words of our own (curl/curl.h).
    private func failure(_ result: ccurl_result, url: String, limits: FetchLimits) -> FetchError {
        switch Int(result.limit) {
        case CCURL_LIMIT_BODY: return .bodyTooLarge(limit: limits.body)
        case CCURL_LIMIT_HEADERS: return .headersTooLarge(limit: limits.headers)
        case CCURL_LIMIT_FILE:
            return .cannotWrite(
                result.file_error == ERANGE
                    ? "the server goes on in another place" : String(cString: strerror(result.file_error)))
        case CCURL_LIMIT_ADDRESS:
            let last = result.effective_url.map { String(cString: $0) } ?? url
            return .privateAddress(URL(string: last)?.host() ?? last)
        default: break
        }
        let host = URL(string: url)?.host() ?? url
        let message = result.message.map { String(cString: $0) } ?? "unknown failure"
        switch result.code {
        case 6: return .noSuchHost(host)
        case 7: return .cannotConnect(host)
        // HTTP/0.9, and what cannot be read as an answer.
        case 8,
            1 where message.contains("HTTP/0.9"):
            return .notHTTP(host)
        case 28: return .timedOut
        case 52: return .failed("\(host) ended the connection without an answer")
        case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91: return .insecure(message)
        case 37: return .noSuchFile(URL(string: url)?.path() ?? url)
        case 47: return .tooManyRedirects
        case 1 where UserInfo.split(result.effective_url.map { String(cString: $0) } ?? url).address != url:
            return .failed("it leads to an address that is neither http nor https")
        case 1, 3: return .badAddress(url)
        // A single line that is longer than libcurl's buffer for one.
        case 27 where result.body_size == 0: return .headersTooLarge(limit: limits.headers)
        case 100: return .headersTooLarge(limit: limits.headers)
        case 56 where message.lowercased().contains("too large response header"):
            return .headersTooLarge(limit: limits.headers)
        case 55, 56: return .failed("the connection to \(host) broke")
        default: return .failed(message)
        }
    }
}
