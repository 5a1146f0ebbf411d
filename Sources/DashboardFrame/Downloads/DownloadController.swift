import Feeds
import LibraryKernel
import TerminalUI

/// Downloads the queue in the background.
@MainActor
package final class DownloadController {
    private let library: Library
    private let status: StatusController
    private let folder: @MainActor () -> String
    private var task: Task<Void, Never>?
    private var observation: Observation?

    init(library: Library, status: StatusController, folder: @escaping @MainActor () -> String) {
        self.library = library
        self.status = status
        self.folder = folder
    }

    /// Starts downloading, and from now on whatever rules and other programs queue.
    package func begin() {
        observation = library.observe(.downloads) { [weak self] in
            if self?.task == nil, self?.hasWaiting == true { self?.start() }
        }
        start()
    }

    /// Starts downloading, unless a download is already running.
    package func start() {
        guard task == nil else { return }
        let service = DownloadService(library: library)
        let folder = folder()
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
            // Something was queued while the last run ended.
            if !Task.isCancelled, self?.hasWaiting == true { self?.start() }
        }
    }

    /// Stops downloading. The next start continues from there.
    package func stop() {
        observation = nil
        task?.cancel()
    }

    private var hasWaiting: Bool {
        status.attempt { try library.downloads.all() }?.contains(where: DownloadController.waits) ?? false
    }

    /// Whether a download is pending and has neither finished nor failed.
    static func waits(_ download: Download) -> Bool {
        !download.isDone && download.error == nil && download.path == nil
    }

    private func tell(_ download: Download) {
        if let error = download.error {
            status.show(failure: "\(download.title): \(error)", logged: "a download: \(error)")
        } else if download.isDone {
            status.show(DisplayText("Downloaded: \(download.title)"))
        }
    }
}
