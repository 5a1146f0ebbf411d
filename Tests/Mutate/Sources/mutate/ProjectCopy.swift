import Foundation

/// A copy of the project whose files can differ from the originals.
struct ProjectCopy {
    /// The paths of the project and its copy, without a final slash.
    let root: String
    let path: String

    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The files of the project as paths from its root, without the package of this program.
    func files() throws -> [String] {
        let listed = Shell.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], in: root)
        guard listed.code == 0 else { throw Problem(description: "git: \(listed.output)") }
        return listed.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("Tests/Mutate/") }
    }

    /// Updates the copy. Unchanged files keep their dates, so they aren't rebuilt.
    ///
    /// - Parameters:
    ///   - additions: Files that only the copy has, with their texts.
    ///   - changed: Returns the contents of a file in the copy.
    func synchronize(additions: [String: String], changed: (String, Data) throws -> Data) throws {
        var kept = Set(additions.keys)
        for file in try files() {
            guard let data = FileManager.default.contents(atPath: "\(root)/\(file)") else { continue }
            kept.insert(file)
            try write(changed(file, data), to: file)
        }
        for (file, text) in additions { try write(Data(text.utf8), to: file) }
        for folder in ["Sources", "Tests"] {
            let names = FileManager.default.enumerator(atPath: "\(path)/\(folder)")?.compactMap { $0 as? String } ?? []
            for name in names where name.hasSuffix(".swift") && !kept.contains("\(folder)/\(name)") {
                try FileManager.default.removeItem(atPath: "\(path)/\(folder)/\(name)")
            }
        }
    }

    private func write(_ data: Data, to file: String) throws {
        let path = "\(path)/\(file)"
        guard FileManager.default.contents(atPath: path) != data else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// A position that the compiler reports.
    struct Place: Hashable {
        var file: String
        var line: Int
    }

    /// Builds the copy with its tests.
    ///
    /// - Returns: The places of the compiler's errors and the whole output; `nil` if the build succeeded.
    func build() -> (errors: Set<Place>, output: String)? {
        let result = Shell.run(["swift", "build", "--build-tests"], in: path)
        if result.code == 0 { return nil }
        let lines = result.output.split(separator: "\n").filter { $0.contains(": error:") }
        return (Set(lines.compactMap { place(String($0)) }), result.output)
    }

    private func place(_ message: String) -> Place? {
        let parts = message.split(separator: ":", maxSplits: 3).map(String.init)
        guard parts.count == 4, let line = Int(parts[1]), let start = parts[0].range(of: path + "/") else { return nil }
        return Place(file: String(parts[0][start.upperBound...]), line: line)
    }
}
