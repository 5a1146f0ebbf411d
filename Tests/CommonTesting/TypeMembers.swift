import Foundation

/// Counts the members of types, with those in extensions.
///
/// The sources are formatted, so indentation tells where a declaration belongs.
package enum TypeMembers {
    /// Returns the number of members of each type that is declared in files below a folder, by the type's name.
    ///
    /// - Throws: An error if a file can't be read.
    package static func counts(in folder: URL) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in found ?? .init() where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for (type, count) in self.counts(lines) { counts[type, default: 0] += count }
        }
        return counts
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "open", "internal", "private", "fileprivate", "private(set)", "final", "static",
        "indirect", "override", "mutating", "nonisolated", "convenience", "required", "lazy", "weak", "unowned",
        "borrowing", "consuming",
    ]
    private static let types: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "extension"]
    private static let members: Set<Substring> = ["func", "var", "let", "init", "subscript", "case"]

    private static func counts(_ lines: [Substring]) -> [String: Int] {
        var counts: [String: Int] = [:]
        var type: String?
        for line in lines {
            let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            guard indentation == 0 || indentation == 4 else { continue }
            var words = line.split(separator: " ", maxSplits: 9).drop { modifiers.contains($0) || $0.first == "@" }
            if indentation == 0, line == "}" {
                type = nil
            } else if indentation == 0, let first = words.first, types.contains(first), words.count > 1 {
                type = String(words[words.startIndex + 1].prefix { $0.isLetter || $0.isNumber || "_.".contains($0) })
            } else if indentation == 4, let type {
                // Such as "class func".
                if words.first == "class" { words = words.dropFirst() }
                if let first = words.first, members.contains(first.prefix { $0.isLetter }) {
                    counts[type, default: 0] += 1
                }
            }
        }
        return counts
    }
}
