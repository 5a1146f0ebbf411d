import CRegularExpression
import Dispatch
import GRDB
import Synchronization

/// Regular expressions in the syntax of Perl, bounded in time: each text by its steps, a search as a whole by the clock.
final class RegularExpression: Sendable {
    /// Why one cannot be read, and the character at which that was noticed, from 0.
    struct Problem: Error {
        var message: String
        var place: Int
    }

    private nonisolated(unsafe) let pattern: OpaquePointer

    /// - Throws: ``Problem``.
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

    /// Whether it is found in a text; `nil`: that would take too many steps.
    func isFound(in text: UnsafeRawBufferPointer) -> Bool? {
        let result = cre_finds(pattern, text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count)
        return result < 0 ? nil : result == 1
    }

    /// What is wrong with one; `nil`: nothing.
    static func problem(of text: String) -> Problem? {
        do throws(Problem) {
            _ = try RegularExpression(text)
            return nil
        } catch {
            return error
        }
    }

    // MARK: In SQL

    /// The name of the function in SQL: pattern, text, deadline.
    static let function = "found"
    /// Seconds that a search may take for its regular expressions.
    private static let patience: Int64 = 5

    /// When a search that begins now has to be done, in nanoseconds of the system's uptime.
    static func deadline() -> Int64 {
        Int64(clamping: DispatchTime.now().uptimeNanoseconds) + patience * 1_000_000_000
    }

    /// The patterns that were used last: a search asks with each row.
    private static let known = Mutex<[String: RegularExpression]>([:])
    private static let mostKnown = 50

    private static func known(_ text: String) throws -> RegularExpression {
        if let pattern = known.withLock({ $0[text] }) { return pattern }
        do throws(Problem) {
            let pattern = try RegularExpression(text)
            known.withLock { patterns in
                if patterns.count >= mostKnown { patterns.removeAll() }
                patterns[text] = pattern
            }
            return pattern
        } catch {
            throw DatabaseError(message: "invalid regular expression /\(text)/: \(error.message)")
        }
    }

    /// Gives a connection the function.
    static func add(to db: Database) {
        db.add(
            function: DatabaseFunction(function, argumentCount: 3, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]), let end = Int64.fromDatabaseValue(values[2])
                else {
                    return false
                }
                guard Int64(clamping: DispatchTime.now().uptimeNanoseconds) < end else {
                    throw DatabaseError(
                        message: "the regular expression takes too long; add other conditions to narrow the search")
                }
                guard var subject = String.fromDatabaseValue(values[1]), !subject.isEmpty else { return false }
                let pattern = try known(text)
                // What takes too many steps for a text is not found in it.
                return subject.withUTF8 { pattern.isFound(in: UnsafeRawBufferPointer($0)) ?? false }
            })
    }
}
