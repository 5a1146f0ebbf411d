extension String {
    /// The string without white space at both ends.
    var trimmingBlanks: String {
        let bytes = utf8
        guard let first = bytes.first, let last = bytes.last else { return self }
        if !FeedParser.isBlank(first), !FeedParser.isBlank(last) { return self }
        guard let start = bytes.firstIndex(where: { !FeedParser.isBlank($0) }),
            let end = bytes.lastIndex(where: { !FeedParser.isBlank($0) })
        else { return "" }
        return String(self[start...end])
    }

    /// The string, or `nil` if it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}
