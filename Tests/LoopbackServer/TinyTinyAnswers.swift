import Foundation

extension LoopbackServer.Answer {
    fileprivate static func content(_ value: Any) -> LoopbackServer.Answer {
        .json(["seq": 0, "status": 0, "content": value])
    }

    fileprivate static func failure(_ reason: String) -> LoopbackServer.Answer {
        .json(["seq": 0, "status": 1, "content": ["error": reason]])
    }
}

/// Tiny Tiny RSS's JSON API.
extension ReaderServer.State {
    mutating func answerTinyTiny(_ path: String, _ request: LoopbackServer.Request) -> Answer {
        guard path == ReaderServer.API.ttrss.path else { return .init(404) }
        let body = request.json
        let operation = body["op"] as? String ?? ""
        if operation == "login" {
            if isSwitchedOff { return .failure("API_DISABLED") }
            guard body["password"] as? String == password else { return .failure("LOGIN_ERROR") }
            logins += 1
            authorizations.insert("session\(logins)")
            return .content(["session_id": "session\(logins)", "api_level": 23] as [String: Any])
        }
        guard authorizations.contains(body["sid"] as? String ?? "") else { return .failure("NOT_LOGGED_IN") }
        switch operation {
        case "getFeeds":
            return .content(
                feeds.map { feed in
                    [
                        "id": feed.number, "title": feed.title, "feed_url": feed.url,
                        "cat_id": (folders.firstIndex(of: feed.folder) ?? -1) + 1, "unread": 0, "has_icon": false,
                    ] as [String: Any]
                })
        case "getCategories":
            let own = folders.enumerated().map { ["id": $0.offset + 1, "title": $0.element] as [String: Any] }
            return .content(own + [["id": 0, "title": "Uncategorized"]])
        case "getHeadlines": return headlines(body)
        case "getArticle":
            let ids = (body["article_id"] as? String ?? "").split(separator: ",").compactMap { Int64($0) }
            return .content(found(ids).map(article))
        case "getLabels":
            let list = labels.sorted().enumerated()
            return .content(
                list.map { ["id": -1025 - $0.offset, "caption": $0.element, "checked": false] as [String: Any] })
        default: return change(operation, body)
        }
    }

    private mutating func change(_ operation: String, _ body: [String: Any]) -> Answer {
        let ids = (body["article_ids"] as? String ?? "").split(separator: ",").compactMap { Int64($0) }
        switch operation {
        case "updateArticle":
            for id in ids where !traps.contains(.forgetsMarks) {
                let value = body["mode"] as? Int == 1
                if body["field"] as? Int == 0 { entries[id]?.isStarred = value } else { entries[id]?.isRead = !value }
            }
        case "setArticleLabel":
            let index = -1025 - (body["label_id"] as? Int ?? 0)
            guard labels.indices.count > index, index >= 0 else { break }
            let label = labels.sorted()[index]
            for id in ids {
                if body["assign"] as? Bool == true {
                    entries[id]?.labels.insert(label)
                } else {
                    entries[id]?.labels.remove(label)
                }
            }
        case "subscribeToFeed":
            guard let url = body["feed_url"] as? String, !refusesFeeds else {
                return .content(["status": ["code": 3]])
            }
            let isNew = !feeds.contains { $0.url == url }
            return .content(["status": ["code": isNew ? 1 : 0, "feed_id": subscribe(to: url)]])
        case "unsubscribeFeed":
            guard let index = feeds.firstIndex(where: { $0.number == body["feed_id"] as? Int }) else {
                return .failure("E_OPERATION_FAILED")
            }
            removeFeed(at: index)
        default: return .failure("UNKNOWN_METHOD")
        }
        return .content(["status": "OK", "updated": ids.count] as [String: Any])
    }

    private func headlines(_ body: [String: Any]) -> Answer {
        var list = entries.values.sorted { $0.id > $1.id }
        let feed = body["feed_id"] as? Int ?? 0
        if feed == -1 { list.removeAll { !$0.isStarred } }
        if feed < -1024 {
            let label = labels.sorted()[-1025 - feed]
            list.removeAll { !$0.labels.contains(label) }
        }
        if body["view_mode"] as? String == "unread" { list.removeAll(where: \.isRead) }
        let limit = min(body["limit"] as? Int ?? 200, traps.contains(.smallPages) ? 60 : 200)
        let page = list.dropFirst(body["skip"] as? Int ?? 0).prefix(limit)
        return .content(
            page.map {
                ["id": $0.id, "unread": !$0.isRead, "marked": $0.isStarred, "title": $0.title, "labels": [Any]()]
                    as [String: Any]
            })
    }

    private func article(_ entry: ReaderServer.Entry) -> [String: Any] {
        [
            "id": entry.id, "guid": entry.link, "title": entry.title, "link": entry.link, "author": "Somebody",
            "unread": !entry.isRead, "marked": entry.isStarred, "updated": entry.id / 1_000_000,
            "feed_id": String(entry.feed), "content": entry.html, "attachments": [Any](), "labels": [Any](),
        ]
    }
}
