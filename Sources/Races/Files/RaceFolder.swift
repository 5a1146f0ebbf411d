import Feeds
import Foundation
import GRDB
import LibraryKernel
import RaceModel

/// The user's folder of race files. New and changed files are imported into the library.
package enum RaceFolder {
    /// Imports files that are new or have changed since they were read.
    ///
    /// A race that the user removed doesn't return until its file changes.
    ///
    /// - Returns: A sentence for each file that can't be read as a race.
    package static func read(_ folder: String, into library: Library) async throws -> [String] {
        let files: [String]
        do throws(UserFile.Problem) { files = try self.files(folder) } catch { return [error.description] }
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
            let race: Race
            do throws(Problem) { race = try self.race(name, in: folder) } catch {
                problems.append(error.sentence)
                continue
            }
            try await library.changes.perform(Change(StoreRaceFile(race: race, path: path, stamp: stamp)))
        }
        return problems
    }

    /// Checks all files without storing anything.
    ///
    /// - Returns: A sentence for each file that can't be read as a race.
    package static func problems(_ folder: String) -> [String] {
        let files: [String]
        do throws(UserFile.Problem) { files = try self.files(folder) } catch { return [error.description] }
        return files.compactMap { name in
            do throws(Problem) {
                _ = try race(name, in: folder)
                return nil
            } catch {
                return error.sentence
            }
        }
    }

    private struct Problem: Error { var sentence: String }

    private static func files(_ folder: String) throws(UserFile.Problem) -> [String] {
        try UserFile.names(inFolder: folder).filter { name in
            [".json", ".ics"].contains { name.lowercased().hasSuffix($0) }
        }.sorted()
    }

    private static func race(_ name: String, in folder: String) throws(Problem) -> Race {
        do {
            let data = try UserFile.read("\(folder)/\(name)", maximum: RaceSource.maximumBytes, isFound: true)
            return try RaceFile.read(data, name: RaceFile.name(ofFile: name))
        } catch let problem as UserFile.Problem {
            throw Problem(sentence: problem.description)
        } catch {
            throw Problem(sentence: "\(name): \(error)")
        }
    }

    /// Returns a stamp that changes with the file: its size and modification time in nanoseconds.
    private static func stamp(of path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return "" }
        return "\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
    }
}
