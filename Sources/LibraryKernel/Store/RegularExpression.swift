import CSQLiteFunctions
import Dispatch
import GRDB
import Platform
import Synchronization

/// A Perl-compatible regular expression with bounded time: a limit of steps for each text, and a deadline for a search.
package final class RegularExpression: Sendable {
    /// The reason why an expression is invalid, with the index of the character, from 0.
    package struct Problem: Error {
        package var message: String
        package var place: Int
    }

    private nonisolated(unsafe) let pattern: OpaquePointer

    /// - Throws: ``Problem`` if the expression is invalid.
    init(_ text: String) throws(Problem) {
        var message = [CChar](repeating: 0, count: 200)
        var place = 0
        let bytes = Array(text.utf8)
        guard let pattern = cre_read(bytes, bytes.count, &message, message.count, &place) else {
            let words = String(
                decoding: message.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
            throw Problem(
                message: words, place: String(decoding: bytes.prefix(place), as: UTF8.self).count)
        }
        self.pattern = pattern
    }

    deinit { cre_free(pattern) }

    /// Whether the expression matches somewhere in a text, or `nil` if that takes too many steps.
    func isFound(in text: UnsafeRawBufferPointer) -> Bool? {
        let result = cre_finds(pattern, text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count)
        return result < 0 ? nil : result == 1
    }

    /// Returns the error in an expression, or `nil` if it is valid.
    package static func problem(of text: String) -> Problem? {
        do throws(Problem) {
            _ = try RegularExpression(text)
            return nil
        } catch {
            return error
        }
    }

    // MARK: In SQL

    /// The name of the SQL function: pattern, text, deadline.
    package static let function = "found"
    /// The maximum number of seconds that a search may spend on regular expressions.
    private static let patience: Int64 = 5

    /// Returns the deadline of a search that starts at an uptime, in nanoseconds of the system's uptime.
    package static func deadline(from uptime: UInt64 = Stopwatch.nanoseconds) -> Int64 {
        let (sum, isTooLarge) = Int64(clamping: uptime).addingReportingOverflow(patience * 1_000_000_000)
        return isTooLarge ? .max : sum
    }

    /// The compiled expressions used last, since a search needs them for each row.
    private static let known = Mutex<[String: RegularExpression]>([:])
    private static let maximumKnown = 50

    private static func known(_ text: String) throws -> RegularExpression {
        if let pattern = known.withLock({ $0[text] }) { return pattern }
        do throws(Problem) {
            let pattern = try RegularExpression(text)
            known.withLock { patterns in
                if patterns.count >= maximumKnown { patterns.removeAll() }
                patterns[text] = pattern
            }
            return pattern
        } catch {
            throw DatabaseError(message: "invalid regular expression /\(text)/: \(error.message)")
        }
    }

    /// Adds the SQL function to a connection.
    static func add(to db: Database) {
        db.add(
            function: DatabaseFunction(function, argumentCount: 3, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]), let end = Int64.fromDatabaseValue(values[2])
                else {
                    return false
                }
                guard Int64(clamping: Stopwatch.nanoseconds) < end else {
                    throw DatabaseError(
                        message: "the regular expression takes too long; add other conditions to narrow the search")
                }
                // A damaged text counts as no match.
                guard var subject = try? StoredText.text(of: values[1]), !subject.isEmpty else { return false }
                let pattern = try known(text)
                // An expression that takes too many steps counts as no match.
                return subject.withUTF8 { pattern.isFound(in: UnsafeRawBufferPointer($0)) ?? false }
            })
    }
}
