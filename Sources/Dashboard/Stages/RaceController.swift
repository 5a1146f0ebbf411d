import ModelCore
import TerminalUI

/// Follows races beside the interface: asks for those that are due, and for all where the user wants it.
@MainActor
final class RaceController {
    private let service: RaceFollowService
    private let status: StatusController
    private let settings: Settings
    private let clock: @Sendable () -> Int64
    private var timer: Task<Void, Never>?
    private var isRunning = false
    /// How often it is looked whether one is due.
    private static let interval = Duration.seconds(60)

    private let alerts: RaceAlerts
    private let tracks: TrackService

    init(
        library: Library, settings: Settings, status: StatusController, attention: Attention,
        clock: @escaping @Sendable () -> Int64, notify: @escaping @MainActor (String, String) async -> String?
    ) {
        service = RaceFollowService(library: library, clock: clock)
        tracks = TrackService(library: library, clock: clock)
        alerts = RaceAlerts(
            library: library, settings: settings, attention: attention, clock: clock, notify: notify)
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
        guard !isRunning else { return }
        isRunning = true
        defer { isRunning = false }
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
            if case .failed(let error) = update.result {
                status.show(failure: "\(update.subscription.raceID): \(error)")
            }
        }
    }

    /// Reads what is to be followed at an address: a race, or a directory of races.
    func read(_ address: String) async throws -> FollowedDocument {
        let service = service
        return try await Task.detached { try await service.read(address) }.value
    }
}
