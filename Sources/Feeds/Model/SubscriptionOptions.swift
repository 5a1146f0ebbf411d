import Foundation
import LibraryKernel

/// The user's options for a feed.
package struct SubscriptionOptions: Codable, Hashable, Sendable {
    /// Whether a reload fetches the full text of entries, which then replaces the feed's text.
    @Switch package var fullText = false
    /// Whether the feed's entries are excluded from unread counts and from the list of unread entries.
    @Switch package var isUncounted = false
    /// The maximum number of new entries a day. Further entries of the day are archived. `nil` means no limit.
    package var dailyLimit: Int?
    /// The minimum number of minutes between automatic reloads, or `nil` to use the feed's own schedule.
    package var interval: Int?
    /// Whether articles show pictures, or `nil` to use the global setting.
    package var showsPictures: Bool?
    /// Whether an entry becomes unread again when its wording changes.
    @Switch package var marksChangedUnread = false

    /// The number of days after their arrival when entries are marked as read, or `nil` for never.
    package var readAfterDays: Int?

    /// Whether the feed list shows the feed only in the group of hidden feeds.
    ///
    /// Its entries still appear in search results and among marked entries.
    @Switch package var isHidden = false
    /// Whether new entries trigger a notification while the pane doesn't have focus.
    @Switch package var notifies = false

    /// Whether the address came from outside, such as from a page or a permanent redirect. Its host must then not be
    /// private.
    @Switch var isFromOutside = false

    /// The address to which the feed's document asks readers to move, if it isn't the feed's own.
    var announcedAddress: String?
    /// The permanent redirect to the address of another feed.
    var redirect: Redirect?

    /// A permanent redirect to the address of another feed.
    struct Redirect: Codable, Hashable, Sendable {
        var address: String
        /// How many times in a row the server has sent it.
        var times: Int
    }

    package init() {}

    /// Decodes the text from the database. A missing or unreadable text results in the default options.
    init(stored text: String?) {
        self = text.flatMap { try? JSONDecoder().decode(SubscriptionOptions.self, from: Data($0.utf8)) } ?? Self()
    }

    /// The JSON text for the database, or `nil` for the default options.
    ///
    /// Equal options always have equal texts.
    var stored: String? {
        guard self != SubscriptionOptions() else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A stored truth value that a missing one leaves off, so that options of earlier versions can be read.
@propertyWrapper
package struct Switch: Codable, Hashable, Sendable {
    package var wrappedValue: Bool

    package init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a switch, which is off if it is missing.
    package func decode(_ type: Switch.Type, forKey key: Key) throws -> Switch {
        try decodeIfPresent(Switch.self, forKey: key) ?? Switch(wrappedValue: false)
    }
}
