import Foundation

/// Finds folders of a module that use each other's types. They can only be read and changed together.
///
/// The sources are formatted, so indentation tells which types are declared inside others. A name after a dot is that of
/// a member, and a name that the file declares inside another type isn't that of another folder.
package enum FolderCircles {
    /// Returns what the folders of a module use of each other, if they do so in a circle, directly or through others.
    ///
    /// - Parameter module: The folder of the module's sources.
    /// - Throws: An error if a file can't be read.
    package static func arrows(in module: URL) throws -> [String] {
        let prefix = module.standardized.path + "/"
        var files: [(folder: String, text: String)] = []
        let found = FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil)
        for case let file as URL in found ?? .init() where file.pathExtension == "swift" {
            let parts = file.standardized.path.dropFirst(prefix.count).split(separator: "/")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { code($0) }
            files.append((parts.count > 1 ? String(parts[0]) : "", lines.joined(separator: "\n")))
        }
        var owners: [Substring: String] = [:]
        for (folder, text) in files {
            let declaration = /(?m)^(?:[a-z@]+ )*(?:struct|enum|class|protocol|actor|typealias) ([A-Z]\w*)/
            for match in text.matches(of: declaration) { owners[match.output.1] = folder }
        }
        var uses: [String: Set<String>] = [:]
        var words: [String: Set<Substring>] = [:]
        for (folder, text) in files {
            let declaration = /(?m)^ +(?:[a-z@]+ )*(?:struct|enum|class|protocol|actor|typealias) ([A-Z]\w*)/
            let nested = Set(text.matches(of: declaration).map(\.output.1))
            for match in text.matches(of: /\.*\b[A-Z]\w*/) {
                let word = match.output.drop { $0 == "." }
                let isMember = match.output.first == "." && match.output.dropFirst().first != "."
                guard !isMember, !nested.contains(word), let owner = owners[word], owner != folder else { continue }
                uses[folder, default: []].insert(owner)
                words["\(folder) \(owner)", default: []].insert(word)
            }
        }
        /// Whether a folder uses another, if only through others.
        func needs(_ folder: String, _ other: String) -> Bool {
            var (open, seen) = ([folder], Set<String>())
            while let next = open.popLast() {
                let used = uses[next, default: []].subtracting(seen)
                if used.contains(other) { return true }
                open += used
                seen.formUnion(used)
            }
            return false
        }
        return uses.flatMap { folder, used in
            used.filter { needs($0, folder) }.map { owner in
                "\(folder) uses \(words["\(folder) \(owner)", default: []].sorted().joined(separator: ", ")) of \(owner)"
            }
        }.sorted()
    }

    /// Returns the code of a line: without a comment, and without the texts of literals. What they interpolate stays.
    private static func code(_ line: some StringProtocol) -> String {
        var code = ""
        var isText = false
        /// The open parentheses of each interpolation around the current character.
        var parentheses: [Int] = []
        var previous: Character?
        for character in line {
            defer { previous = previous == "\\" && character == "\\" ? nil : character }
            switch (character, isText) {
            case ("(", true) where previous == "\\":
                parentheses.append(0)
                isText = false
            case ("\"", true) where previous != "\\": isText = false
            case (_, true): break
            case ("\"", false):
                isText = true
                code += " "
            case (")", false) where parentheses.last == 0:
                parentheses.removeLast()
                isText = true
            case ("/", false) where previous == "/": return String(code.dropLast())
            default:
                if let last = parentheses.indices.last { parentheses[last] += ["(": 1, ")": -1][character] ?? 0 }
                code.append(character)
            }
        }
        return code
    }
}
