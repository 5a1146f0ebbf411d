import Foundation

/// A copy of the project with all selected mutants built in, none of them active.
struct MutatedTree {
    let copy: ProjectCopy
    /// The mutants that could be built, by number; omitted ones are `nil`.
    private(set) var mutants: [Mutant?]

    init(root: String, copy path: String, mutants: [Mutant]) {
        copy = ProjectCopy(root: root, path: path)
        self.mutants = mutants
    }

    /// The Swift files of a module, as paths from the root.
    static func files(of module: String, root: String) -> [String] {
        let folder = "Sources/\(module)"
        let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
    }

    private func synchronize() throws {
        let modules = Set(mutants.compactMap { $0?.module })
        let switches = modules.map { ("Sources/\($0)/MutantSwitches.swift", MutantSwitches.source) }
        try copy.synchronize(additions: Dictionary(uniqueKeysWithValues: switches)) { file, data in
            let numbers = mutants.indices.filter { mutants[$0]?.file == file }
            return numbers.isEmpty ? data : Data(mutated(data, numbers).utf8)
        }
    }

    /// The text of a file with its mutants: outer ones open before inner ones and close after them.
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

    /// Rounds of building: each one covers some faults of each module.
    private static let maximum = 60

    /// Builds the copy with its tests; mutants that don't compile are omitted, and the rest is built again.
    mutating func build(report: (String) -> Void) throws {
        for round in 1...MutatedTree.maximum {
            try synchronize()
            guard let (errors, output) = copy.build() else { return }
            let before = mutants.count { $0 != nil }
            for error in errors { leaveOut(error.file, error.line) }
            let count = before - mutants.count { $0 != nil }
            report("round \(round): \(count) mutants do not compile")
            if count == 0 { throw ProjectCopy.Problem(description: "the copy does not build:\n" + output.suffix(4000)) }
        }
        throw ProjectCopy.Problem(description: "the copy does not build after \(MutatedTree.maximum) rounds")
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
