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
    /// Whether something came during a run, which may have looked for work for the last time before.
    private var mayHaveMore = false

    init(library: Library, status: StatusController, folder: @escaping @MainActor () -> String) {
        service = DownloadService(library: library)
        self.library = library
        self.status = status
        self.folder = folder
    }

    /// Starts downloading, and from now on whatever rules and other programs queue.
    package func begin() {
        observation = library.observe(.downloads) { [weak self] in
            self?.continueDownloads()
        }
        start()
    }

    /// Starts downloading, unless a download is already running.
    package func start() {
        guard task == nil else {
            mayHaveMore = true
            return
        }
        mayHaveMore = false
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
            guard let self else { return }
            self.task = nil
            guard !Task.isCancelled else { return }
            if self.mayHaveMore { self.continueDownloads() }
            if self.task == nil { self.lookLater() }
        }
    }

    private func continueDownloads() {
        if task != nil || status.attempt({ try service.hasWork() }) == true { start() }
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
