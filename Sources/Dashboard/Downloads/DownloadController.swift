import ModelCore
import TerminalUI

/// Downloads what waits in the queue, beside the interface.
@MainActor
final class DownloadController {
    private let library: Library
    private let status: StatusController
    private let folder: @MainActor () -> String
    private var task: Task<Void, Never>?

    init(library: Library, status: StatusController, folder: @escaping @MainActor () -> String) {
        self.library = library
        self.status = status
        self.folder = folder
    }

    /// Works at the queue, if nothing does so already.
    func start() {
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
            // What was put into the queue while it ended.
            if !Task.isCancelled, self?.hasWaiting == true { self?.start() }
        }
    }

    /// Breaks off; the next start goes on from there.
    func stop() { task?.cancel() }

    private var hasWaiting: Bool { (try? library.downloads())?.contains(where: DownloadController.waits) ?? false }

    /// Whether a download was put into the queue and nothing has become of it.
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
