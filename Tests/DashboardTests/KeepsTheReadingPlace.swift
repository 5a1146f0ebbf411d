import Articles
import CommonTesting
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// The reading position as stored and in a later version of the text, and the words that changed.
@MainActor
@Suite struct KeepsTheReadingPlace {
    private typealias Place = TextView.Place

    @Test func keepsAndReadsPlaces() {
        for place in [
            Place(paragraph: 0, offset: 0), Place(paragraph: 12, offset: 340),
            Place(paragraph: 1_000_000_000, offset: 1),
        ] {
            #expect(Place(kept: place.kept) == place)
        }
        #expect(Place(paragraph: 12, offset: 340).kept == "12:340" && Place.start == Place(paragraph: 0, offset: 0))
        for text in ["", "1", "1:", ":1", "a:1", "1:2:3", "-1:2", "1:-2", "1000000001:0", "0:1000000001", "1 2"] {
            #expect(Place(kept: text) == nil, "\(text)")
        }
    }

    /// At the start and at the end of a text there is no position to keep.
    @Test func keepsNoPlaceAtTheEnds() {
        let (start, middle) = (Place.start, Place(paragraph: 3, offset: 7))
        for (place, progress, kept) in [
            (middle, 0.5, "3:7"), (middle, 0.999, "3:7"), (middle, 1, ""), (middle, nil, ""), (start, 0, ""),
            (start, 0.5, ""), (Place(paragraph: 0, offset: 1), 0.1, "0:1"), (middle, 0, "3:7"),
        ] as [(Place, Double?, String)] {
            #expect(place.kept(progress: progress) == kept, "\(place) \(String(describing: progress))")
        }
    }

    private func paragraphs(_ words: String) -> [TextParagraph] {
        words.split(separator: " ", omittingEmptySubsequences: false).map { TextParagraph(DisplayText(String($0))) }
    }

    @Test func findsThePlaceInALaterVersion() {
        let table: [(old: String, new: String, paragraph: Int, moved: Int, keepsOffset: Bool)] = [
            // A position in an unchanged start or end moves with it.
            ("a b c d", "a b c d", 2, 2, true), ("a b c d", "a b c d e", 3, 3, true),
            ("a b c d", "x a b c d", 0, 1, true),
            ("a b c d", "x y a b c d", 3, 5, true), ("a b c d", "c d", 3, 1, true), ("a b c d", "a b", 1, 1, true),
            ("a b c d e", "a x y c d e", 3, 4, true), ("a b c d e", "a x c d e", 0, 0, true),
            // In between it stays with its words, or with the nearest remaining paragraph above.
            ("a b c d e", "x b y c z d w", 2, 3, true), ("a b c d e", "x b y z d w", 2, 2, false),
            ("a b c d e", "x b y d w", 3, 3, true), ("a b c d", "w x y z", 2, 2, true),
            // Of several equal paragraphs the nearest one counts.
            ("a s b s c", "x s y s z", 3, 3, true), ("a s b s c", "x s y s z", 1, 1, true),
            // Empty paragraphs are all alike.
            ("a  b c d", "x q  y z w", 1, 1, true),
            // Never beyond the end.
            ("a b c d e f", "x b", 4, 1, false),
        ]
        for (old, new, paragraph, moved, keepsOffset) in table {
            let place = Place(paragraph: paragraph, offset: 5).inLaterVersion(of: paragraphs(old), paragraphs(new))
            #expect(
                place == Place(paragraph: moved, offset: keepsOffset ? 5 : 0),
                "\(old) → \(new): \(paragraph) → \(place)")
        }
        // The start stays the start, whatever is inserted before it.
        #expect(Place.start.inLaterVersion(of: paragraphs("a b"), paragraphs("x a b")) == .start)
        // A position beyond the text stays unchanged.
        let beyond = Place(paragraph: 9, offset: 1)
        #expect(beyond.inLaterVersion(of: paragraphs("a b"), paragraphs("x a b")) == beyond)
    }

    /// In random texts, positions in unchanged parts stay at their words.
    @Test func followsWordsThroughRandomChanges() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let old = (0..<12).map { "p\($0)" }
            var new = old
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let index = Int.random(in: 0..<new.count, using: &random)
                if Bool.random(using: &random), new.count > 1 {
                    new.remove(at: index)
                } else {
                    new.insert("n\(index)", at: index)
                }
            }
            let (before, after) = (paragraphs(old.joined(separator: " ")), paragraphs(new.joined(separator: " ")))
            for index in 1..<12 where new.contains("p\(index)") {
                let place = Place(paragraph: index, offset: 3).inLaterVersion(of: before, after)
                #expect(new[place.paragraph] == "p\(index)" && place.offset == 3, "\(new) \(index)")
            }
        }
    }

    // MARK: Words that changed

    private func changes(_ old: [String], _ new: [String]) -> [String] {
        func document(_ paragraphs: [String]) -> ArticleDocument {
            HTMLRenderer.render(paragraphs.map { "<p>\($0)</p>" }.joined())
        }
        return WordChanges.paragraphs(from: document(old), to: document(new)).map {
            $0.spans.map(\.text.string).joined()
        }
        .filter { !$0.isEmpty }
    }

    @Test func marksAddedAndRemovedWords() {
        let table: [(old: [String], new: [String], changes: [String])] = [
            (["a b c"], ["a b c"], ["a b c"]), (["a b c"], ["a c"], ["a ~~b~~ c"]), (["a c"], ["a b c"], ["a ++b++ c"]),
            (["a b c"], ["a x c"], ["a ~~b~~ ++x++ c"]), ([], ["a b"], ["++a b++"]), (["a b"], [], ["~~a b~~"]),
            (["a b", "c d"], ["a b", "x", "c d"], ["a b", "++x++", "c d"]),
            (["a b", "x", "c d"], ["a b", "c d"], ["a b", "~~x~~ c d"]), (["a b"], ["b a"], ["~~a~~ b ++a++"]),
            (["first a b last"], ["first c d last"], ["first ~~a b~~ ++c d++ last"]),
        ]
        for (old, new, expected) in table { #expect(changes(old, new) == expected, "\(old) → \(new)") }
    }

    /// Without the added words it is the old text, without the removed words the new one.
    @Test func showsBothVersionsInTheChanges() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            func text() -> [String] {
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (0..<Int.random(in: 1...6, using: &random)).map { _ in
                        ["a", "b", "c", "d"].randomElement(using: &random) ?? ""
                    }
                    .joined(separator: " ")
                }
            }
            let (old, new) = (text(), text())
            var (came, went): ([String], [String]) = ([], [])
            for line in changes(old, new) {
                var (isNew, isOld) = (false, false)
                for word in line.split(separator: " ") {
                    if word.hasPrefix("++") { isNew = true }
                    if word.hasPrefix("~~") { isOld = true }
                    let plain = String(word.filter { $0.isLetter })
                    if !isNew { went.append(plain) }
                    if !isOld { came.append(plain) }
                    if word.hasSuffix("++") { isNew = false }
                    if word.hasSuffix("~~") { isOld = false }
                }
            }
            #expect(went == old.flatMap { $0.split(separator: " ").map(String.init) }, "\(old) → \(new)")
            #expect(came == new.flatMap { $0.split(separator: " ").map(String.init) }, "\(old) → \(new)")
        }
    }
}
