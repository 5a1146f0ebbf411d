import Foundation
import GRDB

/// A folder of race files that the user keeps: what is new or changed in it gets into the library.
package enum RaceFolder {
    /// Stores the races of files that are new or have changed since they were read.
    ///
    /// A race that was taken away stays away until its file changes.
    ///
    /// - Returns: A sentence for each file that is no race.
    package static func read(_ folder: String, into library: Library) async throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let isRaceFile = { (name: String) in
            [".json", ".csv", ".ics"].contains { name.lowercased().hasSuffix($0) }
        }
        let files = names.filter(isRaceFile).sorted()
        guard !files.isEmpty else { return [] }
        let known = try library.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT path, stamp FROM race_file")
            return Dictionary(try rows.map { (try $0.at(0) as String, try $0.at(1) as String) }) { first, _ in first }
        }
        var problems: [String] = []
        for name in files {
            let path = folder + "/" + name
            let stamp = stamp(of: path)
            if known[path] == stamp { continue }
            guard let data = FileManager.default.contents(atPath: path) else {
                problems.append("\(name) cannot be read")
                continue
            }
            let race: Race
            do {
                race = try RaceFile.read(data, name: RaceFile.name(ofFile: name))
            } catch {
                problems.append("\(name): \(error)")
                continue
            }
            try await library.changes.perform(.storeRaceFile(race, path: path, stamp: stamp))
        }
        return problems
    }

    /// What changes when a file does: its size and when it was written, in nanoseconds since 1970.
    private static func stamp(of path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return "" }
        return "\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }
}
