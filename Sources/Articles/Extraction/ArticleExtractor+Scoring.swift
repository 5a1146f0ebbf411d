import Platform

/// Finds the element that contains the article: paragraphs add to the scores of the elements around them.
extension ArticleExtractor {
    private static let candidates = 5
    private static let ancestors = 5
    static let shortest = 25
    /// The length from which a text isn't a caption, whatever its name.
    private static let longestCaption = 300

    /// Removes unreadable elements and returns those that count.
    mutating func gatherParagraphs() -> [PageTree.Node] {
        var paragraphs: [PageTree.Node] = []
        var removesTitle = true
        let whole = tree.length(PageTree.root)
        var node = tree.firstElement(PageTree.root)
        while node != PageTree.none {
            let meaning = self.meaning(node)
            let tag = tree.tag(node)
            // Scripts show what is hidden at first, and headers that nothing closes contain what follows.
            func isMostOfPage() -> Bool {
                tree.length(node) * 2 > whole && tree.contains(node) { [.main, .article, .h1].contains(tree.tag($0)) }
            }
            func isLeftOut() -> Bool {
                if isHidden(node), !isMostOfPage() { return true }
                if author == nil, byline == nil, let name = bylineText(node, meaning) {
                    byline = name
                    return true
                }
                if removesTitle, tag == .h1 || tag == .h2, isTitle(node) {
                    removesTitle = false
                    return true
                }
                if rules.contains(.leavesOutUnlikely), isUnlikely(node, meaning), !isMostOfPage() { return true }
                return (tag == .div || tag == .section || tag == .header || tag.isHeading) && tree.isEmpty(node)
            }
            if isLeftOut() {
                let next = tree.following(node, skippingChildren: true)
                tree.remove(node)
                node = next
                continue
            }
            if isArticle, meaning.isCaption, [.div, .p, .span].contains(tag),
                tree.length(node) < ArticleExtractor.longestCaption
            {
                tree[node].tag = .figcaption
                node = tree.following(node, skippingChildren: true)
                continue
            }
            switch tag {
            case .section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre: paragraphs.append(node)
            case .div:
                wrapText(node)
                if let paragraph = tree.single(.p, in: node), tree.linkDensity(node) < 0.25 {
                    tree.replace(node, with: paragraph)
                    node = paragraph
                    paragraphs.append(node)
                } else if !tree.hasBlock(node, or: .img) {
                    tree[node].tag = .p
                    paragraphs.append(node)
                }
            default: break
            }
            node = tree.following(node)
        }
        return paragraphs
    }

    /// Wraps text directly inside a block into paragraphs.
    private mutating func wrapText(_ node: PageTree.Node) {
        var child = tree[node].first
        while child != PageTree.none {
            guard tree.isPhrasing(child) else {
                child = tree[child].next
                continue
            }
            var run: [PageTree.Node] = []
            while child != PageTree.none, tree.isPhrasing(child) {
                run.append(child)
                child = tree[child].next
            }
            for blank in run.prefix(while: tree.isWhitespace) { tree.remove(blank) }
            let text = run.drop(while: tree.isWhitespace)
            guard let end = text.lastIndex(where: { !tree.isWhitespace($0) }) else { continue }
            let paragraph = tree.makeElement(.p)
            for part in text[...end] { tree.append(part, to: paragraph) }
            for blank in text[(end + 1)...] { tree.remove(blank) }
            tree.insert(paragraph, into: node, before: child)
        }
    }

    private func isHidden(_ node: PageTree.Node) -> Bool {
        for attribute in tree[node].attributes {
            switch attribute.name {
            case "hidden": return true
            case "aria-hidden":
                let isFallback = tree.attribute("class", node)?.contains("fallback-image") == true
                if attribute.value == "true", !isFallback { return true }
            case "aria-modal":
                if attribute.value == "true", tree.attribute("role", node) == "dialog" { return true }
            case "style": if HTMLStyle.hides(attribute.value) { return true }
            default: break
            }
        }
        return false
    }

    /// Returns the author if an element contains only that.
    private mutating func bylineText(_ node: PageTree.Node, _ meaning: PageNames.Meaning) -> String? {
        let says =
            meaning.isByline || tree.attribute("rel", node) == "author"
            || tree.attribute("itemprop", node)?.contains("author") == true
        guard says else { return nil }
        let text = tree.text(node).trimmed
        guard !text.isEmpty, text.utf16.count < 100 else { return nil }
        var named: PageTree.Node?
        tree.visit(node) { present in
            if present != node, named == nil, tree.isElement(present),
                tree.attribute("itemprop", present)?.contains("name") == true
            {
                named = present
            }
            return true
        }
        return named.map { tree.text($0).trimmed } ?? text
    }

    private func isTitle(_ node: PageTree.Node) -> Bool { titleWords.similarity(of: tree.text(node)) > 0.75 }

    private func isUnlikely(_ node: PageTree.Node, _ meaning: PageNames.Meaning) -> Bool {
        let tag = tree.tag(node)
        if meaning.isUnlikely, !meaning.isPossible, tag != .body, tag != .a, !tree.isInside(node, .table),
            !tree.isInside(node, .code)
        {
            return true
        }
        switch tree.attribute("role", node) {
        case "menu", "menubar", "complementary", "navigation", "alert", "alertdialog", "dialog": return true
        default: return false
        }
    }

    // MARK: Scores

    /// Returns the initial score of an element, without its paragraphs.
    private mutating func initialScore(_ node: PageTree.Node) -> Double {
        let score: Double =
            switch tree.tag(node) {
            case .div: 5
            case .pre, .td, .blockquote: 3
            case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
            case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
            default: 0
            }
        return score + weight(node)
    }

    /// Scores the elements around paragraphs, and returns those with a score in the order in which they got it.
    mutating func score(_ paragraphs: [PageTree.Node]) -> [PageTree.Node] {
        var candidates: [PageTree.Node] = []
        for paragraph in paragraphs where tree.parent(paragraph) > PageTree.root {
            let measure = tree.measure(paragraph)
            guard measure.length >= ArticleExtractor.shortest else { continue }
            let own = 1 + Double(measure.commas + 1) + Double(min(measure.length / 100, 3))
            for (level, ancestor) in tree.ancestors(paragraph, maximum: ArticleExtractor.ancestors).enumerated() {
                guard tree.parent(ancestor) > PageTree.none else { continue }
                if scores[ancestor] == nil {
                    scores[ancestor] = initialScore(ancestor)
                    candidates.append(ancestor)
                }
                scores[ancestor, default: 0] += own / (level == 0 ? 1 : level == 1 ? 2 : Double(level * 3))
            }
        }
        for candidate in candidates { scores[candidate, default: 0] *= 1 - tree.linkDensity(candidate) }
        return candidates
    }

    /// Chooses the best element, or a parent that contains more of the article.
    mutating func chooseTop(
        _ candidates: [PageTree.Node], _ body: PageTree.Node
    ) -> (node: PageTree.Node, parent: PageTree.Node) {
        let best = candidates.enumerated().sorted { left, right in
            let (a, b) = (scores[left.element] ?? 0, scores[right.element] ?? 0)
            return a == b ? left.offset < right.offset : a > b
        }.prefix(ArticleExtractor.candidates).map(\.element)
        guard var top = best.first, tree.tag(top) != .body, tree.tag(top) != .html else {
            let all = tree.makeElement(.div)
            tree.moveChildren(of: body, to: all)
            tree.append(all, to: body)
            scores[all] = initialScore(all)
            return (all, body)
        }
        func isBelowBody(_ node: PageTree.Node) -> Bool { node > PageTree.root && tree.tag(node) != .body }
        // If several elements are nearly as good, their common parent is chosen.
        let topScore = scores[top] ?? 0
        let alternatives = best.dropFirst().filter { (scores[$0] ?? 0) / topScore >= 0.75 }.map { tree.ancestors($0) }
        if alternatives.count >= 3 {
            var around = tree.parent(top)
            while isBelowBody(around) {
                if alternatives.count(where: { $0.contains(around) }) >= 3 {
                    top = around
                    break
                }
                around = tree.parent(around)
            }
        }
        if scores[top] == nil { scores[top] = initialScore(top) }
        // A rising score means that a parent contains more.
        var last = scores[top] ?? 0
        let minimum = last / 3
        var around = tree.parent(top)
        while isBelowBody(around) {
            if let score = scores[around] {
                if score < minimum { break }
                if score > last {
                    top = around
                    break
                }
                last = score
            }
            around = tree.parent(around)
        }
        // An only child is replaced by its parent.
        around = tree.parent(top)
        while isBelowBody(around), tree.elements(around).count == 1 {
            top = around
            around = tree.parent(top)
        }
        if scores[top] == nil { scores[top] = initialScore(top) }
        return (top, tree.parent(top))
    }

    /// Returns the best element and its siblings that look like parts of the article.
    mutating func parts(around top: PageTree.Node, in parent: PageTree.Node) -> [PageTree.Node] {
        let topScore = scores[top] ?? 0
        let minimum = max(10, topScore * 0.2)
        let topClass = tree.attribute("class", top) ?? ""
        return tree.elements(parent).filter { sibling in
            if sibling == top { return true }
            let isAlike = !topClass.isEmpty && tree.attribute("class", sibling) == topClass
            if let score = scores[sibling], score + (isAlike ? topScore * 0.2 : 0) >= minimum { return true }
            guard tree.tag(sibling) == .p else { return false }
            let length = tree.length(sibling)
            let density = tree.linkDensity(sibling)
            return length > 80 && density < 0.25
                || length < 80 && length > 0 && density == 0 && tree.text(sibling).hasSentence
        }
    }

    mutating func join(_ parts: [PageTree.Node]) -> PageTree.Node {
        let article = tree.makeElement(.div)
        for part in parts {
            switch tree.tag(part) {
            case .div, .article, .section, .p, .ol, .ul: break
            default: tree[part].tag = .div
            }
            tree.append(part, to: article)
        }
        return article
    }
}

/// The set of words in a text, for finding out how similar other texts are.
struct TextWords {
    private let known: Set<Substring>

    init(_ text: String) { known = Set(TextWords.words(text)) }

    private static func words(_ text: String) -> [Substring] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// Returns the share of another text's words that also occur in this one, weighted by length, from 0 to 1.
    func similarity(of other: String) -> Double {
        let others = TextWords.words(other)
        guard !known.isEmpty, !others.isEmpty else { return 0 }
        func length(_ words: [Substring]) -> Double {
            Double(words.reduce(0) { $0 + $1.utf16.count } + max(0, words.count - 1))
        }
        return 1 - length(others.filter { !known.contains($0) }) / length(others)
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return first == startIndex && scalars.index(after: last) == endIndex ? self : String(scalars[first...last])
    }

    fileprivate var hasSentence: Bool {
        let text = trimmed
        return text.hasSuffix(".") || text.contains(". ")
    }
}
