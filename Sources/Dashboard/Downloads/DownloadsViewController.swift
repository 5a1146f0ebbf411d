import ModelCore
import TerminalUI

/// The queue of downloads, with their progress and errors. Downloads can be retried, played and removed.
@MainActor
final class DownloadsViewController: ViewController {
    private let context: DashboardContext
    private let table = TableView()
    private var downloads: [Download] = []
    private var observation: Observation?
    private var ticking: Task<Void, Never>?

    init(context: DashboardContext) {
        self.context = context
        super.init()
        title = "Downloads"
        modalPresentationStyle = .sheet
        preferredContentSize = Size(width: 72, height: 18)
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        let key = context.key(.downloadRecording)
        table.emptyText = DisplayText("No downloads. \(key) on an entry downloads its audio or video.")
        table.dataSource = self
        table.delegate = self
        load()
        table.select(downloads.isEmpty ? nil : RowPath(row: 0))
    }

    override func viewWillAppear() {
        observation = context.library.observe(.downloads) { [weak self] in self?.load() }
        // Updates the progress of the current download.
        ticking = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                guard !Task.isCancelled, let self else { return }
                if self.downloads.contains(where: { !$0.isDone && $0.error == nil }) { self.load() }
            }
        }
    }

    override func viewDidDisappear() {
        observation = nil
        ticking?.cancel()
    }

    private func load() {
        downloads = context.read([]) { try $0.downloads() }
        table.reloadData()
    }

    private var selected: Download? {
        table.selectedPath.flatMap { downloads.indices.contains($0.row) ? downloads[$0.row] : nil }
    }

    private func playOrRetry(_ download: Download) {
        if download.isDone { context.play(download.url) } else { context.download(download.url, download.title) }
    }

    override var commands: [Command] {
        let download = selected
        return [
            Command(.playDownload, isEnabled: download?.isDone == true) { [weak self] in
                if let download { self?.context.play(download.url) }
            },
            Command(.retryDownload, isEnabled: download?.error != nil) { [weak self] in
                if let download { self?.playOrRetry(download) }
            },
            Command(.removeDownload, isEnabled: download != nil) { [weak self] in
                if let download { self?.context.changes.submit(.removeDownload(download.id)) }
            },
            Command(.closeDownloads) { [weak self] in self?.dismiss() },
        ]
    }
}

extension DownloadsViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        if let selected { playOrRetry(selected) }
    }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { downloads.count }

    func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? { downloads[path.row].id }

    func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        downloads.firstIndex { AnyHashable($0.id) == identifier }.map { RowPath(row: $0) }
    }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let download = downloads[path.row]
        let cell = table.dequeueCell()
        cell.title = DisplayText(download.title)
        if download.error != nil { cell.titleRole = .failure }
        cell.value = DisplayText(download.state).truncated(to: 36)
        return cell
    }
}
