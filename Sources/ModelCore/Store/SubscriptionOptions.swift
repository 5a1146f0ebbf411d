import Foundation

/// The options that the user set for a feed.
package struct SubscriptionOptions: Codable, Hashable, Sendable {
    /// Whether reloads fetch the full text of its pages, which is shown in place of the feed's text.
    package var fullText = false
    /// Whether its entries are left out of unread counts and the list of unread entries.
    package var isQuiet = false
    /// The maximum number of entries of a day that arrive in lists. The rest is archived. `nil` for no limit.
    package var dailyLimit: Int?
    /// The minimum number of minutes between automatic reloads, or `nil` to follow the feed.
    package var interval: Int?
    /// Whether its articles show pictures, or `nil` to follow the setting.
    package var showsPictures: Bool?
    /// Whether an entry becomes unread again when its text changes.
    package var marksChangedUnread = false

    /// Whether the feed is hidden from lists. Its entries still appear in searches, and if they are starred or saved.
    package var isHidden = false
    /// Whether to notify the user of new entries while the pane has no focus.
    package var notifies = false

    /// Whether its address came from another source than the user, such as a page or a permanent redirect. Then its
    /// host must not be private.
    package var isFromOutside = false

    package init() {}

    /// Decodes options of any version; missing values are defaults.
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

    /// Returns the instant of the next automatic fetch, given the one that the feed asks for.
    func delayed(_ next: Int64?, now: Int64) -> Int64? {
        guard let interval else { return next }
        return max(next ?? 0, now.addingClamped(Int64(interval).multipliedClamped(by: 60)))
    }

    /// Reads the stored form. Missing or unreadable text gives the defaults.
    init(stored text: String?) {
        self = text.flatMap { try? JSONDecoder().decode(SubscriptionOptions.self, from: Data($0.utf8)) } ?? Self()
    }

    /// The stored form: JSON, identical for equal options, or `nil` for the defaults.
    var stored: String? {
        guard self != SubscriptionOptions() else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
