import Foundation
import SwiftParser
import SwiftSyntax

/// A copy of the project with the register's faults built in as switches, all of them off.
struct FaultTree {
    let copy: ProjectCopy
    private(set) var faults: [SwitchedFault]
    /// Faults that can't be built, by name, with the reason.
    private(set) var rejected: [String: String] = [:]
    private var writers: [String: SwitchWriter] = [:]

    /// - Parameters:
    ///   - root: The project's folder.
    ///   - promises: The entries of the register.
    init(root: String, promises: [Promise]) {
        copy = ProjectCopy(root: root, path: root + "/.build/mutants/promises")
        faults = []
        var sources: [String: (text: String, bytes: [UInt8], tree: SourceFileSyntax)] = [:]
        for promise in promises {
            for (index, fault) in promise.faults.enumerated() {
                let name = "\(promise.id).\(index + 1)"
                do {
                    if sources[fault.file] == nil {
                        let text = try String(contentsOfFile: "\(root)/\(fault.file)", encoding: .utf8)
                        sources[fault.file] = (text, Array(text.utf8), Parser.parse(source: text))
                    }
                    guard let source = sources[fault.file] else { continue }
                    let changed = try fault.applied(to: source.text)
                    var switched = SwitchedFault(name: name, fault: fault)
                    if fault.file.hasSuffix(".swift") {
                        switched.ways = SwitchWriter.ways(switched.number, changed, source: (source.bytes, source.tree))
                    }
                    faults.append(switched)
                } catch {
                    rejected[name] = "\(error)"
                }
            }
        }
    }

    /// Rounds of building: each one covers some faults of each module.
    private static let most = 60

    /// Builds the copy with its tests. A fault that doesn't compile is switched in another way; when none is left, it
    /// is rejected.
    mutating func build(report: (String) -> Void) throws {
        for round in 1...FaultTree.most {
            try synchronize()
            guard let (errors, output) = copy.build() else { return }
            var changed: Set<Int> = []
            for (place, message) in errors {
                for number in concerned(place) where changed.insert(number).inserted {
                    guard let index = faults.firstIndex(where: { $0.number == number }) else { continue }
                    faults[index].attempts += 1
                    faults[index].lastError = message
                }
            }
            report("round \(round): \(errors.count) errors, \(changed.count) faults are switched in another way")
            if changed.isEmpty {
                let lines = errors.isEmpty ? String(output.suffix(4000)) : errors.values.joined(separator: "\n")
                throw ProjectCopy.Problem(description: "the copy does not build:\n\(lines)")
            }
        }
        throw ProjectCopy.Problem(description: "the copy does not build after \(FaultTree.most) rounds")
    }

    /// The faults that may cause a compiler error: those on its line, otherwise those of the sites around it.
    private func concerned(_ place: ProjectCopy.Place) -> [Int] {
        guard let writer = writers[place.file] else {
            return faults.filter { $0.fault.file == place.file }.map(\.number)
        }
        let own = writer.lines.filter { $0.value.contains(place.line) }.map(\.key)
        if !own.isEmpty { return own }
        let around = writer.sites.filter { $0.lines.contains(place.line) }
        if let innermost = around.min(by: { $0.lines.count < $1.lines.count }) { return innermost.faults }
        return writer.lines.keys.sorted()
    }

    private mutating func synchronize() throws {
        // A fault without any way left is found when its file is written, and omitted the next time.
        var isComplete = false
        while !isComplete {
            isComplete = true
            for (file, own) in Dictionary(grouping: faults, by: \.fault.file) where file.hasSuffix(".swift") {
                let source = try String(contentsOfFile: "\(copy.root)/\(file)", encoding: .utf8)
                let writer = SwitchWriter(source: source, faults: own)
                writers[file] = writer
                for number in writer.impossible {
                    guard let index = faults.firstIndex(where: { $0.number == number }) else { continue }
                    rejected[faults[index].name] = "it can't be switched: \(faults[index].lastError)"
                    faults.remove(at: index)
                    isComplete = false
                }
            }
        }
        let faults = faults
        let writers = writers
        let modules = Set(
            try copy.files().filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.map {
                $0.split(separator: "/")[1]
            })
        let switches = modules.map { ("Sources/\($0)/MutantSwitches.swift", MutantSwitches.source) }
        try copy.synchronize(additions: Dictionary(uniqueKeysWithValues: switches)) { file, data in
            let own = faults.filter { $0.fault.file == file }
            if own.isEmpty { return data }
            if let writer = writers[file] { return Data(writer.text.utf8) }
            return Data(FaultTree.switchedC(String(decoding: data, as: UTF8.self), own).utf8)
        }
    }

    /// A C file whose hunks, which consist of complete statements, are switched.
    private static func switchedC(_ text: String, _ faults: [SwitchedFault]) -> String {
        var result = text
        for fault in faults {
            var hunk = fault.fault
            var old: [String] = []
            var new: [String] = []
            for line in hunk.hunk {
                switch line {
                case .context(let text):
                    old.append(text)
                    new.append(text)
                case .removed(let text): old.append(text)
                case .added(let text): new.append(text)
                }
            }
            hunk.hunk = old.map { .removed($0) }
            hunk.hunk.append(
                .added(
                    "if (mutant_is(\(fault.number))) {\n\(new.joined(separator: "\n"))\n} else {\n\(old.joined(separator: "\n"))\n}"
                ))
            if let changed = try? hunk.applied(to: result) { result = changed }
        }
        return MutantSwitches.cSource + result
    }
}
