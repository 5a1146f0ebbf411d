import FeedParsing
import Foundation
import GRDB

/// The inverse of a change, which its undo step stores.
enum Inverse: Codable {
    /// Entries with the dates when they were read, or `nil` for unread entries.
    ///
    /// Encoded as a single text, such as `7 8@1790000000 9`. As separate JSON values, 10,000 entries would take fifty
    /// times the memory.
    struct Marked: Codable {
        var entries: [(id: Int64, readAt: Int64?)]

        init(_ entries: [(id: Int64, readAt: Int64?)]) { self.entries = entries }

        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            entries = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { item in
                let parts = item.split(separator: UInt8(ascii: "@"))
                let numbers = parts.compactMap { Int64(Substring($0)) }
                return numbers.isEmpty ? nil : (numbers[0], numbers.count > 1 ? numbers[1] : nil)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var text = ""
            for entry in entries {
                if !text.isEmpty { text += " " }
                text += String(entry.id)
                if let readAt = entry.readAt { text += "@\(readAt)" }
            }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// A tag of an entry.
    struct Tagged: Codable, Hashable {
        var entry: Int64
        var tag: String
    }

    /// Restores or removes a mark of entries.
    case mark(EntryMark, Bool, Marked)
    /// Restores the rows in the trash that belong to the undo step.
    case restore
    /// Stops following feeds.
    case unsubscribe([Int64])
    case rename(Int64, title: String?)
    case move(Int64, folder: String?)
    case tag(Int64, [String])
    case setHeaders(Int64, String?)
    case setOptions(Int64, String?)
    /// Restores tags of entries and removes others.
    case tagEntries(add: [Tagged], remove: [Tagged])
    /// Returns archived entries to the lists.
    case unfold([Int64])
    /// Reverts other changes in this order.
    case several([UUID])
    case removeEntry(Int64)
    case removeDownload(Int64)
    case restoreDownload(Download)
    case renameSearch(Int64, name: String)
    case restoreSearch(Int64, name: String, query: String, position: Int, sort: String?)
    case sortSearch(Int64, EntryOrder)
    case order([Int64], OrderedTable)
    case placeGroups([FeedGroup], [Int?])
    /// Moves the position of a group to another group, both given by key.
    case movePlace(from: String, to: String)
    case forgetSearch(Int64)
    case storeRace(Race, isBundled: Bool)
    case removeRace(String)
    case storeTrack(race: String, stage: Int, points: Data, spark: String)
    case removeTrack(race: String, stage: Int)
}
