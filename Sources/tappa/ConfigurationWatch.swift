import Configuration
import Dispatch
import Foundation
import ModelCore

/// Hears when the configuration or a file of rules has changed, and waits a moment: editors write in several steps.
@MainActor
final class ConfigurationWatch {
    private var watch: DirectoryWatch?
    private var waiting: Task<Void, Never>?
    private static let moment = Duration.milliseconds(150)

    init(_ path: String, changed: @escaping @MainActor () -> Void) {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        let name = url.lastPathComponent
        watch = DirectoryWatch([folder, RuleFile.folder(besideConfiguration: path)], on: .main) { [weak self] names in
            guard names.contains(name) || names.contains(where: { $0.hasSuffix(".toml") }) else { return }
            MainActor.assumeIsolated { self?.wait(changed) }
        }
    }

    private func wait(_ changed: @escaping @MainActor () -> Void) {
        waiting?.cancel()
        waiting = Task {
            try? await Task.sleep(for: ConfigurationWatch.moment)
            if !Task.isCancelled { changed() }
        }
    }

    func stop() {
        waiting?.cancel()
        watch = nil
    }
}
