import Foundation

/// The Fever API (https://feedafever.com/api), with the types of FreshRSS's answers: identifiers as texts and numbers.
extension ReaderServer.State {
    /// The MD5 digest of `alice:secret`.
    private static let key = "6f622058968bb90757e6c6ed79e5df81"

    mutating func answerFever(_ path: String, _ fields: [(String, String)]) -> Answer {
        if isSwitchedOff { return .init(503, body: Array("Service Unavailable!".utf8)) }
        let values = Dictionary(fields) { first, _ in first }
        guard path == ReaderServer.API.fever.path, values["api"] != nil else { return .init(404) }
        guard password == "secret", values["api_key"] == Self.key else {
            return .json(["api_version": 3, "auth": 0])
        }
        var answer: [String: Any] = ["api_version": 3, "auth": 1, "last_refreshed_on_time": String(now)]
        if values["groups"] != nil {
            answer["groups"] = folderNames.enumerated().map {
                ["id": $0.offset + 1, "title": $0.element] as [String: Any]
            }
        } else if values["feeds"] != nil {
            answer["feeds"] = feeds.map { feed in
                [
                    "id": feed.number, "title": feed.title, "url": feed.url, "site_url": "https://example.org/",
                    "favicon_id": 1, "is_spark": 0, "last_updated_on_time": now,
                ] as [String: Any]
            }
            answer["feeds_groups"] = folderNames.enumerated().map { index, name in
                let members = feeds.filter { ([$0.folder] + $0.labels).contains(name) }.map { String($0.number) }
                return ["group_id": index + 1, "feed_ids": members.joined(separator: ",")] as [String: Any]
            }
        } else if values["items"] != nil {
            let ids = (values["with_ids"] ?? "").split(separator: ",").compactMap { Int64($0) }
            answer["items"] = found(Array(ids.prefix(50))).map(feverItem)
            answer["total_items"] = entries.count
        }
        if values["mark"] == "item", let id = values["id"].flatMap({ Int64($0) }) { mark(id, as: values["as"] ?? "") }
        if values["unread_item_ids"] != nil || values["as"]?.hasSuffix("read") == true {
            answer["unread_item_ids"] = list { !$0.isRead }
        }
        if values["saved_item_ids"] != nil { answer["saved_item_ids"] = list(\.isStarred) }
        return .json(answer)
    }

    private var folderNames: [String] { Set(feeds.flatMap { [$0.folder] + $0.labels }).sorted() }

    private func list(_ isIncluded: (ReaderServer.Entry) -> Bool) -> String {
        entries.values.filter(isIncluded).map(\.id).sorted().map(String.init).joined(separator: ",")
    }

    private mutating func mark(_ id: Int64, as state: String) {
        guard !traps.contains(.forgetsMarks) else { return }
        switch state {
        case "read": entries[id]?.isRead = true
        case "unread": entries[id]?.isRead = false
        case "saved": entries[id]?.isStarred = true
        case "unsaved": entries[id]?.isStarred = false
        default: break
        }
    }

    private func feverItem(_ entry: ReaderServer.Entry) -> [String: Any] {
        [
            "id": String(entry.id), "feed_id": entry.feed, "title": entry.title, "author": "Somebody",
            "html": entry.html, "url": entry.link, "is_saved": entry.isStarred ? 1 : 0,
            "is_read": entry.isRead ? 1 : 0, "created_on_time": entry.id / 1_000_000,
        ]
    }
}
