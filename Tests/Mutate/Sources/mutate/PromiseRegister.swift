import Foundation

/// A statement about behaviour that users or callers rely on, with the tests that hold it.
package struct Promise: Sendable {
    /// The identifier, such as `SEG-05`.
    package var id: String
    package var sentence: String
    /// Test functions as `Suite/function`.
    package var tests: [String] = []
    package var faults: [DeliberateFault] = []
    /// The file of the register and the line in it, from 1.
    package var file: String
    package var line: Int
}

/// A small change of one source file that breaks a promise.
package struct DeliberateFault: Sendable {
    /// One line of a hunk, without its indentation.
    package enum Line: Sendable, Equatable {
        case context(String)
        case removed(String)
        case added(String)
    }

    /// Why a fault can't be applied.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

    /// The path of the source file from the project's root.
    package var file: String
    package var hunk: [Line] = []

    package init(file: String, hunk: [Line] = []) {
        self.file = file
        self.hunk = hunk
    }

    /// The module whose file the fault changes.
    package var module: String { file.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// The text of the file with the fault in it.
    ///
    /// The lines that the hunk expects must follow one another in exactly one place; indentation doesn't count.
    ///
    /// - Throws: ``Problem`` if the hunk fits nowhere or in several places, or changes nothing.
    package func applied(to text: String) throws -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let range = try place(in: lines)
        let indentation = lines[range.lowerBound].prefix { $0 == " " }
        var position = range.lowerBound
        var result = Array(lines[..<range.lowerBound])
        for line in hunk {
            switch line {
            case .context:
                result.append(lines[position])
                position += 1
            case .removed: position += 1
            case .added(let text): result.append(indentation + text)
            }
        }
        return (result + lines[range.upperBound...]).joined(separator: "\n")
    }

    /// The lines that the hunk expects, by their indices in the file.
    private func place(in lines: [String]) throws -> Range<Int> {
        let expected = hunk.compactMap { line -> String? in
            switch line {
            case .context(let text), .removed(let text): text
            case .added: nil
            }
        }
        guard !expected.isEmpty else { throw Problem(description: "the hunk names no line of the file") }
        guard hunk.contains(where: { if case .context = $0 { false } else { true } }) else {
            throw Problem(description: "the hunk changes nothing")
        }
        let trimmed = lines.map { $0.trimmingCharacters(in: .whitespaces) }
        guard lines.count >= expected.count else { throw Problem(description: "the hunk is longer than the file") }
        let starts = (0...(lines.count - expected.count)).filter { start in
            trimmed[start] == expected[0] && trimmed[start..<(start + expected.count)].elementsEqual(expected)
        }
        guard let start = starts.first, starts.count == 1 else {
            throw Problem(description: "the hunk fits in \(starts.count) places: \(expected[0])")
        }
        return start..<(start + expected.count)
    }
}

/// The register of promises: the text files in `Tests/Promises`.
///
/// An entry is a line with an identifier and a sentence, followed by indented lines: `test Suite/function`, and `fault FILE` with the
/// lines of a hunk (`- ` removed, `+ ` added, otherwise context).
package struct PromiseRegister: Sendable {
    package private(set) var promises: [Promise] = []
    /// Lines that can't be read, as `file:line: reason`.
    package private(set) var problems: [String] = []

    /// Reads all files of the register.
    ///
    /// - Parameter root: The project's folder.
    package init(root: String) throws {
        let folder = "\(root)/Tests/Promises"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".txt") {
            read(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8), file: "Tests/Promises/\(name)")
        }
    }

    /// Reads one file of the register from its text.
    package init(text: String, file: String) { read(text, file: file) }

    private mutating func read(_ text: String, file: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.trimmingCharacters(in: .whitespaces)
            if content.isEmpty || line.hasPrefix("#") { continue }
            if !line.hasPrefix(" ") {
                let words = content.split(separator: " ", maxSplits: 1).map(String.init)
                guard words.count == 2, words[0].wholeMatch(of: /[A-Z]+-[0-9]+[a-z]?/) != nil else {
                    problems.append("\(file):\(index + 1): no identifier with a sentence: \(content)")
                    continue
                }
                promises.append(Promise(id: words[0], sentence: words[1], file: file, line: index + 1))
            } else if let reason = add(String(line), content) {
                problems.append("\(file):\(index + 1): \(reason)")
            }
        }
    }

    /// Adds an indented line to the entry above it; returns why it can't be read.
    private mutating func add(_ line: String, _ content: String) -> String? {
        guard let last = promises.indices.last else { return "a line before the first entry" }
        if line.hasPrefix("    ") {
            guard let fault = promises[last].faults.indices.last else { return "a line of a hunk without a fault" }
            promises[last].faults[fault].hunk.append(PromiseRegister.hunkLine(content))
        } else if content.hasPrefix("test ") {
            promises[last].tests.append(content.dropFirst(5).trimmingCharacters(in: .whitespaces))
        } else if content.hasPrefix("fault ") {
            promises[last].faults.append(
                DeliberateFault(file: content.dropFirst(6).trimmingCharacters(in: .whitespaces)))
        } else if promises[last].tests.isEmpty && promises[last].faults.isEmpty {
            promises[last].sentence += " " + content
        } else {
            return "neither test nor fault: \(content)"
        }
        return nil
    }

    private static func hunkLine(_ content: String) -> DeliberateFault.Line {
        let text = content.dropFirst().trimmingCharacters(in: .whitespaces)
        if content == "-" || content.hasPrefix("- ") { return .removed(text) }
        if content == "+" || content.hasPrefix("+ ") { return .added(text) }
        return .context(content)
    }
}
