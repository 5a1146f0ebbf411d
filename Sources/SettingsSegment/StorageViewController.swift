import DashboardFrame
import LibraryKernel
import ModelCore
import TerminalUI

/// Shows the disk usage of library and caches. The library can be checked and compacted, and the picture cache cleared.
@MainActor
final class StorageViewController: FactsViewController {
    private let access: LibraryAccess
    private let keptPictures: KeptPictures
    private var measuring: Task<Void, Never>?
    private var storage: LibraryStorage?
    private var isMeasured = false
    private var pictures: Int64?
    private var finding: DisplayText?

    init(access: LibraryAccess, keptPictures: KeptPictures) {
        self.access = access
        self.keptPictures = keptPictures
        super.init(title: "Storage", status: access.status)
    }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(ProgramCommands.checkLibrary, title: "check", priority: 1),
            BarButtonItem(ProgramCommands.compactLibrary, title: "compact", priority: 1),
            BarButtonItem(ProgramCommands.clearPictures, title: "clear pictures", priority: 0),
        ]
        refresh()
    }

    override func viewWillAppear() { measure() }

    override func viewDidDisappear() { measuring?.cancel() }

    private func measure() {
        let (library, kept, status) = (access.library, keptPictures, access.status)
        measuring?.cancel()
        measuring = Task { [weak self] in
            let storage = await status.attempt {
                try await Task.detached(priority: .utility) { try library.storage() }.value
            }
            let pictures = await Task.detached(priority: .utility) { kept.size() }.value
            guard let self, !Task.isCancelled else { return }
            (self.storage, self.pictures, self.isMeasured) = (storage, pictures, true)
            self.refresh()
        }
    }

    private func refresh() {
        let missing = isMeasured ? "unknown" : "measuring …"
        let size = { (bytes: Int64?) in DisplayText(bytes.map { ByteCount.text($0) } ?? missing) }
        var facts: [(name: DisplayText, value: DisplayText)] = [
            ("Library", DisplayText(access.library.path ?? "in memory")),
            ("Size", size(storage.map(\.total))),
            ("Unused space", size(storage.map(\.free))),
        ]
        if storage == nil || storage?.index != nil { facts.append(("Index", size(storage?.index))) }
        if let storage {
            facts.append(("Entries", DisplayText("\(storage.entries)")))
            facts.append(("Full texts", DisplayText("\(storage.fullTexts), \(ByteCount.text(storage.fullTextSize))")))
        }
        facts.append(("Pictures", size(pictures)))
        if let finding { facts.append(("Check", finding)) }
        show(facts)
    }

    private func check() {
        finding = "checking …"
        refresh()
        let library = access.library
        Task { [weak self] in
            let findings = await Task.detached(priority: .utility) {
                do throws(LibraryError) { return try LibraryCheck.run(library) } catch { return [error.description] }
            }.value
            self?.finding = findings.isEmpty ? "no damage found" : DisplayText(findings.joined(separator: "; "))
            self?.refresh()
        }
    }

    private func compact() {
        let (library, status) = (access.library, access.status)
        status.show("Compacting the library …")
        Task { [weak self] in
            do throws(LibraryError) {
                let saved = try await library.compact()
                status.show(DisplayText("Freed \(ByteCount.text(saved))."))
            } catch {
                status.show(failure: error.description)
            }
            self?.measure()
        }
    }

    private func clearPictures() {
        let (kept, status) = (keptPictures, access.status)
        Task { [weak self] in
            let bytes = await Task.detached { kept.clear() }.value
            status.show(DisplayText("Cleared \(ByteCount.text(bytes)) of pictures."))
            self?.measure()
        }
    }

    override var commands: [Command] {
        [
            Command(ProgramCommands.checkLibrary) { [weak self] in self?.check() },
            Command(ProgramCommands.compactLibrary) { [weak self] in self?.compact() },
            Command(ProgramCommands.clearPictures) { [weak self] in self?.clearPictures() },
            Command(ProgramCommands.copyFacts) { [weak self] in self?.copyPage() },
        ]
    }
}
