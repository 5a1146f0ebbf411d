import FeedParsing

/// A feed to follow.
package struct NewSubscription: Codable, Hashable, Sendable {
    package var url: String
    /// The name to show until the feed provides its own title.
    package var title: String?
    /// The name that the user chose.
    package var customTitle: String?
    package var folder: String?
    var homePage: String?
    package var tags: [String] = []
    /// The header lines of requests for the feed.
    package var headers: [String] = []
    /// The account whose server follows the feed, or `nil` if tappa fetches it itself.
    package var account: AccountID?
    /// Whether the user explicitly allowed the address to run a program (`exec:`, `filter:`).
    ///
    /// Without this permission, tappa doesn't follow such an address.
    package var runsProgram: Bool?
    var options: SubscriptionOptions?

    package init(
        url: String, title: String? = nil, customTitle: String? = nil, folder: String? = nil, homePage: String? = nil,
        tags: [String] = [], headers: [String] = []
    ) {
        self.url = url
        self.title = title
        self.customTitle = customTitle
        self.folder = folder
        self.homePage = homePage
        self.tags = tags
        self.headers = headers
    }

    package init(_ listed: ListedSubscription) {
        self.init(
            url: listed.url, customTitle: listed.title, folder: listed.folder, homePage: listed.homePage,
            tags: listed.tags)
        if listed.isHidden {
            var options = SubscriptionOptions()
            options.isHidden = true
            options.isUncounted = true
            self.options = options
        }
    }
}
