@testable import Feeds
import Foundation
@testable import LibraryKernel
@testable import ModelCore

/// What programs download.
extension World {
    private var recordingFolder: String { folder.appendingPathComponent("recordings").path }

    /// Downloads what is queued, as a dashboard does at its start and once something is queued or left behind.
    func download(by pane: Program) async throws {
        guard !pane.hasDownloaded || (try? pane.downloads.hasWork()) == true else { return }
        pane.hasDownloaded = true
        let (service, folder) = (pane.downloads, recordingFolder)
        _ = await run(pane, .recording, feeds: 1) { caller in
            try? await service.run(folder: folder) { _ in caller.report() }
        }
        try checkRecordings()
    }

    /// Queues a recording, as the user does, also after a failure.
    func queueRecording(_ address: String, by pane: Program) async throws {
        let change = Change.queueDownload(url: address, title: address, allowsPrivateHost: false, now: .now)
        if try await perform(change, by: pane) != nil { servers.reach("recording queued") }
        looksSoon = true
    }

    func retryRecordings(by pane: Program) async throws {
        for download in try observer.downloads.all() where download.error != nil {
            servers.reach("recording retried")
            try await queueRecording(download.url, by: pane)
        }
    }

    /// Checks that no file is a mixture, and that nothing is left behind.
    func checkRecordings() throws {
        for download in try observer.downloads.all() {
            let name = download.url.split(separator: "/").suffix(3)
            guard let site = name.first.flatMap({ Int($0.dropFirst(4).prefix(1)) }),
                let number = name.last.flatMap({ Int($0.prefix(1)) })
            else { continue }
            guard download.isDone else { continue }
            servers.reach("recording downloaded")
            let written = try? download.path.map { try FileManager.default.attributesOfItem(atPath: $0) }
            let date = written?[.modificationDate] as? Date
            if let path = download.path, let date, wholeFiles.updateValue(date, forKey: path) == date { continue }
            guard let path = download.path, let file = FileManager.default.contents(atPath: path) else {
                throw Violation("\(download.url) is done, but there is no file")
            }
            if !servers.with({ $0.sites[site].recordings.has(file, number) }) {
                throw Violation("\(download.url) is not as the server has it: \(file.count) bytes")
            }
        }
    }

    /// Checks that nothing waits although a pane could download it.
    func checkQueue() throws {
        // A suspended program holds what it downloads.
        guard !isDiskFull, !running.isEmpty,
            !panes.contains(where: { $0.running?.caller.reason == .recording })
        else { return waitsSince = nil }
        guard let waiting = try observer.downloads.all().first(where: \.isPending) else { return waitsSince = nil }
        looksSoon = true
        waitsSince = waitsSince ?? clock.seconds
        if let waitsSince, clock.seconds > waitsSince + 150 {
            throw Violation("\(waiting.url) waits, but no program downloads it")
        }
    }
}
