import Feeds
import LibraryKernel
import Platform
import TerminalUI

/// Downloads the queue in the background.
@MainActor
package final class DownloadController {
    private let service: DownloadService
    private let library: Library
    private let status: StatusController
    private let folder: @MainActor () -> String
    private var task: Task<Void, Never>?
    /// Looks again for work while something is pending, which another program may download until it ends.
    private var next: Task<Void, Never>?
    private static let pause = Duration.seconds(60)
    private var observation: Observation?

    init(library: Library, status: StatusController, folder: @escaping @MainActor () -> String) {
        service = DownloadService(library: library)
        self.library = library
        self.status = status
        self.folder = folder
    }

    /// Starts downloading, and from now on whatever the user, rules and other programs queue.
    package func begin() {
        observation = library.observe(.downloads) { [weak self] in
            self?.continueDownloads()
        }
        start()
    }

    /// Starts downloading, unless a download is already running.
    private func start() {
        guard task == nil else { return }
        next?.cancel()
        let (service, folder) = (service, folder())
        task = Task { [weak self] in
            let work = Task.detached {
                try await service.run(folder: folder) { [weak self] download in await self?.tell(download) }
            }
            await withTaskCancellationHandler {
                _ = await work.result
            } onCancel: {
                work.cancel()
            }
            self?.task = nil
            if !Task.isCancelled { self?.lookLater() }
        }
    }

    private func continueDownloads() {
        if task == nil, status.attempt({ try service.hasWork() }) == true { start() }
    }

    private func lookLater() {
        guard status.attempt({ try library.downloads.all() })?.contains(where: \.isPending) == true else { return }
        next = Task { [weak self] in
            do { try await Clock.sleep(for: DownloadController.pause) } catch { return }
            self?.continueDownloads()
            if self?.task == nil { self?.lookLater() }
        }
    }

    /// Stops downloading. The next start continues from there.
    package func stop() {
        observation = nil
        next?.cancel()
        task?.cancel()
    }

    private func tell(_ download: Download) {
        if let error = download.error {
            status.show(failure: "\(download.title): \(error)", logged: "a download: \(error)")
        } else if download.isDone {
            status.show(DisplayText("Downloaded: \(download.title)"))
        }
    }
}
