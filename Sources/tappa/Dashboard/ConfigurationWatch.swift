import Configuration
import Dispatch
import Foundation
import LibraryKernel
import Platform

/// Calls a handler a moment after the configuration, a rule file or a theme has changed, because editors write in
/// several steps.
@MainActor
final class ConfigurationWatch {
    private var watch: DirectoryWatch?
    private var waiting: Task<Void, Never>?
    private static let moment = Duration.milliseconds(150)

    private let path: String
    private let changed: @MainActor () -> Void

    init(_ path: String, changed: @escaping @MainActor () -> Void) {
        self.path = path
        self.changed = changed
        begin()
    }

    private func begin() {
        let url = URL(fileURLWithPath: path)
        let folders = [RuleFile.folder(besideConfiguration: path), ThemeFile.folder(besideConfiguration: path)]
        var names = Set(folders.map { URL(fileURLWithPath: $0).lastPathComponent })
        // The folder itself may be created, deleted or replaced, so the nearest existing parent is watched.
        var around = url.deletingLastPathComponent()
        var places = [around.path] + folders
        while around.path != "/" {
            names.insert(around.lastPathComponent)
            around.deleteLastPathComponent()
            places.append(around.path)
            if FileManager.default.fileExists(atPath: around.path) { break }
        }
        watch = DirectoryWatch(places, on: .main) { [weak self, names, path] told in
            let isFolder = !names.isDisjoint(with: told)
            guard isFolder || told.contains(where: { ConfigurationWatch.isRead($0, path) }) else { return }
            MainActor.assumeIsolated {
                // A new folder must be watched from now on.
                if isFolder { self?.begin() }
                self?.wait()
            }
        }
    }

    /// Whether a file name in a watched folder matters: the configuration under any name, rules and themes.
    nonisolated static func isRead(_ name: String, _ configuration: String) -> Bool {
        name == URL(fileURLWithPath: configuration).lastPathComponent
            || [".toml", ".yaml", ".yml"].contains { name.hasSuffix($0) }
    }

    private func wait() {
        waiting?.cancel()
        waiting = Task { [changed] in
            try? await Clock.sleep(for: ConfigurationWatch.moment)
            if !Task.isCancelled { changed() }
        }
    }

    func stop() {
        waiting?.cancel()
        watch = nil
    }
}
