import Dashboard
import Foundation
import LibraryKernel
import ModelCore
import RaceModel
import TerminalScreen
import TerminalUI

/// Draws all screens of a race file in a terminal in memory.
@MainActor
enum RaceScreens {
    /// The sizes of the panes.
    private static let sizes = [Size(width: 120, height: 40), Size(width: 48, height: 14), Size(width: 9, height: 4)]
    /// The keys: to a rider on the live page, through all pages and standings, to a rider and back, and to other stages.
    private static let keys = [
        "l", "/", "1", "enter", "esc", "]", "]", "+", "]", "]", "c", "c", "enter", "esc", "c", "c", "c", "c", "c", "c",
        "c", "c", "]", "]", "J", "]", "J", "[", "K",
    ]

    /// Reads a race file, stores the race and draws it.
    static func draw(_ bytes: [UInt8]) throws {
        guard let race = try? RaceFile.read(Data(bytes), name: "race") else { return }
        _ = RaceCalendarWriter.write(race, now: 0)
        do {
            let library = try library()
            _ = try runBlocking { try await library.changes.perform(.storeRace(race, isBundled: false)) }
            // Noon on a day with a stage, so that the live page shows the position.
            let day = race.stages.compactMap(\.day).first ?? CalendarDay(number: 20_000)
            let now = day.midnight + 43_200
            _ = try library.races.nextStage(from: day)
            for stage in race.stages.prefix(20) {
                _ = try library.races.progress(of: stage, in: race.id, now: stage.startInstant ?? now)
            }
            try draw(library, now: now, size: sizes[bytes.count % sizes.count])
            _ = try runBlocking { try await library.changes.perform(.removeRace(race.id)) }
        } catch {
            throw FuzzFailure("an accepted race can't be shown: \(error)")
        }
    }

    private static func draw(_ library: Library, now: Instant, size: Size) throws {
        var environment = DashboardEnvironment(
            library: library, settings: try Settings(library: library, file: [:]), clock: { now })
        environment.start.segment = "stages"
        let dashboard = DashboardController(environment)
        let terminal = MemoryTerminal(size: size)
        let application = Application(terminal: terminal, root: dashboard.navigation)
        application.render()
        for key in keys {
            for press in KeySequence(key)?.presses ?? [] { application.send(.key(press)) }
        }
        application.window.finishAnimations()
        application.render()
    }

    private static var stock: (library: Library, uses: Int)?

    /// Returns a library without races. Creating one takes longer than drawing most races, and undo steps would
    /// accumulate in a shared one.
    private static func library() throws -> Library {
        var (library, uses) = try stock ?? (Library(path: nil), 0)
        if uses == 100 { (library, uses) = (try Library(path: nil), 0) }
        stock = (library, uses + 1)
        return library
    }
}
