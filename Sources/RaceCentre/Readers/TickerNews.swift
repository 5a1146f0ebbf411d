import Platform

/// A message of the ticker.
struct TickerNews: Hashable, Sendable {
    var id: String
    /// The instant, and the offset of local time from UTC in seconds.
    var at: Instant
    var offset: Int
    var title: String?
    /// The text without markup.
    var text: String?
    /// What happened: `attack`, `breakaway`, `fall`, `winner_victory` … or another word of the race centre.
    var kind: String?
    /// Whether the race centre marks the message as important.
    var isHighlight: Bool

    var line: String {
        guard let title, let text else { return title ?? text ?? "" }
        return title.hasSuffix(".") || title.hasSuffix("!") || title.hasSuffix("?") || title.hasSuffix("…")
            ? "\(title) \(text)" : "\(title). \(text)"
    }

    /// Reads the messages of a ticker, the earliest first. Pictures, videos and posts of other sites are left out.
    static func read(_ body: [UInt8], bind: String) throws(CentreFailure) -> [TickerNews] {
        let news = try CentreRecords(body).wanted(bind).reading(atMost: RaceBounds.lines) { TickerNews($0) }
        return merged(news, into: [])
    }

    private init?(_ record: JSONNode) {
        guard record["model"]?.text(upTo: 40) == "news", record["type"]?.text(upTo: 40) == "liv",
            let date = record["publicationAt"]?.text(upTo: 40).flatMap({ CentreTime.instant($0) }),
            let id = record.identifier("_id") ?? record["id"]?.whole.map({ String($0) })
        else { return nil }
        self.id = id
        (at, offset) = (date.instant, date.offset)
        title = record["title"]?.text(upTo: 500).map { PlainText.text(ofHTML: $0, upTo: 500) }
        let parts = JSONItems.of(record["text"]).prefix(10).compactMap { $0.text(upTo: 8000) }
        let html = parts.isEmpty ? record["text"]?.text(upTo: 8000) : parts.joined(separator: " ")
        text = html.map { PlainText.text(ofHTML: $0, upTo: 3000) }.flatMap { $0.isEmpty ? nil : $0 }
        if title?.isEmpty == true { title = nil }
        guard title != nil || text != nil else { return nil }
        let picto = record["picto"]?.text(upTo: 60)
        kind = picto.map { $0.hasPrefix("liv_") ? String($0.dropFirst(4)) : $0 }.flatMap { $0.isEmpty ? nil : $0 }
        isHighlight = record["highlight"]?.bool ?? false
    }

    /// Returns the messages of a ticker with those of a newer response, the earliest first. Each message is in it once.
    static func merged(_ new: [TickerNews], into old: [TickerNews]) -> [TickerNews] {
        var seen: Set<String> = []
        return Array(
            (new + old).filter { seen.insert($0.id).inserted }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
                .suffix(RaceBounds.lines))
    }
}
