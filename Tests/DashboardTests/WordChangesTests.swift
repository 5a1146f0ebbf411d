import Articles
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Word-by-word changes of an entry's text.
@Suite struct WordChangesTests {
    private func changes(_ old: String, _ new: String) -> [String] {
        WordChanges.paragraphs(from: HTMLRenderer.render(old), to: HTMLRenderer.render(new)).map { paragraph in
            paragraph.spans.map(\.text.string).joined()
        }
    }

    @Test func reportsAddedAndRemovedWords() {
        #expect(
            changes("<p>The stage ends in Carrara.</p>", "<p>The long stage ends in Massa.</p>")
                == ["The ++long++ stage ends in ~~Carrara.~~ ++Massa.++"])
    }

    @Test(arguments: [2_000, 9_000]) func comparesLongTextsCompletely(count: Int) {
        let old = (0..<count).map { "a\($0)" }.joined(separator: " ")
        let new = (0..<count).map { $0 % 2 == 0 ? "a\($0)" : "b\($0)" }.joined(separator: " ")
        let all = changes("<p>first \(old) last</p>", "<p>first \(new) last</p>").joined(separator: " ")
        let words = Set(all.split(separator: " ").map { $0.trimming(["+", "~"]) })
        for number in 0..<count {
            let name = number % 2 == 0 ? "a\(number)" : "b\(number)"
            #expect(words.contains(name), "\(name)")
        }
        #expect(words.contains("a\(count - 1)"))
    }
}

extension Substring {
    fileprivate func trimming(_ characters: Set<Character>) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}
