// Writes a small package of ICU data that replaces the complete one when linking: icu-data LIBRARY FOLDER
//
// Foundation's static library contains 34 MB of tables: languages, currencies, collations, character sets. tappa needs only time zones
// by name and the rules for international host names; all other texts are its own. The required parts are copied from the toolchain's
// own package, so the version always fits. A linker script redirects the package's symbol to the small one, and the linker then drops
// the library's own as unreferenced.
//
// The format: https://github.com/unicode-org/icu/blob/main/icu4c/source/common/ucmndata.h. A header; the number of items; for each
// item the offsets of its name and bytes from the end of the header; the sorted names; the bytes, aligned to 16.

import Foundation

/// The names of the items to keep.
let kept: Set<String> = [
    "zoneinfo64.res", "timezoneTypes.res", "keyTypeData.res", "uts46.nrm",
]

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("icu-data: \(sentence)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count == 3 else { fail("icu-data LIBRARY FOLDER") }
guard let library = try? Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]), options: .alwaysMapped)
else { fail("\(CommandLine.arguments[1]) cannot be read") }

/// Reads a little-endian number; all supported systems are little-endian.
func number(_ place: Int, bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(library[place + $1]) << (8 * $1) }
}

func name(_ place: Int) -> String { String(decoding: library[place...].prefix { $0 != 0 }, as: UTF8.self) }

/// The package: its header ends with words that are no part of what is looked for.
var found: (start: Int, header: Int, count: Int)?
var rest = library.startIndex..<library.endIndex
while let place = library.range(of: Data("CmnD".utf8), in: rest) {
    rest = place.upperBound..<library.endIndex
    let start = place.lowerBound - 12
    guard start >= 0, number(start + 2, bytes: 2) == 0x27DA else { continue }
    let header = number(start, bytes: 2)
    let count = number(start + header, bytes: 4)
    if (100..<100_000).contains(count) { found = (start, header, count) }
}
guard let found else { fail("the library has no package of data; the program is linked with the whole of it") }

let body = found.start + found.header
let items = (0..<found.count).map { index in
    (name: name(body + number(body + 4 + 8 * index, bytes: 4)), place: number(body + 8 + 8 * index, bytes: 4))
}
guard let prefix = items.first?.name.split(separator: "/").first else { fail("the package has no items") }
let chosen = items.indices.dropLast().filter { kept.contains(String(items[$0].name.dropFirst(prefix.count + 1))) }

var names = Data()
var contents = Data()
var entries: [(name: Int, place: Int)] = []
for index in chosen {
    entries.append((names.count, contents.count))
    names.append(contentsOf: Array(items[index].name.utf8) + [0])
    contents.append(library[(body + items[index].place)..<(body + items[index + 1].place)])
    contents.append(Data(count: (16 - contents.count % 16) % 16))
}
let tableSize = 4 + 8 * entries.count
let contentsPlace = (tableSize + names.count + 15) / 16 * 16
var package = Data(library[found.start..<body])
for number in [entries.count] + entries.flatMap({ [tableSize + $0.name, contentsPlace + $0.place] }) {
    package.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
}
package.append(names)
package.append(Data(count: contentsPlace - tableSize - names.count))
package.append(contents)

let folder = URL(fileURLWithPath: CommandLine.arguments[2])
// The last character of the items' own prefix is the order of bytes, which is no part of the symbol's name.
let symbol = "\(prefix.dropLast())_dat"
let assembly = """
        .section .rodata.small_icu_data,"a"
        .globl small_icu_data
        .balign 16
    small_icu_data:
        .incbin "\(folder.path)/icu-data.dat"
        .section .note.GNU-stack,"",%progbits

    """
let script = """
    INPUT("\(folder.path)/icu-data.o")
    \(symbol) = small_icu_data;

    """
do {
    try package.write(to: folder.appendingPathComponent("icu-data.dat"))
    try Data(assembly.utf8).write(to: folder.appendingPathComponent("icu-data.s"))
    try Data(script.utf8).write(to: folder.appendingPathComponent("icu-data.ld"))
} catch {
    fail("\(error.localizedDescription)")
}
print("\(entries.count) of \(items.count) items, \(package.count) of \(library.count) bytes")
