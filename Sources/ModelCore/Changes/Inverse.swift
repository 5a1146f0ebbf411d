import FeedParsing
import Foundation
import GRDB

/// What takes a change back, as it lies in the library beside the change.
enum Inverse: Codable {
    /// Entries, and when each was read; `nil`: it was not. Ten thousand of them are one text, `7 8@1790000000 9`: as a JSON
    /// value each they would take fifty times the memory.
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

    /// Entries get a mark back, or lose it.
    case mark(EntryMark, Bool, Marked)
    /// What lies in the trash under the step's identity comes back.
    case restore
    /// Feeds are no longer followed.
    case unsubscribe([Int64])
    case rename(Int64, title: String?)
    case move(Int64, folder: String?)
    case tag(Int64, [String])
    case setHeaders(Int64, String?)
    case setOptions(Int64, String?)
    /// Entries get tags back, and lose others.
    case tagEntries(add: [Tagged], remove: [Tagged])
    /// Entries come back into the lists.
    case unfold([Int64])
    /// Other steps are taken back, in this order.
    case several([UUID])
    case removeEntry(Int64)
    case removeDownload(Int64)
    case restoreDownload(Download)
    case renameSearch(Int64, name: String)
    case restoreSearch(Int64, name: String, query: String, position: Int, sort: String?)
    case sortSearch(Int64, EntryOrder)
    case order([Int64], OrderedTable)
    case placeGroups([FeedGroup], [Int?])
    /// A group's place is another one's again, both by their keys.
    case movePlace(from: String, to: String)
    case forgetSearch(Int64)
    case storeRace(Race, isBundled: Bool)
    case removeRace(String)
    case storeTrack(race: String, stage: Int, points: Data, spark: String)
    case removeTrack(race: String, stage: Int)
}
