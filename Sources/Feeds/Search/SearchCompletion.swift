import LibraryKernel

/// Completions for a query while it is typed: fields, and values of fields with few values.
package struct SearchCompletion: Sendable {
    /// A possible completion of a word.
    package struct Candidate: Hashable, Sendable {
        /// The whole query with the completion.
        package var text: String
        /// The completed word.
        package var word: String
    }

    private let values: [String: [String]]
    private static let maximum = 30

    /// - Parameters:
    ///   - feeds: The names of the feeds.
    ///   - folders: The folders.
    ///   - tags: The tags of feeds and entries.
    init(feeds: [String], folders: [String], tags: [String]) {
        values = [
            "feed": feeds, "folder": folders, "tag": tags,
            "is": ["unread", "read", "starred", "later", "archived"],
            "has": IndexedPart.names, "age": ["<1d", "<7d", "<30d", ">7d"],
            "length": ["<5m", ">20m"], "read": ["<1d", "<7d"], "date": ["today", "yesterday"],
            "after": ["today", "yesterday"],
            "before": ["today", "yesterday"],
        ]
    }

    /// Returns the completions of the last word in a text.
    package func candidates(for text: String) -> [Candidate] {
        var start = text.startIndex
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if !isQuoted, text[index].isWhitespace || text[index] == "(" { start = text.index(after: index) }
        }
        var before = String(text[..<start])
        var word = text[start...]
        if word.first == "-" {
            before += "-"
            word = word.dropFirst()
        }
        guard let colon = word.firstIndex(of: ":") else {
            guard !word.isEmpty else { return [] }
            return SearchParser.fieldNames.filter { $0.hasPrefix(word.lowercased()) }.map { field in
                Candidate(text: before + field + ":", word: field + ":")
            }
        }
        let field = word[..<colon].lowercased()
        let typed = word[word.index(after: colon)...].filter { $0 != "\"" }.lowercased()
        let own = (values[field] ?? []).filter { typed.isEmpty || $0.lowercased().contains(typed) }
        // Prefix matches come first.
        let sorted = own.filter { $0.lowercased().hasPrefix(typed) } + own.filter { !$0.lowercased().hasPrefix(typed) }
        return sorted.filter { $0.lowercased() != typed }.prefix(SearchCompletion.maximum).map { value in
            let isPlain = !value.unicodeScalars.contains {
                $0.properties.isWhitespace || "()\"".unicodeScalars.contains($0)
            }
            let written = isPlain ? value : SearchQuery.quoted(value)
            return Candidate(text: before + field + ":" + written, word: value)
        }
    }
}

extension SearchStore {
    /// Returns the completions for this library.
    package func completion() throws(LibraryError) -> SearchCompletion {
        let feeds = FeedStore(store: store)
        let names = try feeds.foldersAndTags()
        let entries = try feeds.tagRows().entries.keys
        return SearchCompletion(
            feeds: try feeds.all().map(\.title), folders: names.folders,
            tags: Array(Set(names.tags).union(entries)).sorted())
    }
}
