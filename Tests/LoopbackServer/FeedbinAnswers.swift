import Foundation

/// Feedbin's API, version 2. A feed and the subscription to it have different numbers.
extension ReaderServer.State {
    mutating func answerFeedbin(
        _ path: String, _ query: [(String, String)], _ request: LoopbackServer.Request
    ) -> Answer {
        guard path.hasPrefix("/v2/"), path.hasSuffix(".json") else { return .init(404) }
        guard request.headers["authorization"] == basic else {
            return .init(401, body: Array("HTTP Basic: Access denied.".utf8))
        }
        if isSwitchedOff { return .init(503) }
        if request.method == "POST", request.headers["content-type"] != "application/json; charset=utf-8" {
            return .init(415)
        }
        let body = request.json
        switch (request.method, String(path.dropFirst(4).dropLast(5))) {
        case ("GET", "subscriptions"): return .json(feeds.map(feedbinFeed))
        case ("GET", "taggings"): return .json(taggings)
        case ("GET", "unread_entries"): return numbers { !$0.isRead }
        case ("GET", "starred_entries"): return numbers(\.isStarred)
        case ("GET", "entries"): return feedbinEntries(Dictionary(query) { _, last in last })
        case ("POST", "unread_entries"): return mark(request, "unread_entries") { $0.isRead = false }
        case ("POST", "unread_entries/delete"): return mark(request, "unread_entries") { $0.isRead = true }
        case ("POST", "starred_entries"): return mark(request, "starred_entries") { $0.isStarred = true }
        case ("POST", "starred_entries/delete"): return mark(request, "starred_entries") { $0.isStarred = false }
        case ("POST", "subscriptions"): return follow(body["feed_url"] as? String ?? "")
        case ("POST", "taggings"):
            guard let index = feeds.firstIndex(where: { $0.number == body["feed_id"] as? Int }) else {
                return .init(404)
            }
            feeds[index].labels.append(body["name"] as? String ?? "")
            return .json(["id": 1], status: 201)
        case (let method, let rest): return changeFeedbin(method, rest.split(separator: "/").map(String.init), body)
        }
    }

    private mutating func changeFeedbin(_ method: String, _ parts: [String], _ body: [String: Any]) -> Answer {
        let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        if parts.first == "taggings", method == "DELETE" {
            guard let index = feeds.firstIndex(where: { $0.number == number / 100 }) else { return .init(403) }
            if number % 100 == 0 {
                feeds[index].folder = "Uncategorized"
            } else {
                feeds[index].labels.remove(at: number % 100 - 1)
            }
            return .init(204)
        }
        guard parts.first == "subscriptions", let index = feeds.firstIndex(where: { $0.number == number - 1000 }) else {
            return .init(403)
        }
        if method == "DELETE" {
            removeFeed(at: index)
            return .init(204)
        }
        feeds[index].title = body["title"] as? String ?? ""
        return .json(feedbinFeed(feeds[index]))
    }

    private func feedbinFeed(_ feed: ReaderServer.Feed) -> [String: Any] {
        [
            "id": feed.number + 1000, "feed_id": feed.number, "title": feed.title, "feed_url": feed.url,
            "site_url": "https://example.org/", "created_at": "2013-03-12T11:30:25.209432Z",
        ]
    }

    private var taggings: [[String: Any]] {
        feeds.flatMap { feed in
            ([feed.folder] + feed.labels).enumerated().filter { $0.element != "Uncategorized" }.map {
                ["id": feed.number * 100 + $0.offset, "feed_id": feed.number, "name": $0.element] as [String: Any]
            }
        }
    }

    private mutating func follow(_ url: String) -> Answer {
        if refusesFeeds { return .json(["status": 404], status: 404) }
        if let known = feeds.first(where: { $0.url == url }) {
            return .json(feedbinFeed(known), status: 302, headers: ["Location": "/v2/x.json"])
        }
        addFeed(url, url: url, folder: "Uncategorized")
        return .json(feedbinFeed(feeds[feeds.count - 1]), status: 201)
    }

    private func numbers(_ isIncluded: (ReaderServer.Entry) -> Bool) -> Answer {
        .json(entries.values.filter(isIncluded).map(\.id).sorted())
    }

    private mutating func mark(
        _ request: LoopbackServer.Request, _ name: String, _ change: (inout ReaderServer.Entry) -> Void
    ) -> Answer {
        let known = request.numbers(name).prefix(1000).filter { entries[$0] != nil }
        for id in known where !traps.contains(.forgetsMarks) {
            if var entry = entries[id] {
                change(&entry)
                entries[id] = entry
            }
        }
        return .json(Array(known))
    }

    private func feedbinEntries(_ query: [String: String]) -> Answer {
        let ids = (query["ids"] ?? "").split(separator: ",").compactMap { Int64($0) }.prefix(100)
        let size = traps.contains(.smallPages) ? 7 : 100
        let page = query["page"].flatMap { Int($0) } ?? 1
        let all = found(Array(ids))
        let items = all.dropFirst((page - 1) * size).prefix(size).map { entry in
            [
                "id": entry.id, "feed_id": entry.feed, "title": entry.title, "url": entry.link, "author": "Somebody",
                "content": entry.html, "summary": "", "published": Self.date(entry.id / 1_000_000),
            ] as [String: Any]
        }
        var headers: [String: String] = [:]
        if all.count > page * size {
            let next = "https://api.example/v2/entries.json?ids=\(query["ids"] ?? "")&page=\(page + 1)"
            headers["Links"] = "<\(next)>; rel=\"next\", <\(next)>; rel=\"last\""
        }
        return .json(Array(items), headers: headers)
    }
}
