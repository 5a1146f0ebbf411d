import FeedParsing

/// The number of entries that storing a feed has added and updated.
package struct StoredChanges: Hashable, Sendable {
    /// The number of new entries.
    package var added = 0
    /// The number of entries with a new title or content. Their read marks don't change.
    package var updated = 0

    package init(added: Int = 0, updated: Int = 0) {
        self.added = added
        self.updated = updated
    }
}

/// The result of fetching a document: its validators, schedule and problems.
package struct FetchRecord: Hashable, Sendable {
    var etag: String?
    var lastModified: String?
    /// The new address of the feed after permanent redirects.
    var permanentURL: String?
    /// The address to which the document asks readers to move, if it is another one.
    var announcedAddress: String?
    /// Until then the document is valid, or `nil` if it doesn't say.
    var nextFetch: Instant?
    /// The number of minutes between fetches that the document asks for.
    var timeToLive: Int?
    /// When the document asks not to be fetched.
    var skippedTimes = SkippedTimes()
    /// The problems of a document that tappa could still parse, as sentences.
    var problems: [String] = []
    /// The reason why the document is incomplete, which counts as a failure, or `nil`.
    var failure: String?
    /// Whether the document may lack entries of the feed.
    var isCut = false
    var date: Instant

    /// The maximum number of problems to store for a document. More would not help the user.
    private static let maximumProblems = 20

    /// The problems for the database, one on each line.
    var keptProblems: String? {
        guard !problems.isEmpty else { return nil }
        let lines = problems.prefix(FetchRecord.maximumProblems).map { StoredEntry.limited($0, to: 300) }
        return lines.map { $0.replacing("\n", with: " ") }.joined(separator: "\n")
    }

    package init(
        etag: String? = nil, lastModified: String? = nil, permanentURL: String? = nil, nextFetch: Instant? = nil,
        date: Instant
    ) {
        self.etag = etag
        self.lastModified = lastModified
        self.permanentURL = permanentURL
        self.nextFetch = nextFetch
        self.date = date
    }
}
