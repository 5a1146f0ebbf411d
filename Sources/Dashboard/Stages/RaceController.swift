import ModelCore
import TerminalUI

/// Follows races beside the interface: asks for those that are due, and for all where the user wants it.
@MainActor
final class RaceController {
    private let library: Library
    private let service: RaceFollowService
    private let status: StatusController
    private let settings: Settings
    private let clock: @Sendable () -> Int64
    private var timer: Task<Void, Never>?
    private var isRunning = false
    private var waiting: ReloadService.Reason?
    /// How often it is looked whether one is due.
    private static let interval = Duration.seconds(60)

    /// Shows a question to the user.
    var ask: ((AlertController) -> Void)?
    /// Follows an address as it is now.
    var take: ((String) async -> Void)?
    private let alerts: RaceAlerts
    private let tracks: TrackService

    init(
        library: Library, settings: Settings, status: StatusController, paneFocus: PaneFocus,
        clock: @escaping @Sendable () -> Int64, notify: @escaping @MainActor (String, String) async -> String?
    ) {
        self.library = library
        service = RaceFollowService(library: library, clock: clock)
        tracks = TrackService(library: library, clock: clock)
        alerts = RaceAlerts(
            library: library, settings: settings, paneFocus: paneFocus, clock: clock, notify: notify)
        self.settings = settings
        self.clock = clock
        self.status = status
    }

    /// Looks from now on whether a race is due.
    func begin() {
        timer?.cancel()
        timer = Task { [weak self] in
            while !Task.isCancelled {
                if let self, !self.settings.isQuiet(at: self.clock()) { await self.update(.timer) }
                if let problem = await self?.alerts.look() { self?.status.show(failure: problem) }
                try? await Task.sleep(for: RaceController.interval)
            }
        }
    }

    func end() { timer?.cancel() }

    /// Asks for the races that are followed; what they say shows itself, since the lists watch the library.
    func update(_ reason: ReloadService.Reason) async {
        // What the user asks for while the timer's question is under way comes after it.
        guard !isRunning else {
            if reason != .timer { waiting = reason }
            return
        }
        isRunning = true
        defer {
            isRunning = false
            if let reason = waiting {
                waiting = nil
                Task { await update(reason) }
            }
        }
        let (service, tracks) = (service, tracks)
        defer { Task.detached(priority: .utility) { _ = try? await tracks.fetchMissing() } }
        let (updates, directories) = await Task.detached(priority: .utility) {
            (try? await service.update(reason: reason), try? await service.updateDirectories(reason: reason))
        }.value
        guard reason != .timer else { return }
        for directory in directories ?? [] {
            if let error = directory.error { status.show(failure: "\(directory.subscription.title): \(error)") }
        }
        for update in updates ?? [] {
            if let error = update.error { status.show(failure: "\(update.subscription.raceID): \(error)") }
        }
        // One question at a time; the next reload asks for the next.
        for update in updates ?? [] {
            guard case .shrunk(let kept, let previous) = update.result else { continue }
            return askWhetherToTake(update.subscription, kept, of: previous)
        }
    }

    /// A document that has lost most of its race may be a mistake of its server.
    private func askWhetherToTake(_ race: RaceSubscription, _ kept: Int, of previous: Int) {
        let name = (try? library.race(race.raceID)).flatMap { $0.map { "\($0.race) \($0.year)" } } ?? race.name
        let alert = AlertController(
            title: "Accept the shorter race?",
            message: DisplayText(
                "\(name) now has only \(kept) of \(previous) stages. Nothing was changed yet."))
        alert.details = [DisplayText(race.shownAddress)]
        alert.actions = [
            AlertAction("Keep", role: .cancel),
            AlertAction("Accept", role: .destructive) { [weak self] in
                Task { await self?.take?(race.address) }
            },
        ]
        ask?(alert)
    }

    /// Reads what is to be followed at an address: a race, or a directory of races.
    func read(_ address: String) async throws -> FollowedDocument {
        let service = service
        return try await Task.detached { try await service.read(address) }.value
    }
}
