import FeedParsing
import Foundation
import GRDB

/// What takes a change back, as it lies in the library beside the change.
enum Inverse: Codable {
    /// An entry, and when it was read; `nil`: it was not.
    struct Marked: Codable {
        var id: Int64
        var readAt: Int64?

        init(id: Int64, readAt: Int64?) {
            self.id = id
            self.readAt = readAt
        }

        // Ten thousand of them are one row: short names and numbers alone.
        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            id = try values.decode(Int64.self)
            readAt = try values.decodeIfPresent(Int64.self)
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(id)
            if let readAt { try values.encode(readAt) } else { try values.encodeNil() }
        }
    }

    /// Entries get a mark back, or lose it.
    case mark(EntryMark, Bool, [Marked])
    /// What lies in the trash under the step's identity comes back.
    case restore
    /// Feeds are no longer followed.
    case unsubscribe([Int64])
    case rename(Int64, title: String?)
    case move(Int64, folder: String?)
    case tag(Int64, [String])
    case setHeaders(Int64, String?)
    case renameSearch(Int64, name: String)
    case restoreSearch(Int64, name: String, query: String, position: Int)
    case forgetSearch(Int64)
    case storeRace(Race, isBundled: Bool)
    case removeRace(String)
    case storeTrack(race: String, stage: Int, points: Data, spark: String)
    case removeTrack(race: String, stage: Int)
}
