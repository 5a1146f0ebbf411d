/// A search folder in Liferea's `feedlist.opml`: an outline of type `vfolder` with a rule in each outline below.
struct LifereaFolder {
    var name: String
    /// Whether one rule suffices.
    var matchesAny: Bool
    private var terms: [String] = []
    private var unknown: String?

    init(name: String, matchType: String?) {
        self.name = name
        matchesAny = matchType?.lowercased() != "all"
    }

    mutating func add(rule: String, value: String, isAdditive: Bool) {
        let text = ListedQuery.quoted(value)
        let term: String? =
            switch rule.lowercased() {
            case "exact": text
            case "exact_title": "title:" + text
            case "exact_desc": "text:" + text
            case "exact_author", "author": "author:" + text
            case "feed_title", "feed_source": "feed:" + text
            case "parent_folder": "folder:" + text
            case "category": "tag:" + text
            case "unread": "is:unread"
            case "flagged": "is:starred"
            case "podcast", "enclosure": "has:audio"
            default: nil
            }
        guard let term else {
            unknown = unknown ?? rule
            return
        }
        terms.append(isAdditive ? term : "-" + term)
    }

    /// The search, or why there is none.
    var search: Result<ListedQuery, LifereaFolder.Problem> {
        if let unknown { return .failure(Problem(description: "tappa has no equivalent of its rule '\(unknown)'")) }
        guard !terms.isEmpty else { return .failure(Problem(description: "it has no rules")) }
        return .success(ListedQuery(name: name, query: terms.joined(separator: matchesAny ? " or " : " ")))
    }

    struct Problem: Error {
        var description: String
    }
}
