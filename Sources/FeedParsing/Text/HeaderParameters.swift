import Foundation

/// The parameters of a field of HTTP, such as `; filename="a.mp3"` (RFC 9110, section 5.6.6).
package enum HeaderParameters {
    /// Returns the values by lower-case name. One with its character set, such as `filename*=UTF-8''a%20b` (RFC 8187), wins
    /// over a plain one.
    package static func read(_ field: some StringProtocol) -> [String: String] {
        var values: [String: String] = [:]
        var extended: [String: String] = [:]
        for parameter in parts(of: field) {
            let pair = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks }
            guard pair.count == 2, let name = pair.first?.lowercased() else { continue }
            if name.hasSuffix("*") {
                let value = pair[1].split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false).last
                extended[String(name.dropLast())] = value.map(String.init)?.removingPercentEncoding
            } else {
                values[name] = pair[1]
            }
        }
        return values.merging(extended) { $1 }
    }

    /// Splits a field at semicolons outside quotation marks, which are removed.
    private static func parts(of field: some StringProtocol) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in field {
            if isEscaped {
                parts[parts.count - 1].append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
