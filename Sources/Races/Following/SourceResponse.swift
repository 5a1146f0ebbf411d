import Feeds
import Fetching
import LibraryKernel
import WebAddresses

/// The outcome of a request to a race centre or a query service. Failed requests count, too.
struct SourceResponse {
    /// The status, or `nil` if no complete response arrived.
    var status: Int?
    /// The body, or the reason why there is none.
    var body: Result<[UInt8], any Error>
    /// The number of seconds that the server asks clients to wait.
    var retryAfter: Int64?
}

extension Fetcher {
    /// Requests a document of a race centre or a query service.
    ///
    /// A server of the user's own may be in a private network. The known ones use TLS.
    ///
    /// - Parameter bytes: The maximum size of the document.
    /// - Throws: Only ``FetchError/cancelled``.
    func document(at address: String, upTo bytes: Int, clock: () -> Instant) async throws -> SourceResponse {
        var request = FetchRequest(url: address, allowsPrivateHost: WebAddress(address)?.scheme == "http")
        request.limits.body = bytes
        let response: FetchResponse
        do { response = try await fetch(request) } catch FetchError.cancelled {
            throw FetchError.cancelled
        } catch {
            return SourceResponse(body: .failure(error))
        }
        let now = clock()
        let retryAfter = FetchSchedule.retryAfter(response.headers["retry-after"], now: now)?.seconds(since: now)
        func failed(_ status: Int?, _ reason: String) -> SourceResponse {
            SourceResponse(
                status: status, body: .failure(PageService.Failure(description: reason)), retryAfter: retryAfter)
        }
        guard (200..<300).contains(response.status) else {
            return failed(response.status, HTTPStatus.sentence(for: response.status))
        }
        if response.isCut { return failed(nil, "the document was cut off") }
        return SourceResponse(status: response.status, body: .success(response.body), retryAfter: retryAfter)
    }
}
