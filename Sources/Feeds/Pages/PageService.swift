import Articles
import FeedParsing
import Fetching
import LibraryKernel
import WebAddresses

/// Fetches the pages that entries and stages link to.
package struct PageService: Sendable {
    /// The reason why a page could not be fetched.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// What a failure says about other pages of the host.
        enum Scope: Hashable, Sendable {
            /// Nothing.
            case page
            /// The host doesn't answer.
            case silentHost
            /// The host asks for fewer requests (429, 503), with its `Retry-After` field.
            case busyHost(retryAfter: String?)
        }

        package var description: String
        var scope = Scope.page

        package init(description: String) { self.description = description }

        fileprivate init(_ error: FetchError) {
            description = error.description
            switch error {
            case .timedOut, .noSuchHost, .cannotConnect: scope = .silentHost
            default: break
            }
        }

        fileprivate init(_ answer: FetchResponse) {
            description = HTTPStatus.sentence(for: answer.status)
            if [429, 503].contains(answer.status) { scope = .busyHost(retryAfter: answer.headers["retry-after"]) }
        }
    }

    /// The maximum size of a page in bytes.
    private static let maximumBytes = 8 << 20
    private let fetcher: Fetcher

    package init(fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    /// Fetches a page.
    ///
    /// - Parameter ownHost: A host that may be private: that of the feed that links to the page, or of the user's own
    ///   file.
    /// - Returns: The page as text, and its address after all redirects.
    func fetch(_ url: String, ownHost: String?) async throws(Failure) -> (html: String, url: String) {
        var request = FetchRequest(url: url, allowsPrivateHost: TrustedHost.mayBePrivate(url, ownHost: ownHost))
        request.limits.body = PageService.maximumBytes
        do {
            let answer = try await fetcher.fetch(request)
            switch answer.status {
            case 200..<300: break
            case 404, 410: throw Failure(description: "the page no longer exists (\(answer.status))")
            default: throw Failure(answer)
            }
            let type = answer.headers["content-type"] ?? ""
            guard type.isEmpty || type.contains("html") || type.contains("xml") || type.contains("text/") else {
                throw Failure(description: "this isn't a web page but \(type)")
            }
            let html = PageText.decode(answer.body, contentType: answer.headers["content-type"])
            return (html, answer.effectiveURL)
        } catch let error as FetchError {
            throw Failure(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    /// Fetches a page and extracts its article on a background thread.
    func article(_ url: String, ownHost: String?) async throws(Failure) -> (page: ArticlePage, url: String) {
        let fetched = try await fetch(url, ownHost: ownHost)
        let page = await Task.detached { ArticlePage(html: fetched.html, address: fetched.url) }.value
        return (page, fetched.url)
    }

    /// The maximum number of pages that form one article.
    private static let maximumPages = 10

    /// Fetches the full text of a page and its continuation pages. The text is empty if the page has none.
    package func fullText(_ url: String, ownHost: String?) async throws(Failure) -> FullText {
        let first = try await article(url, ownHost: ownHost)
        var html = first.page.isReadable ? first.page.content ?? "" : ""
        var next = html.isEmpty ? nil : first.page.nextPage
        var seen: Set<String> = [url, first.url]
        var count = 1
        while let address = next, count < PageService.maximumPages, seen.insert(address).inserted {
            count += 1
            guard let more = try? await article(address, ownHost: ownHost), more.page.isReadable else { break }
            html += more.page.content ?? ""
            next = more.page.nextPage
        }
        return FullText(html: html, date: first.page.published?.text)
    }

    /// Fetches a page to save for reading later.
    package func savedPage(_ url: String, ownHost: String?) async throws(Failure) -> SavedPage {
        let (page, address) = try await article(url, ownHost: ownHost)
        let html = page.isReadable ? page.content : nil
        return SavedPage(
            url: address, title: page.title.isEmpty ? address : page.title, author: page.byline, html: html,
            date: page.published?.text)
    }

    /// File name extensions of documents that are not web pages.
    private static let fileTypes: Set<String> = [
        "mp3", "m4a", "ogg", "oga", "opus", "flac", "wav", "mp4", "m4v", "webm", "mkv", "mov", "pdf", "zip", "gz",
        "epub", "jpg",
        "jpeg", "png", "gif", "webp", "svg", "torrent", "exe", "dmg", "iso",
    ]

    /// Whether an address may be a web page: it has a web scheme, and no extension of another file type.
    package static func mayBePage(_ url: String) -> Bool {
        guard WebAddress.isWeb(url) else { return false }
        let name = WrittenAddress.lastComponent(of: url)
        guard name.contains("."), let end = name.split(separator: ".").last else { return true }
        return !fileTypes.contains(end.lowercased())
    }
}
