import FeedParsing

/// A feed in its stored form, prepared before the transaction.
///
/// Work outside the transaction doesn't delay other changes.
package struct PreparedFeed: Sendable {
    let title: String?
    let homePage: String?
    let record: FetchRecord
    package private(set) var entries: [StoredEntry]
    /// What is wrong with the identifiers of the feed.
    let problems: [FeedProblem]

    /// - Parameters:
    ///   - compressing: Whether to compress all texts, because all entries are new. Otherwise only texts that are
    ///     stored are compressed (``PreparedEntries``).
    ///   - hasFixedIDs: Whether another program or a server identifies the entries, so that each counts as it is.
    package init(_ feed: ParsedFeed, record: FetchRecord, compressing: Bool = false, hasFixedIDs: Bool = false) {
        title = feed.title.map { StoredEntry.limited($0, to: 4 << 10) }
        homePage = feed.homePage
        let parsed = feed.entries.filter { !$0.isStump }
        let entries = parsed.map {
            StoredEntry($0, of: feed, now: record.date, compressing: compressing, hasFixedID: hasFixedIDs)
        }
        (self.entries, problems) = hasFixedIDs ? (entries, []) : PreparedFeed.distinct(entries, of: parsed)
        var record = record
        record.problems += problems.map(\.description)
        self.record = record
    }

    /// Returns each entry once and with an identifier of its own, and what is wrong with those of the feed.
    private static func distinct(
        _ entries: [StoredEntry], of parsed: [ParsedEntry]
    ) -> ([StoredEntry], [FeedProblem]) {
        var (seen, repeatedIDs): (Set<String>, Set<String>) = ([], [])
        seen.reserveCapacity(entries.count)
        for entry in entries where !seen.insert(entry.guid).inserted { repeatedIDs.insert(entry.guid) }
        guard !repeatedIDs.isEmpty else { return (entries, []) }
        let repeated = entries.indices.filter { repeatedIDs.contains(entries[$0].guid) }
        let facts = repeated.map { EntryFacts(entries[$0], home: nil) }
        var own = entries.map(Optional.some)
        var (sharing, ids): (Int, Set<String>) = (0, [])
        var (withoutID, links): (Int, Set<String>) = (0, [])
        for (number, place) in EntryIdentity.places(in: facts).enumerated() {
            let (index, facts) = (repeated[number], facts[number])
            guard place.index == number else {
                own[index] = nil
                continue
            }
            guard place.sharesID else { continue }
            own[index] = StoredEntry(entries[index], guid: facts.distinctGUID)
            if parsed[index].id != nil {
                sharing += 1
                ids.insert(facts.id)
            } else {
                withoutID += 1
                links.insert(facts.id)
            }
        }
        var problems: [FeedProblem] = []
        if sharing > 0 {
            problems.append(
                FeedProblem("\(sharing.counted("entry", "entries")) share \(PreparedFeed.one(ids.count, "id"))"))
        }
        if withoutID > 0 {
            problems.append(
                FeedProblem(
                    "\(withoutID.counted("entry", "entries")) without an id share \(PreparedFeed.one(links.count, "link"))"
                ))
        }
        return (own.compactMap(\.self), problems)
    }

    private static func one(_ count: Int, _ noun: String) -> String {
        count == 1 ? "one \(noun)" : count.counted(noun)
    }

    /// Returns the same feed with other entries.
    package func with(_ entries: [StoredEntry]) -> PreparedFeed {
        var feed = self
        feed.entries = entries
        return feed
    }
}
