// Prints figures about the structure of the sources: measure SOURCES.
//
// The sources are formatted by `make format`, so indentation tells where a declaration belongs. Counts are close
// enough to compare two versions; they are not a parser's.
import Foundation

struct File {
    var path: String
    var lines: [String]
}

let root = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "Sources"
let paths = (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []).filter {
    $0.hasSuffix(".swift")
}.sorted()
let files = paths.compactMap { path in
    (try? String(contentsOfFile: root + "/" + path, encoding: .utf8)).map {
        File(path: path, lines: $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
}

func table(_ title: String, _ rows: [(name: String, count: Int)], maximum: Int = 10) {
    print("\n\(title)")
    for row in rows.sorted(by: { ($1.count, $0.name) < ($0.count, $1.name) }).prefix(maximum) {
        print("  \(row.count)\t\(row.name)")
    }
}

func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

let members = try TypeMembers.counts(in: URL(fileURLWithPath: root))
table("Largest types (members, with extensions)", members.map { ($0.key, $0.value) })

// Functions from their first line to the brace that closes them.
var functions: [(name: String, count: Int)] = []
for file in files {
    for (start, line) in file.lines.enumerated() {
        guard let found = line.firstMatch(of: /^ *(?:[@\w()]+ )*func (\w+)/) else { continue }
        // A requirement of a protocol has no body.
        guard file.lines[start...].prefix(9).prefix(while: { !$0.isEmpty }).contains(where: { $0.hasSuffix("{") })
        else {
            continue
        }
        let end = String(repeating: " ", count: indentation(line)) + "}"
        guard let length = file.lines[start...].prefix(400).firstIndex(of: end) else { continue }
        functions.append(("\(found.1) in \(file.path)", length - start + 1))
    }
}
table("Longest functions (lines)", functions)

// Declarations by access.
let access = ["public", "open", "package", "private", "fileprivate"].map { word in
    (word, files.reduce(0) { $0 + $1.lines.count { $0.trimmingCharacters(in: .whitespaces).hasPrefix(word + " ") } })
}
table("Declarations by access", access)

let modules = Set(files.compactMap { $0.path.split(separator: "/").first }).sorted()
let circles = try modules.flatMap { module in
    try FolderCircles.arrows(in: URL(fileURLWithPath: root).appendingPathComponent(String(module))).map {
        "\(module): \($0)"
    }
}
print("\nWhat folders of a module use of each other in circles")
for circle in circles.isEmpty ? ["nothing"] : circles { print("  \(circle)") }

let lines = files.map(\.lines.count).sorted()
print(
    "\n\(files.count) files, \(lines.reduce(0, +)) lines, median \(lines.isEmpty ? 0 : lines[lines.count / 2]), longest \(lines.last ?? 0)"
)
