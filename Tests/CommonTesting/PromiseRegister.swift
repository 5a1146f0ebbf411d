import Foundation

/// A statement about behaviour that users or callers rely on, with the tests that hold it.
package struct Promise: Sendable {
    /// The identifier, such as `SEG-05`.
    package var id: String
    package var sentence: String
    /// Test functions as `Suite/function`.
    package var tests: [String] = []
    /// The file of the register and the line in it, from 1.
    package var file: String
    package var line: Int
}

/// The register of promises: the text files in `Tests/Promises`.
///
/// An entry is a line with an identifier and a sentence, followed by indented lines: the rest of the sentence, then its tests by
/// suite, as `Suite/function other`.
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
            } else if let reason = add(content) {
                problems.append("\(file):\(index + 1): \(reason)")
            }
        }
    }

    /// Adds an indented line to the entry above it; returns why it can't be read.
    private mutating func add(_ content: String) -> String? {
        guard let last = promises.indices.last else { return "a line before the first entry" }
        let names = content.split(separator: "/").map { $0.split(separator: " ").map(String.init) }
        if names.count == 2, names[0].count == 1, names.joined().allSatisfy({ $0.wholeMatch(of: /\w+/) != nil }) {
            promises[last].tests += names[1].map { "\(names[0][0])/\($0)" }
        } else if promises[last].tests.isEmpty {
            promises[last].sentence += " " + content
        } else {
            return "not a test: \(content)"
        }
        return nil
    }
}
