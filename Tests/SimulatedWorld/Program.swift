@testable import Accounts
@testable import Feeds
import Fetching
import Foundation
@testable import LibraryKernel
@testable import ModelCore
@testable import RaceCentre
@testable import Races

/// A program that uses the library of a world: a dashboard in a pane, or a command of a timer.
@MainActor
final class Program {
    /// A reload or sync that has not ended.
    struct Operation {
        let caller: Caller
        let task: Task<Void, Never>
    }

    let number: Int
    let library: Library
    let reloads: ReloadService
    let syncs: SyncService
    let downloads: DownloadService
    let races: RaceFollowService
    /// The second in which the pane runs on, or `nil` unless it is suspended.
    var frozenUntil: Int64?
    var isKilled = false
    /// What happens at the next request.
    var interruption: (minutes: Int64, kills: Bool)?
    var running: Operation?
    var nextSync: Int64 = 0
    var pending = 0
    var hasDownloaded = false
    var nextUpdate: Int64 = 0

    init(_ number: Int, path: String) throws {
        self.number = number
        library = try Library(path: path)
        library.rules = [
            Rule(name: "mute", when: try SearchQuery("title:mute"), then: [.mark(.read)])
        ]
        reloads = ReloadService(library: library)
        syncs = SyncService(library: library)
        downloads = DownloadService(library: library)
        library.attach(KnownRaceReader { WorldCentre.races })
        races = RaceFollowService(library: library)
    }

    /// Ends the program as its dashboard does.
    func leave() -> Leaving { library.changes.drain(within: 0.2) }
}
