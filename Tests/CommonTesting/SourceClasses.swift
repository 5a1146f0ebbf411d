import Foundation

/// The classes that the sources of a module declare.
package enum SourceClasses {
    /// The names of a module's classes that descend from a class.
    ///
    /// - Parameters:
    ///   - module: The name of the folder in `Sources`.
    ///   - base: The name of the class that they descend from.
    package static func names(of module: String, descendingFrom base: String) throws -> Set<String> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources").appendingPathComponent(module)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var bases: [String: String] = [:]
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /class (\w+): (\w+)/) { bases[String(match.1)] = String(match.2) }
        }
        var found: Set<String> = [base]
        while true {
            let more = bases.filter { found.contains($0.value) && !found.contains($0.key) }.keys
            guard !more.isEmpty else { return found.subtracting([base]) }
            found.formUnion(more)
        }
    }
}
