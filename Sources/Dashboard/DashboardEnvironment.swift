import DashboardFrame
import Feeds
import Foundation
import LibraryKernel
import ModelCore
import Races
import TerminalUI

/// What the program provides to the dashboard, by subject.
package struct DashboardEnvironment {
    package var library: Library
    package var settings: Settings
    var reloadService: ReloadService
    var time: DashboardTime
    package var configuration = DashboardConfiguration()
    package var writer = ConfigurationWriter()
    package var pictures = PictureSource()
    package var programs = ExternalPrograms()
    package var start = DashboardStart()
    package var welcome = WelcomeOffers()
    /// The clock of the recording that the dashboard plays, or `nil` for the present.
    package var replay: ReplayClock?
    /// Returns the version, paths and library versions, with their names.
    package var about: @MainActor () -> [(name: String, value: String)] = { [] }
    /// Saves the state for the next start.
    package var saveState: @MainActor (DashboardState) -> Void = { _ in }
    /// Returns the free space on the library's disk in bytes, or `nil` if it is unknown.
    var freeSpace: @MainActor () -> Int64?
    /// Logs an error, since the status line shows it only for seconds.
    package var log: @MainActor (String) -> Void = { _ in }

    /// - Parameter clock: Returns the current time.
    package init(library: Library, settings: Settings, clock: @escaping @Sendable () -> Instant) {
        self.library = library
        self.settings = settings
        reloadService = ReloadService(library: library, clock: clock)
        time = DashboardTime(clock: clock)
        freeSpace = { [path = library.path] in
            let folder = path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
            let facts = folder.flatMap { try? FileManager.default.attributesOfFileSystem(forPath: $0) }
            return (facts?[.systemFreeSize] as? NSNumber)?.int64Value
        }
    }
}
