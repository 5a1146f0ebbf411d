import CommonTesting
import Foundation
import Testing

/// Checks the register of promises (`Tests/Promises`) against the tests that it names.
@Suite struct PromiseTests {
    private static let root = Program.sources.path

    private static let register = Result { try PromiseRegister(root: root) }

    /// All test functions as `Suite/function`.
    private static let testFunctions = Result { try findTestFunctions() }

    private static func findTestFunctions() throws -> Set<String> {
        var found: Set<String> = []
        let names = FileManager.default.enumerator(atPath: "\(root)/Tests")?.compactMap { $0 as? String } ?? []
        for name in names.sorted() where name.hasSuffix(".swift") && name.contains("Tests/") {
            let text = try String(contentsOfFile: "\(root)/Tests/\(name)", encoding: .utf8)
            var suite = ""
            var isMarked = false
            for line in text.split(separator: "\n") {
                if line.first != " ",
                    let match = line.firstMatch(of: /^(?:[^ \/].*)?\b(?:struct|class|enum|actor|extension) (\w+)/)
                {
                    suite = String(match.1)
                }
                if line.contains("@Test") { isMarked = true }
                guard isMarked, let match = line.firstMatch(of: /\bfunc (\w+)/) else { continue }
                found.insert("\(suite)/\(match.1)")
                isMarked = false
            }
        }
        return found
    }

    @Test func readsEveryLineOfTheRegister() throws {
        let register = try Self.register.get()
        #expect(register.problems == [])
        let ids = register.promises.map(\.id)
        let repeated = Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys.sorted()
        #expect(repeated == [], "identifiers that several promises have")
        let long = register.promises.filter { $0.sentence.count > 200 }.map(\.id)
        #expect(long == [], "sentences that are too long")
    }

    @Test func everyPromiseHasTestsThatExist() throws {
        let functions = try Self.testFunctions.get()
        #expect(functions.contains("PromiseTests/everyPromiseHasTestsThatExist"))
        let named = Set(functions.flatMap(Self.promises))
        for promise in try Self.register.get().promises {
            if promise.tests.isEmpty, !named.contains(promise.id) {
                Issue.record("\(promise.file):\(promise.line): \(promise.id) has no test")
            }
            for test in promise.tests where !functions.contains(test) {
                Issue.record("\(promise.file): \(promise.id) names a test that doesn't exist: \(test)")
            }
        }
    }

    @Test func testsAreNamedAfterPromisesThatExist() throws {
        let ids = Set(try Self.register.get().promises.map(\.id))
        for test in try Self.testFunctions.get().sorted() {
            for id in Self.promises(of: test) where !ids.contains(id) { Issue.record("\(test) names \(id)") }
        }
    }

    /// The promises that a test's name begins with: `Suite/SEG_05_MNU_02_opens` holds SEG-05 and MNU-02.
    private static func promises(of test: String) -> [String] {
        let name = test.split(separator: "/").last ?? ""
        guard let prefix = name.prefixMatch(of: /(?:[A-Z]{3}_[0-9]{2}[a-z]?_)+/) else { return [] }
        return prefix.0.matches(of: /([A-Z]{3})_([0-9]{2}[a-z]?)_/).map { "\($0.1)-\($0.2)" }
    }

    /// Comments in the sources name promises, such as "row SPL-04".
    @Test func promisesNamedInCommentsExist() throws {
        let ids = Set(try Self.register.get().promises.map(\.id))
        let groups = Set(ids.map { $0.prefix { $0 != "-" } })
        let sources = FileManager.default.enumerator(atPath: "\(Self.root)/Sources")?.compactMap { $0 as? String } ?? []
        var count = 0
        for name in sources where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(Self.root)/Sources/\(name)", encoding: .utf8)
            for match in text.matches(of: /\b([A-Z]{3})-[0-9]{2}[a-z]?\b/) where groups.contains(match.1) {
                count += 1
                #expect(ids.contains(String(match.0)), "\(name) names \(match.0)")
            }
        }
        #expect(count > 80)
    }

    @Test func readsEntriesOfTheRegister() throws {
        let text = """
            # Heading

            ABC-01 A sentence
              that goes on.
              Suite/function other
              something else
            abc-01 No identifier.
            """
        let register = PromiseRegister(text: text, file: "F")
        #expect(register.promises.count == 1)
        let promise = try #require(register.promises.first)
        #expect(promise.id == "ABC-01")
        #expect(promise.sentence == "A sentence that goes on.")
        #expect(promise.tests == ["Suite/function", "Suite/other"])
        #expect(register.problems.map { $0.prefix(4) } == ["F:6:", "F:7:"])
    }
}
