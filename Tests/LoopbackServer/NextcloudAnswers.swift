import Foundation

/// The API of Nextcloud's News app, version 1.3.
extension ReaderServer.State {
    mutating func answerNextcloud(
        _ path: String, _ query: [(String, String)], _ request: LoopbackServer.Request
    ) -> Answer {
        let base = ReaderServer.API.nextcloud.path
        guard path.hasPrefix(base + "/") else { return .init("<html>Page not found</html>", type: "text/html") }
        guard request.headers["authorization"] == basic else {
            return .json(["message": "Current user is not logged in"], status: 401)
        }
        if isSwitchedOff { return .init(503, headers: ["Retry-After": "120", "X-Nextcloud-Maintenance-Mode": "1"]) }
        let body = request.json
        let values = Dictionary(query) { _, last in last }
        let parts = path.dropFirst(base.count + 1).split(separator: "/").map(String.init)
        switch (request.method, parts[0], parts.count) {
        case ("GET", "version", 1): return .json(["version": "28.4.0"])
        case ("GET", "feeds", 1):
            return .json(["feeds": feeds.map(nextcloudFeed), "starredCount": 0])
        case ("GET", "folders", 1): return folderList(folders)
        case ("POST", "folders", 1):
            guard let name = body["name"] as? String, !folders.contains(name) else {
                return .json(["message": "Name exists"], status: 409)
            }
            folders.append(name)
            return folderList([name])
        case ("GET", "items", 1), ("GET", "items", 2): return nextcloudItems(values, isUpdate: parts.count == 2)
        case ("POST", "items", 3): return markItems(parts[1], request.numbers("itemIds"))
        case ("POST", "feeds", 1):
            guard let url = body["url"] as? String, !refusesFeeds else {
                return .json(["message": "This feed cannot be read"], status: 422)
            }
            guard !feeds.contains(where: { $0.url == url }) else {
                return .json(["message": "Feed exists already"], status: 409)
            }
            addFeed(url, url: url, folder: "Uncategorized")
            return .json(["feeds": feeds.suffix(1).map(nextcloudFeed)])
        default:
            guard parts[0] == "feeds", let index = feeds.firstIndex(where: { String($0.number) == parts[1] }) else {
                return .json(["message": "Feed does not exist"], status: 404)
            }
            return changeFeed(index, request.method == "DELETE" ? "delete" : parts.last ?? "", body)
        }
    }

    /// The authorization of the user.
    var basic: String { "Basic " + Data("alice:\(password)".utf8).base64EncodedString() }

    private func folderList(_ names: [String]) -> Answer {
        .json([
            "folders": names.map { ["id": (folders.firstIndex(of: $0) ?? 0) + 1, "name": $0] as [String: Any] }
        ])
    }

    private func nextcloudFeed(_ feed: ReaderServer.Feed) -> [String: Any] {
        [
            "id": feed.number, "url": feed.url, "title": feed.title, "link": "https://example.org/", "pinned": false,
            "folderId": folders.firstIndex(of: feed.folder).map { $0 + 1 as Any } ?? NSNull(),
            "lastUpdateError": NSNull(),
        ]
    }

    private mutating func changeFeed(_ index: Int, _ change: String, _ body: [String: Any]) -> Answer {
        switch change {
        case "delete": removeFeed(at: index)
        case "rename": feeds[index].title = body["feedTitle"] as? String ?? ""
        default: feeds[index].folder = (body["folderId"] as? Int).map { folders[$0 - 1] } ?? "Uncategorized"
        }
        return .init("[]", type: "application/json")
    }

    private mutating func markItems(_ mark: String, _ ids: [Int64]) -> Answer {
        guard refusesMarks.isDisjoint(with: ids) else { return .json(["message": "Conflict"], status: 409) }
        for id in ids where entries[id] != nil {
            if mark.hasSuffix("read") { entries[id]?.isRead = mark == "read" }
            if mark.hasSuffix("star") { entries[id]?.isStarred = mark == "star" }
            entries[id]?.changedAt = now
        }
        return .init("null", type: "application/json")
    }

    private func nextcloudItems(_ query: [String: String], isUpdate: Bool) -> Answer {
        var list = entries.values.sorted { $0.id > $1.id }
        if isUpdate {
            let since = query["lastModified"].flatMap { Int64($0) } ?? 0
            list.removeAll { $0.changedAt < since }
        } else {
            if query["type"] == "2" { list.removeAll { !$0.isStarred } }
            if query["getRead"] == "false" { list.removeAll(where: \.isRead) }
            let offset = query["offset"].flatMap { Int64($0) } ?? 0
            if offset > 0 { list.removeAll { $0.id >= offset } }
            let size = query["batchSize"].flatMap { Int($0) } ?? -1
            if size >= 0 { list = Array(list.prefix(size)) }
        }
        let items = list.map { entry in
            [
                "id": entry.id, "guid": entry.link, "url": entry.link, "title": entry.title, "author": "Somebody",
                "pubDate": entry.id / 1_000_000, "body": entry.html, "enclosureMime": NSNull(),
                "enclosureLink": NSNull(), "feedId": entry.feed, "unread": !entry.isRead, "starred": entry.isStarred,
                "lastModified": "\(entry.changedAt)123456",
            ] as [String: Any]
        }
        return .json(["items": items], headers: ["Date": Self.httpDate(now)])
    }
}
