import Fetching

extension FetchRequest {
    /// A request for an address that the user typed.
    init(url: String, etag: String? = nil, lastModified: String? = nil, headers: [String] = []) {
        self.init(url: url, allowsPrivateHost: true, etag: etag, lastModified: lastModified, headers: headers)
    }
}
