import Testing

@testable import Articles

/// The page tree, text measures and word search.
@Suite struct PageTreeTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private func outline(_ tree: PageTree, _ node: PageTree.Node) -> String {
        guard tree.isElement(node) else { return tree[node].text }
        return "<\(tree.name(node))>" + tree.children(node).map { outline(tree, $0) }.joined() + "</>"
    }

    private func body(_ html: String) -> String {
        let tree = PageTree("<html><body>\(html)</body></html>")
        return tree.all(PageTree.root, .body).first.map { outline(tree, $0) } ?? ""
    }

    @Test func readsPagesByTheRulesOfHTML() {
        for (html, expected) in [
            ("<div>a<b>b</b>c</div>", "<div>a<b>b</>c</>"), ("<p>a<p>b", "<p>a</><p>b</>"),
            ("<p>a<section>b</section>", "<p>a</><section>b</>"), ("<p>a<figure>b</figure>", "<p>a</><figure>b</>"),
            ("<td>a<main>b</main>", ""), ("<div><x-y>a</x-y></div>", "<div><x-y>a</></>"),
            ("<div>a &amp; b&eacute;</div>", "<div>a & bé</>"), ("<table><tr><td><p>a<aside>b</aside></table>", ""),
        ] where !expected.isEmpty { #expect(body(html) == "<body>\(expected)</>", "\(html): \(body(html))") }
        for name in [
            "article", "section", "nav", "aside", "header", "footer", "main", "figure", "figcaption", "details",
            "summary", "hgroup", "search", "dialog",
        ] { #expect(body("<p>a<\(name)>b") == "<body><p>a</><\(name)>b</></>", "\(name)") }
        for name in ["span", "b", "a"] { #expect(body("<p>a<\(name)>b") == "<body><p>a<\(name)>b</></></>", "\(name)") }
        // A paragraph around the table stays open.
        #expect(body("<table><tr><td>x<section>y</section></td></tr></table>").contains("<td>x<section>y</></>"))
    }

    @Test func storesAttributesOfElements() {
        let tree = PageTree("<body><p CLASS='a b' id=c hidden>x</p>")
        let node = tree.all(PageTree.root, .p)[0]
        #expect(
            tree.attribute("class", node) == "a b" && tree.attribute("hidden", node) == ""
                && tree.attribute("title", node) == nil && tree.names(node) == "a b c")
        var changed = tree
        changed.setAttribute("id", "d", node)
        changed.setAttribute("title", "t", node)
        #expect(
            changed.attribute("id", node) == "d" && changed.attribute("title", node) == "t"
                && changed[node].attributes.count == 4)
    }

    /// Compares random changes with a model of child lists.
    @Test func keepsLinksConsistentThroughChanges() {
        var random = Numbers(state: 7)
        for _ in 0..<40 {
            var tree = PageTree()
            var model: [PageTree.Node: [PageTree.Node]] = [PageTree.root: []]
            func parent(_ node: PageTree.Node) -> PageTree.Node? { model.first { $0.value.contains(node) }?.key }
            func isAround(_ outer: PageTree.Node, _ node: PageTree.Node) -> Bool {
                var present: PageTree.Node? = node
                while let one = present {
                    if one == outer { return true }
                    present = parent(one)
                }
                return false
            }
            for _ in 0..<60 {
                let nodes = Array(model.keys).sorted()
                let (a, b) = (nodes.randomElement(using: &random) ?? 0, nodes.randomElement(using: &random) ?? 0)
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    let new = tree.makeElement(.div)
                    model[new] = []
                    tree.append(new, to: b)
                    model[b]?.append(new)
                case 2 where a != PageTree.root:
                    tree.remove(a)
                    if let old = parent(a) { model[old]?.removeAll { $0 == a } }
                case 3 where a != PageTree.root && !isAround(a, b):
                    let before = model[b]?.filter { $0 != a }.randomElement(using: &random)
                    tree.insert(a, into: b, before: before ?? PageTree.none)
                    if let old = parent(a) { model[old]?.removeAll { $0 == a } }
                    var children = model[b] ?? []
                    children.insert(a, at: before.flatMap { children.firstIndex(of: $0) } ?? children.count)
                    model[b] = children
                case 4
                where a != PageTree.root && b != PageTree.root && a != b && !isAround(a, b) && !isAround(b, a)
                    && parent(b) != nil:
                    tree.replace(b, with: a)
                    if let old = parent(a) { model[old]?.removeAll { $0 == a } }
                    if let place = parent(b), let index = model[place]?.firstIndex(of: b) { model[place]?[index] = a }
                case 5 where a != b && !isAround(a, b):
                    tree.moveChildren(of: a, to: b)
                    model[b] = (model[b] ?? []) + (model[a] ?? [])
                    model[a] = []
                default: break
                }
            }
            for (node, children) in model {
                #expect(tree.children(node) == children)
                #expect(
                    tree[node].first == children.first ?? PageTree.none
                        && tree[node].last == children.last ?? PageTree.none)
                for (index, child) in children.enumerated() {
                    #expect(
                        tree.parent(child) == node
                            && tree[child].previous == (index > 0 ? children[index - 1] : PageTree.none)
                            && tree[child].next == (index + 1 < children.count ? children[index + 1] : PageTree.none))
                }
            }
        }
    }

    @Test func visitsNodesInPageOrder() {
        let tree = PageTree("<body><div><p>a<b>b</b></p>c<ul><li>d<li>e</ul></div><hr>f")
        let body = tree.all(PageTree.root, .body)[0]
        var seen: [String] = []
        tree.visit(body) { node in
            seen.append(tree.isElement(node) ? tree.name(node) : tree[node].text)
            return tree.tag(node) != .ul
        }
        #expect(
            seen == ["body", "div", "p", "a", "b", "b", "c", "ul", "hr", "p", "f"]
                || seen == ["body", "div", "p", "a", "b", "b", "c", "ul", "hr", "f"], "\(seen)")
        var followed: [String] = []
        var node = tree.firstElement(body)
        while node != PageTree.none {
            followed.append(tree.name(node))
            node = tree.following(node, skippingChildren: tree.tag(node) == .ul)
        }
        #expect(Array(followed.prefix(5)) == ["div", "p", "b", "ul", "hr"])
        let list = tree.all(body, .ul)[0]
        let item = tree.all(list, .li)[1]
        #expect(
            tree.all(body, .li).count == 2 && tree.count(body, .li) == 2 && tree.count(list, .ul) == 0
                && tree.all(list, .ul).isEmpty && tree.all(body, .p, .li).map(tree.name).prefix(3) == ["p", "li", "li"])
        #expect(
            tree.text(list) == "de" && tree.elements(list).count == 2
                && tree.ancestors(item).map(tree.name) == ["ul", "div", "body", "html"]
                && tree.ancestors(item, maximum: 2).count == 2)
        #expect(
            tree.contains(body) { tree.tag($0) == .b } && !tree.contains(list) { tree.tag($0) == .ul }
                && !tree.contains(list) { tree.tag($0) == .b })
    }

    @Test func limitsTheLevelsOfALookUp() {
        let tree = PageTree("<body><code><i><b><u><s>x</s></u></b></i></code>")
        let inner = tree.all(PageTree.root, .s)[0]
        #expect(
            tree.isInside(inner, .code) && !tree.isInside(inner, .code, levels: 3) && !tree.isInside(inner, .body)
                && tree.isInside(inner, .body, levels: .max))
        #expect(!tree.isInside(inner, .s) && !tree.isInside(inner, .code) { _ in false })
    }

    // MARK: Measures

    @Test func addsUpTheMeasuresOfChildren() {
        var random = Numbers(state: 11)
        let pieces = [
            "a", "bc", " ", "\n", "\t ", "é", "🚲", ",", "、", "，", "،", "\u{A0}", "\u{3000}", "x y", "\u{FEFF}",
        ]
        for _ in 0..<2_000 {
            let parts = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            let sum = parts.map { TextMeasure($0) }.reduce(TextMeasure(), +)
            let text = parts.joined()
            let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\u{FEFF}" }.map {
                String(String.UnicodeScalarView($0))
            }
            #expect(sum.length == words.joined(separator: " ").utf16.count, "\(parts)")
            #expect(
                sum.commas == text.unicodeScalars.count { ",，،".unicodeScalars.contains($0) }
                    && TextMeasure(text).length == sum.length, "\(parts)")
        }
        for comma in [0x2C, 0x60C, 0xFE50, 0xFE10, 0xFE11, 0x2E41, 0x2E34, 0x2E32, 0xFF0C] as [UInt32] {
            #expect(TextMeasure("a\(Unicode.Scalar(comma).map(String.init) ?? "")b").commas == 1)
        }
        #expect(TextMeasure("a.b;c、d").commas == 0)
    }

    @Test func measuresLinkAndElementDensity() {
        func density(_ html: String) -> Double {
            let tree = PageTree("<body><div>\(html)</div>")
            return tree.linkDensity(tree.all(PageTree.root, .div)[0])
        }
        for (html, part) in [
            ("aaaaa<a href=x>bbbbb</a>", 0.5), ("<a href=x>b</a>", 1), ("aaaaa", 0), ("", 0),
            ("aaaaa<a>bbbbb</a>", 0.5), ("aaaaa<a href='#x'>bbbbb</a>", 0.15), ("aaaaa<a href='#'>bbbbb</a>", 0.5),
            ("<a href=x>aa</a><a href=y>bb</a>cccc", 0.5),
        ] { #expect(abs(density(html) - part) < 0.001, "\(html)") }
        let tree = PageTree("<body><div><h2>aaaa</h2><span>bb<b>cc</b></span>dd</div>")
        let node = tree.all(PageTree.root, .div)[0]
        #expect(
            tree.density(node, of: [.h2]) == 0.4 && tree.density(node, of: [.h2, .span]) == 0.8
                && tree.density(node, of: [.span, .b]) == 0.6 && tree.density(node, of: [.p]) == 0)
        #expect(PageTree().density(PageTree.root, of: [.p]) == 0)
    }

    @Test func measuresNoScripts() {
        let tree = PageTree("<body><div>a<script>bcdef</script><style>ghi</style></div>")
        #expect(tree.length(tree.all(PageTree.root, .div)[0]) == 1)
    }

    @Test func findsWordsInAnyPosition() {
        var random = Numbers(state: 3)
        func text(_ maximum: Int) -> String {
            (0..<Int.random(in: 0...maximum, using: &random)).map { _ in
                ["a", "b", "-", "é"].randomElement(using: &random) ?? ""
            }.joined()
        }
        for _ in 0..<2_000 {
            let (whole, first, second) = (text(12), "b" + text(3), "a" + text(3))
            #expect(
                WordSearch.contains(whole, anyOf: WordSearch.words([first, second]))
                    == (whole.contains(first) || whole.contains(second)), "\(whole) \(first) \(second)")
        }
        #expect(
            !WordSearch.contains("a", anyOf: []) && !WordSearch.contains("", anyOf: WordSearch.words(["a"]))
                && WordSearch.contains("xab", anyOf: WordSearch.words(["ab"])))
    }

    @Test func comparesTextsByWords() {
        for (first, second, part) in [
            ("a long stage", "A Long Stage!", 1.0), ("a long stage", "other words", 0), ("one two", "one", 1),
            ("one", "one two", 0.571), ("", "one", 0), ("one", "", 0), ("a_b", "a b", 0),
            ("long stage today", "long stage", 1), ("stage", "stage stage", 1),
        ] {
            let similarity = TextWords(first).similarity(of: second)
            #expect(abs(similarity - part) < 0.01, "\(first) | \(second): \(similarity)")
        }
        for (text, trimmed, spaced) in [
            (" a b ", "a b", "a b"), ("a", "a", "a"), ("", "", ""), (" \n", "", ""),
            ("\u{A0}a \t b\n", "a \t b", "a b"),
        ] { #expect(text.trimmed == trimmed && text.singleSpaced == spaced) }
    }
}
