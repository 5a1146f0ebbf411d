import Foundation

/// A copy of the project in which all chosen mutants are built in, none of them in force.
struct MutatedTree {
    /// The project and its copy, paths without a slash at the end.
    let root: String
    let copy: String
    /// The mutants that could be built, by their numbers; those left out are `nil`.
    private(set) var mutants: [Mutant?]

    init(root: String, mutants: [Mutant]) {
        self.root = root
        copy = root + "/.build/mutants/tree"
        self.mutants = mutants
    }

    private struct Place: Hashable {
        var file: String
        var line: Int
    }

    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    /// The Swift files of a module, as paths from the root.
    static func files(of module: String, root: String) -> [String] {
        let folder = "Sources/\(module)"
        let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }

    /// Brings the copy up to date; files that are as they were keep their dates, and are not built again.
    private func synchronize() throws {
        let listed = Shell.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], in: root)
        guard listed.code == 0 else { throw Problem(description: "git: \(listed.output)") }
        let modules = Set(mutants.compactMap { $0?.module })
        let files = listed.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("Tests/Mutate/") }
        var kept = Set(files)
        for file in files {
            guard let data = FileManager.default.contents(atPath: "\(root)/\(file)") else { continue }
            let numbers = mutants.indices.filter { mutants[$0]?.file == file }
            let text = numbers.isEmpty ? data : Data(mutated(data, numbers).utf8)
            try write(text, to: file)
        }
        for module in modules {
            kept.insert("Sources/\(module)/MutantSwitches.swift")
            try write(Data(MutantSwitches.source.utf8), to: "Sources/\(module)/MutantSwitches.swift")
        }
        for folder in ["Sources", "Tests"] {
            let names = FileManager.default.enumerator(atPath: "\(copy)/\(folder)")?.compactMap { $0 as? String } ?? []
            for name in names where name.hasSuffix(".swift") && !kept.contains("\(folder)/\(name)") {
                try FileManager.default.removeItem(atPath: "\(copy)/\(folder)/\(name)")
            }
        }
    }

    private func write(_ data: Data, to file: String) throws {
        let path = "\(copy)/\(file)"
        guard FileManager.default.contents(atPath: path) != data else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// The text of a file with mutants in it: outer ones are opened before inner ones, and closed after them.
    private func mutated(_ data: Data, _ numbers: [Int]) -> String {
        let edits = numbers.flatMap { number -> [(edit: Mutant.Edit, mutant: Mutant, number: Int)] in
            guard let mutant = mutants[number] else { return [] }
            return mutant.edits.map { ($0, mutant, number) }
        }.sorted { a, b in
            if a.edit.offset != b.edit.offset { return a.edit.offset < b.edit.offset }
            if a.edit.isClosing != b.edit.isClosing { return a.edit.isClosing }
            if a.edit.length != b.edit.length { return a.edit.length < b.edit.length }
            if a.edit.isClosing {
                return (-a.mutant.range.lowerBound, -a.number) < (-b.mutant.range.lowerBound, -b.number)
            }
            return (-a.mutant.range.upperBound, a.number) < (-b.mutant.range.upperBound, b.number)
        }
        let bytes = Array(data)
        var result: [UInt8] = []
        var position = 0
        for (edit, _, number) in edits {
            result += bytes[position..<max(position, edit.offset)]
            result += edit.text.replacingOccurrences(of: "#", with: "\(number)").utf8
            position = max(position, edit.offset + edit.length)
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }

    /// Rounds of building: each module takes some, one after the other.
    private static let most = 60

    /// Builds the copy with its tests; mutants that do not compile are left out, and the rest is built again.
    mutating func build(report: (String) -> Void) throws {
        for round in 1...MutatedTree.most {
            try synchronize()
            let result = Shell.run(["swift", "build", "--build-tests"], in: copy)
            if result.code == 0 { return }
            let errors = Set(
                result.output.split(separator: "\n").filter { $0.contains(": error:") }.compactMap { place(String($0)) }
            )
            let before = mutants.count { $0 != nil }
            for error in errors { leaveOut(error.file, error.line) }
            let count = before - mutants.count { $0 != nil }
            report("round \(round): \(count) mutants do not compile")
            if count == 0 { throw Problem(description: "the copy does not build:\n" + result.output.suffix(4000)) }
        }
        throw Problem(description: "the copy does not build after \(MutatedTree.most) rounds")
    }

    /// File and line of an error of the compiler.
    private func place(_ message: String) -> Place? {
        let parts = message.split(separator: ":", maxSplits: 3).map(String.init)
        guard parts.count == 4, let line = Int(parts[1]), let start = parts[0].range(of: copy + "/") else { return nil }
        return Place(file: String(parts[0][start.upperBound...]), line: line)
    }

    private mutating func leaveOut(_ file: String, _ line: Int) {
        let inFile = mutants.indices.filter { mutants[$0]?.file == file }
        let choices: [(Mutant) -> Bool] = [
            { $0.lines.contains(line) }, { $0.leavesOut && $0.function.contains(line) }, { $0.function.contains(line) },
            { _ in true },
        ]
        for isMeant in choices {
            let found = inFile.filter { mutants[$0].map(isMeant) ?? false }
            if found.isEmpty { continue }
            for number in found { mutants[number] = nil }
            return
        }
    }
}
