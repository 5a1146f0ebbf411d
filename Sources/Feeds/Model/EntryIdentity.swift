import LibraryKernel

/// Decides which entries of a document are the same, and which of them the library has already.
///
/// An identifier counts as long as the feed uses it for one entry only. Otherwise link and title identify an entry, then
/// title and date, then the text.
enum EntryIdentity {
    // MARK: Within a document

    struct Place: Hashable {
        /// The index of the entry that represents it: the newest of those that are the same.
        var index: Int
        /// Whether another entry has the same identifier.
        var sharesID = false
    }

    static func places(in document: [EntryFacts]) -> [Place] {
        var groups: [String: [Int]] = [:]
        for (index, entry) in document.enumerated() { groups[entry.id, default: []].append(index) }
        var places = document.indices.map { Place(index: $0) }
        for group in groups.values where group.count > 1 {
            var first: [Key: Int] = [:]
            for index in group {
                let keys = EntryIdentity.keys(of: document[index])
                places[index].index = keys.lazy.compactMap { first[$0] }.first ?? index
                for key in keys where first[key] == nil { first[key] = places[index].index }
            }
            let sharesID = Set(group.map { places[$0].index }).count > 1
            var newest: [Int: Int] = [:]
            for index in group {
                let best = newest[places[index].index] ?? index
                newest[places[index].index] = document[index].isNewer(than: document[best]) ? index : best
            }
            for index in group {
                places[index] = Place(index: newest[places[index].index] ?? index, sharesID: sharesID)
            }
        }
        return places
    }

    /// Facts that identify an entry among those with the same identifier.
    private struct Key: Hashable {
        var page: String?
        var title: String?
        var date: Instant?
        var content: Int64?
    }

    private static func keys(of entry: EntryFacts) -> [Key] {
        let title = entry.hasTitle ? entry.title : nil
        var keys: [Key] = []
        if let page = entry.page {
            keys.append(Key(page: page, title: title, content: title == nil ? entry.content : nil))
        } else if let title, let date = entry.date {
            keys.append(Key(title: title, date: date))
        } else {
            keys.append(Key(title: title, date: entry.date, content: entry.content))
        }
        // Neither another title nor another link alone makes another entry.
        if let date = entry.date, let content = entry.content {
            keys.append(Key(page: entry.page ?? "", date: date, content: content))
            if let title { keys.append(Key(title: title, date: date, content: content)) }
        }
        return keys
    }

    // MARK: In the library

    /// How much speaks for two entries being the same, in ascending order.
    private enum Evidence: Int, CaseIterable {
        case identifierAlone, sharedIdentifier, titleAndDate, pageAndTitle, similarIdentifier, identifier, everything
    }

    /// Returns for each entry the index of the stored entry that it continues, or `nil` if it is new.
    ///
    /// - Parameters:
    ///   - entries: Entries of a document, each once.
    ///   - others: Returns the document's other entries, whose counterparts are known.
    static func counterparts(
        of entries: [EntryFacts], in stored: [EntryFacts], besides others: () -> [EntryFacts] = { [] }
    ) -> [Int?] {
        var result = [Int?](repeating: nil, count: entries.count)
        guard !stored.isEmpty else { return result }
        let document = entries + others()
        let (counts, ids) = (Counts(document), Set(document.map(\.id)))
        let (places, shared) = (Places(stored), Set(stored.lazy.filter(\.sharesID).map(\.id)))
        var matches: [(evidence: Evidence, entry: Int, stored: Int)] = []
        for (index, entry) in entries.enumerated() {
            var entry = entry
            entry.sharesID = entry.sharesID || shared.contains(entry.id)
            for place in places.of(entry) {
                guard let evidence = evidence(entry, stored[place], counts) else { continue }
                matches.append((evidence, index, place))
            }
        }
        matches.sort { ($1.evidence.rawValue, $0.entry, $0.stored) < ($0.evidence.rawValue, $1.entry, $1.stored) }
        var taken: Set<Int> = []
        // Whether the feed gives identifiers to other entries, such as their places in the document.
        var hasMoved = false
        for match in matches where result[match.entry] == nil && !taken.contains(match.stored) {
            if match.evidence == .identifierAlone, hasMoved { continue }
            taken.insert(match.stored)
            result[match.entry] = match.stored
            let former = stored[match.stored].id
            if former != entries[match.entry].id, ids.contains(former) { hasMoved = true }
        }
        return result
    }

    /// The indices of stored entries by the facts that they have in common with others, so that not every entry is
    /// compared with all of them.
    private struct Places {
        private var ids: [String: [Int]] = [:]
        private var pages: [String: [Int]] = [:]
        private var titles: [Key: [Int]] = [:]

        init(_ stored: [EntryFacts]) {
            for (index, entry) in stored.enumerated() {
                ids[entry.normalizedID, default: []].append(index)
                if let page = entry.page { pages[page, default: []].append(index) }
                if let date = entry.date { titles[Key(title: entry.title, date: date), default: []].append(index) }
            }
        }

        func of(_ entry: EntryFacts) -> Set<Int> {
            Set(ids[entry.normalizedID] ?? []).union(entry.page.flatMap { pages[$0] } ?? [])
                .union(entry.date.flatMap { titles[Key(title: entry.title, date: $0)] } ?? [])
        }
    }

    /// The number of entries of a document with the same page, and with the same page and title.
    private struct Counts {
        private var pages: [String: Int] = [:]
        private var pairs: [Key: Int] = [:]

        init(_ entries: [EntryFacts]) {
            for entry in entries {
                guard let page = entry.page else { continue }
                pages[page, default: 0] += 1
                pairs[Key(page: page, title: entry.title), default: 0] += 1
            }
        }

        func isOnlyOne(on page: String?) -> Bool { page.map { pages[$0] == 1 } ?? false }
        func isOnlyOne(on page: String?, _ title: String) -> Bool { pairs[Key(page: page, title: title)] == 1 }
    }

    private static func evidence(_ entry: EntryFacts, _ stored: EntryFacts, _ counts: Counts) -> Evidence? {
        let page = entry.page != nil && entry.page == stored.page
        let title = entry.title == stored.title
        let date = entry.date != nil && entry.date == stored.date
        let content = entry.content != nil && entry.content == stored.content
        let id = entry.id == stored.id
        let isShared = entry.sharesID || stored.sharesID
        if page, title, date || content && entry.hasOwnPage || id && isShared { return .everything }
        if id, !isShared, page || title || content { return .identifier }
        if page || title || date || content {
            if !id, !isShared, entry.normalizedID == stored.normalizedID { return .similarIdentifier }
        }
        if page, entry.hasOwnPage,
            title && counts.isOnlyOne(on: entry.page, entry.title)
                || date && counts.isOnlyOne(on: entry.page)
        {
            return .pageAndTitle
        }
        if title, date,
            content || entry.page == nil || stored.page == nil || entry.path != nil && entry.path == stored.path
        {
            return .titleAndDate
        }
        guard id else { return nil }
        if isShared { return date && (page || content) || page && content ? .sharedIdentifier : nil }
        return .identifierAlone
    }
}
