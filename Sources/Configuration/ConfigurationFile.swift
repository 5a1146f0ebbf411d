import Foundation
import ModelCore
import TerminalUI

/// The configuration file in TOML: a table for each part of a setting's name.
///
/// ```toml
/// [appearance]
/// theme = "rosa"
/// list-width = 42
///
/// [keys]
/// "entry.browser" = ["o", "ctrl-o"]
/// ```
package struct ConfigurationFile {
    /// The settings by their names.
    package var settings: [String: String] = [:]
    /// Keys of commands that are to have others than their own.
    package var keys: [String: [KeySequence]] = [:]

    /// What is wrong with a file.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String

        init(_ path: String, _ line: Int, _ message: String) { description = "\(path), line \(line): \(message)" }

        init(description: String) { self.description = description }
    }

    /// Reads a file; one that does not exist says nothing.
    ///
    /// - Throws: ``Problem`` that names the file and the line.
    package static func read(_ path: String) throws(Problem) -> ConfigurationFile {
        guard FileManager.default.fileExists(atPath: path) else { return ConfigurationFile() }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Problem(description: "cannot read \(path)")
        }
        return try parse(String(decoding: data, as: UTF8.self), path: path)
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``Problem`` that names the file and the line.
    package static func parse(_ text: String, path: String) throws(Problem) -> ConfigurationFile {
        let table: TOMLTable
        do { table = try TOMLParser.parse(text) } catch { throw Problem(path, error.line, error.message) }
        var file = ConfigurationFile()
        if let keys = table["keys"]?.table { file.keys = try readKeys(keys, prefix: "", path: path) }
        try collect(table, prefix: "", path: path, into: &file.settings)
        return file
    }

    private static func readKeys(_ table: TOMLTable, prefix: String, path: String) throws(Problem)
        -> [String: [KeySequence]]
    {
        var keys: [String: [KeySequence]] = [:]
        for key in table.keys {
            guard let value = table[key] else { continue }
            let name = prefix + key
            if let inner = value.table {
                // Without quotes a name with a dot is a table of its own.
                keys.merge(try readKeys(inner, prefix: name + ".", path: path)) { $1 }
                continue
            }
            let words = value.string.map { [$0] } ?? value.array?.map(\.text) ?? []
            var sequences: [KeySequence] = []
            for word in words {
                guard let sequence = KeySequence(word) else {
                    throw Problem(path, value.line, "'\(word)' is not a key (for \(name))")
                }
                sequences.append(sequence)
            }
            guard !words.isEmpty else { throw Problem(path, value.line, "\(name) has no keys") }
            keys[name] = sequences
        }
        return keys
    }

    private static func collect(_ table: TOMLTable, prefix: String, path: String, into values: inout [String: String])
        throws(Problem)
    {
        for key in table.keys {
            guard let value = table[key] else { continue }
            let name = prefix.isEmpty ? key : "\(prefix).\(key)"
            if name == "keys" { continue }
            if let inner = value.table {
                try collect(inner, prefix: name, path: path, into: &values)
                continue
            }
            guard let definition = Settings.definition(name) else {
                throw Problem(path, value.line, "there is no setting '\(name)'")
            }
            let text =
                switch value.kind {
                case .boolean(let isOn): isOn ? "on" : "off"
                default: value.text
                }
            guard definition.accepts(text) else {
                throw Problem(path, value.line, "\(name) is '\(text)', but can be \(definition.domain)")
            }
            values[name] = text
        }
    }

    /// The file that says what the defaults are.
    package static var defaults: String {
        var lines: [String] = []
        var section = ""
        for definition in Settings.definitions {
            let parts = definition.name.split(separator: ".", maxSplits: 1)
            if parts[0] != section {
                if !section.isEmpty { lines.append("") }
                section = String(parts[0])
                lines.append("[\(section)]")
            }
            lines.append("# \(definition.explanation) Can be \(definition.domain).")
            let value =
                switch definition.kind {
                case .number: definition.defaultValue
                case .toggle: definition.defaultValue == "on" ? "true" : "false"
                case .choice: "\"\(definition.defaultValue)\""
                }
            lines.append("\(parts[1]) = \(value)")
        }
        return lines.joined(separator: "\n")
    }
}
