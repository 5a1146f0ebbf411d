// Prints figures about the structure of the sources: measure SOURCES.
//
// The sources are formatted by `make format`, so indentation tells where a declaration belongs. Counts are close
// enough to compare two versions; they are not a parser's.
import Foundation

struct File {
    var path: String
    var lines: [String]
    /// The folder below the module, such as `ModelCore/Store`.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
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

func table(_ title: String, _ rows: [(name: String, count: Int)], most: Int = 10) {
    print("\n\(title)")
    for row in rows.sorted(by: { ($1.count, $0.name) < ($0.count, $1.name) }).prefix(most) {
        print("  \(row.count)\t\(row.name)")
    }
}

func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }

// Types and their members, extensions included.
let typeLine =
    /^(?:@\w+ |public |package |open |final |private |fileprivate |indirect )*(class|struct|enum|protocol|actor|extension) ([\w.]+)/
let memberLine =
    /^    (?:@\w+(?:\([^)]*\))? |public |package |open |internal |private |fileprivate |private\(set\) |final |static |class |override |mutating |nonisolated |convenience |required |lazy |weak |unowned |borrowing |consuming )*(func|var|let|init|subscript|case)\b/
var members: [String: Int] = [:]
var declared: [String: Set<String>] = [:]
for file in files {
    var type: String?
    for line in file.lines {
        if let found = line.firstMatch(of: typeLine) {
            let name = String(found.2)
            type = name
            if found.1 != "extension" { declared[name, default: []].insert(file.folder) }
        } else if line == "}" {
            type = nil
        } else if let type, line.firstMatch(of: memberLine) != nil {
            members[type, default: 0] += 1
        }
    }
}
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

/// Returns the code of a line: without a comment, and without the texts of literals. What they interpolate stays.
func code(_ line: some StringProtocol) -> String {
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

// Folders that use each other's types. A name after a dot, or one that the file declares inside another type, isn't one
// of these.
var uses: [String: [String: Set<String>]] = [:]
let owners = declared.filter { $0.value.count == 1 }.mapValues { $0.first ?? "" }
for file in files {
    let lines = file.lines.map(code)
    let nested = Set(
        lines.compactMap { $0.firstMatch(of: /^ +(?:[a-z@]+ )*(?:struct|enum|class|protocol|actor) (\w+)/)?.output.1 })
    for line in lines {
        for match in line.matches(of: /\.*\b[A-Z]\w*/) {
            let word = match.output.drop { $0 == "." }
            let isMember = match.output.first == "." && match.output.dropFirst().first != "."
            guard !isMember, !nested.contains(word), let owner = owners[String(word)], owner != file.folder else {
                continue
            }
            uses[file.folder, default: [:]][owner, default: []].insert(String(word))
        }
    }
}
var pairs: [(name: String, count: Int)] = []
var pairTypes: [String] = []
for (one, others) in uses {
    for (other, used) in others where one < other {
        guard let usedBack = uses[other]?[one] else { continue }
        let module = one.split(separator: "/")[0]
        guard other.split(separator: "/")[0] == module else { continue }
        pairs.append((String(module), 1))
        pairTypes.append(
            """
              \(one) uses \(used.sorted().joined(separator: ", ")) of \(other)
              \(other) uses \(usedBack.sorted().joined(separator: ", ")) of \(one)

            """)
    }
}
table(
    "Pairs of a module's folders that use each other",
    Dictionary(pairs.map { ($0.name, $0.count) }, uniquingKeysWith: +).map { ($0.key, $0.value) })
for arrow in pairTypes.sorted() { print(arrow) }

let lines = files.map(\.lines.count).sorted()
print(
    "\n\(files.count) files, \(lines.reduce(0, +)) lines, median \(lines.isEmpty ? 0 : lines[lines.count / 2]), longest \(lines.last ?? 0)"
)
