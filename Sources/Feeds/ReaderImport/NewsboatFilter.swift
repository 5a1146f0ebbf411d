import Foundation
import LibraryKernel

/// Translates newsboat's filter language to queries (newsboat manual, "Filter Language").
package struct NewsboatFilter {
    /// The reason why a filter has no equivalent, as a sentence without a full stop.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String

        package init(_ description: String) { self.description = description }
    }

    private enum Token: Equatable {
        case open, close, and, or
        case word(String)
        case sign(String)
        case text(String)
    }

    private var tokens: [Token] = []
    private var index = 0

    /// Returns the equivalent query.
    ///
    /// - Throws: ``Problem`` with the part that has no equivalent.
    package static func translate(_ filter: String) throws(Problem) -> String {
        var reader = NewsboatFilter()
        reader.tokens = try tokens(filter)
        let query = try reader.anyOf()
        guard reader.index == reader.tokens.count else { throw Problem("can't parse '\(filter)'") }
        do { _ = try SearchQuery(query) } catch {
            throw Problem("'\(filter)' as '\(query)': \(error.description)")
        }
        return query
    }

    // MARK: Reading

    private static func tokens(_ text: String) throws(Problem) -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first.isWhitespace {
                rest = rest.dropFirst()
            } else if first == "(" || first == ")" {
                tokens.append(first == "(" ? .open : .close)
                rest = rest.dropFirst()
            } else if first == "\"" || first == "'" {
                var value = ""
                rest = rest.dropFirst()
                while let character = rest.first, character != first {
                    if character == "\\", let next = rest.dropFirst().first, next == first || next == "\\" {
                        rest = rest.dropFirst()
                    }
                    value.append(rest.first ?? character)
                    rest = rest.dropFirst()
                }
                guard rest.first == first else { throw Problem("unbalanced quotation mark") }
                rest = rest.dropFirst()
                tokens.append(.text(value))
            } else if "=!<>~#".contains(first) {
                let sign = rest.prefix { "=!<>~#".contains($0) }
                tokens.append(.sign(String(sign)))
                rest = rest.dropFirst(sign.count)
            } else {
                let word = rest.prefix { !$0.isWhitespace && !"()=!<>~#\"".contains($0) }
                rest = rest.dropFirst(word.count)
                switch word.lowercased() {
                case "and": tokens.append(.and)
                case "or": tokens.append(.or)
                default: tokens.append(.word(String(word)))
                }
            }
        }
        return tokens
    }

    private mutating func next() -> Token? {
        guard index < tokens.count else { return nil }
        index += 1
        return tokens[index - 1]
    }

    private mutating func anyOf() throws(Problem) -> String {
        var parts = [try allOf()]
        while index < tokens.count, tokens[index] == .or {
            index += 1
            parts.append(try allOf())
        }
        return parts.count == 1 ? parts[0] : parts.joined(separator: " or ")
    }

    private mutating func allOf() throws(Problem) -> String {
        var parts = [try term()]
        while index < tokens.count, tokens[index] == .and {
            index += 1
            parts.append(try term())
        }
        return parts.joined(separator: " ")
    }

    private mutating func term() throws(Problem) -> String {
        switch next() {
        case .open:
            let inner = try anyOf()
            guard next() == .close else { throw Problem("unbalanced parenthesis") }
            return "(\(inner))"
        case .word(let attribute):
            if index < tokens.count, case .word("between") = tokens[index] {
                index += 1
                return try condition(attribute, "between", try value())
            }
            guard case .sign(let sign) = next() else { throw Problem("'\(attribute)' lacks a comparison") }
            return try condition(attribute, sign, try value())
        default: throw Problem("missing condition")
        }
    }

    private mutating func value() throws(Problem) -> String {
        switch next() {
        case .word(let text), .text(let text): return text
        default: throw Problem("missing value")
        }
    }

    // MARK: Writing

    private static let fields: [String: String] = [
        "title": "title", "author": "author", "content": "text", "description": "text", "link": "link",
        "feedtitle": "feed", "rssurl": "feed", "feedlink": "feed", "guid": "link",
    ]

    private func condition(_ attribute: String, _ sign: String, _ value: String) throws(Problem) -> String {
        let name = attribute.lowercased()
        let isNot = sign.hasPrefix("!")
        let minus = isNot ? "-" : ""
        switch name {
        case "unread":
            let isUnread = ["yes", "true", "1"].contains(value.lowercased()) != isNot
            return isUnread ? "is:unread" : "is:read"
        case "age": return try age(sign, value)
        case "tags":
            guard sign.hasSuffix("#") || sign.hasSuffix("=") else { break }
            return minus + "tag:\(NewsboatFilter.quoted(value))"
        case "flags" where sign.hasSuffix("~"):
            let (flags, needsParentheses) = try flags(matching: value)
            return needsParentheses || isNot && flags.contains(" ") ? "\(minus)(\(flags))" : minus + flags
        case "flags":
            let letters = value.filter(\.isLetter).map { minus + "tag:flag-\($0)" }
            guard !letters.isEmpty else { break }
            return letters.joined(separator: " ")
        case "enclosure_url", "enclosure_type":
            if value.isEmpty { return isNot ? "has:audio" : "-has:audio" }
            guard sign.hasSuffix("~"),
                ["audio", "video", "mp3", "podcast"].contains(where: value.lowercased().contains)
            else { break }
            return minus + "has:audio"
        default:
            guard let field = NewsboatFilter.fields[name] else { break }
            switch sign {
            case "=~", "!~": return "\(minus)\(field):/\(NewsboatFilter.pattern(value))/"
            case "=", "==", "!=":
                if value.isEmpty, field == "author" { return isNot ? "has:author" : "-has:author" }
                return "\(minus)\(field):/^\(NewsboatFilter.pattern(NSRegularExpression.escapedPattern(for: value)))$/"
            default: break
            }
        }
        throw Problem("tappa has no equivalent of '\(attribute) \(sign) \"\(value)\"'")
    }

    /// Returns the entries with one of some flags (`[abc]`), or with the flags in a plain text.
    private func flags(matching pattern: String) throws(Problem) -> (query: String, needsParentheses: Bool) {
        let inner = pattern.hasPrefix("[") && pattern.hasSuffix("]") ? String(pattern.dropFirst().dropLast()) : pattern
        guard !inner.isEmpty, inner.allSatisfy({ $0.isLetter && $0.isASCII }) else {
            throw Problem("tappa has no equivalent of 'flags =~ \"\(pattern)\"'")
        }
        let isAny = inner != pattern && inner.count > 1
        return (inner.map { "tag:flag-\($0)" }.joined(separator: isAny ? " or " : " "), isAny)
    }

    /// Translates newsboat's age in whole days, in which an incomplete day counts as 0.
    private func age(_ sign: String, _ value: String) throws(Problem) -> String {
        let bounds = value.split(separator: ":").map { Int($0) }
        if sign == "between", bounds.count == 2, let first = bounds[0], let last = bounds[1] {
            let youngest = first > 0 ? "age:>\(first)d " : ""
            return "(\(youngest)age:<\(last + 1)d)"
        }
        guard let days = Int(value) else { throw Problem("can't parse 'age \(sign) \(value)'") }
        switch sign {
        case "<": return "age:<\(days)d"
        case "<=": return "age:<\(days + 1)d"
        case ">": return "age:>\(days + 1)d"
        case ">=": return "age:>\(days)d"
        case "=", "==": return days > 0 ? "(age:>\(days)d age:<\(days + 1)d)" : "age:<1d"
        case "!=": return days > 0 ? "(age:<\(days)d or age:>\(days + 1)d)" : "age:>1d"
        default: throw Problem("tappa has no equivalent of 'age \(sign) \(value)'")
        }
    }

    /// Returns a regular expression between slashes.
    package static func pattern(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "/", !isEscaped { result += "\\" }
            result.append(character)
            isEscaped = character == "\\" && !isEscaped
        }
        return result
    }

    static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_./".contains($0) }
        return isPlain && !text.isEmpty ? text : SearchQuery.quoted(text)
    }
}
