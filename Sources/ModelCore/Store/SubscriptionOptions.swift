import Foundation

/// What is special about a feed, as its user wants it.
package struct SubscriptionOptions: Codable, Hashable, Sendable {
    /// Whether the full text of its pages is fetched at the reload and read in place of the feed's.
    package var fullText = false
    /// Whether its entries neither count as unread nor stand in the list of these.
    package var isQuiet = false
    /// The most entries of a day that arrive in the lists; the rest of the day is folded. `nil`: all.
    package var dailyLimit: Int?
    /// Minutes between two reloads by a timer at least; `nil`: as the feed wants it.
    package var interval: Int?
    /// Whether its articles show their pictures; `nil`: as the setting has it.
    package var showsPictures: Bool?
    /// Whether an entry becomes unread again when its words are changed.
    package var marksChangedUnread = false

    /// Whether it stands in no list: what is found or kept of it does.
    package var isHidden = false
    /// Whether new entries are told to who does not look.
    package var notifies = false

    /// Whether its address came from outside, such as from a page or with a permanent redirect: its host must not be a private one.
    package var isFromOutside = false

    package init() {}

    /// Reads what any version has stored: what is missing is as usual.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ usual: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? usual
        }
        fullText = try read(.fullText, false)
        isQuiet = try read(.isQuiet, false)
        dailyLimit = try container.decodeIfPresent(Int.self, forKey: .dailyLimit)
        interval = try container.decodeIfPresent(Int.self, forKey: .interval)
        showsPictures = try container.decodeIfPresent(Bool.self, forKey: .showsPictures)
        marksChangedUnread = try read(.marksChangedUnread, false)
        isHidden = try read(.isHidden, false)
        notifies = try read(.notifies, false)
        isFromOutside = try read(.isFromOutside, false)
    }

    private enum CodingKeys: String, CodingKey {
        case fullText, isQuiet, dailyLimit, interval, showsPictures, marksChangedUnread, isHidden, notifies
        case isFromOutside
    }

    /// From when on a timer asks again, given what the feed wants.
    func delayed(_ next: Int64?, now: Int64) -> Int64? {
        guard let interval else { return next }
        return max(next ?? 0, now.addingClamped(Int64(interval).multipliedClamped(by: 60)))
    }

    /// What was stored; the usual where that is nothing or cannot be read.
    init(stored text: String?) {
        self = text.flatMap { try? JSONDecoder().decode(SubscriptionOptions.self, from: Data($0.utf8)) } ?? Self()
    }

    /// As it is stored: JSON, always the same for the same; `nil` for the usual.
    var stored: String? {
        guard self != SubscriptionOptions() else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
