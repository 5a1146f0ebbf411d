/// A page that is saved for reading later and doesn't belong to a feed.
package struct SavedPage: Codable, Hashable, Sendable {
    var url: String
    package var title: String
    var author: String?
    /// The HTML of the article, or `nil` if tappa found none.
    package var html: String?
    /// The publication date as written on the page.
    var date: String?

    /// The pseudo address of the subscription for saved pages, which is never fetched.
    package static let subscription = "tappa:saved"
}
