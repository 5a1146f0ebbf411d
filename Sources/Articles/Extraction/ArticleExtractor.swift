import Platform

/// Finds a page's main content by the rules of Readability (github.com/mozilla/readability).
///
/// Paragraphs add to the scores of the elements around them, links and names subtract. Siblings of the best candidate
/// that look like text join it, and the result is cleaned. If little is found, the rules are relaxed one by one.
struct ArticleExtractor {
    /// The strict rules in an attempt.
    struct Rules: OptionSet {
        let rawValue: Int
        /// Removes elements whose names suggest that they aren't the article.
        static let leavesOutUnlikely = Rules(rawValue: 1)
        /// Includes names in the scores.
        static let weighsNames = Rules(rawValue: 2)
        /// Removes elements that don't look like text.
        static let cleans = Rules(rawValue: 4)
        static let all: Rules = [.leavesOutUnlikely, .weighsNames, .cleans]
    }

    struct Article {
        var tree: PageTree
        var node: PageTree.Node
        /// The author named in the text.
        var byline: String?
        var length: Int
    }

    /// The number of characters that make further attempts unnecessary.
    static let sufficient = 500

    var tree: PageTree
    var names = PageNames()
    let titleWords: TextWords
    /// The author that the page states, who is looked for in the text otherwise.
    let author: String?
    let isArticle: Bool
    var rules = Rules.all
    var byline: String?
    var scores: [PageTree.Node: Double] = [:]
    var dataTables: Set<PageTree.Node> = []

    /// Returns the article of a page, or `nil` if it has no text.
    ///
    /// - Parameters:
    ///   - tree: The page after ``prepare(_:)``.
    ///   - metadata: The page's metadata. Its title is not repeated in the text.
    static func article(in tree: PageTree, _ metadata: PageMetadata) -> Article? {
        var best: (article: Article, wider: Article?)?
        var fresh = ArticleExtractor(tree: tree, metadata: metadata)
        while true {
            var attempt = fresh
            if let found = attempt.find(), found.article.length > (best?.article.length ?? 0) { best = found }
            if let best, best.article.length >= sufficient { break }
            fresh.names = attempt.names
            if fresh.rules.remove(.leavesOutUnlikely) == nil, fresh.rules.remove(.weighsNames) == nil,
                fresh.rules.remove(.cleans) == nil
            {
                break
            }
        }
        return best.map { $0.wider ?? $0.article }
    }

    private init(tree: PageTree, metadata: PageMetadata) {
        self.tree = tree
        titleWords = TextWords(metadata.title)
        isArticle = metadata.isArticle
        author = metadata.byline
    }

    /// Returns the article, and more of the page if the article seems to be only one of its sections.
    private mutating func find() -> (article: Article, wider: Article?)? {
        guard let body = tree.all(PageTree.root, .body).first else { return nil }
        let paragraphs = gatherParagraphs()
        let top = chooseTop(score(paragraphs), body)
        let parts = parts(around: top.node, in: top.parent)
        guard let covering = coveringParts(insteadOf: parts, around: top.node, in: body) else {
            return finish(parts).map { ($0, nil) }
        }
        var wider = self
        guard let article = finish(parts) else { return nil }
        guard let wide = wider.finish(covering), wide.length > article.length,
            wide.tree.runningLength(wide.node) > 2 * article.tree.runningLength(article.node)
        else { return (article, nil) }
        return (article, wide)
    }

    private mutating func finish(_ parts: [PageTree.Node]) -> Article? {
        let article = join(parts)
        clean(article)
        let length = tree.length(article)
        guard length > 0 else { return nil }
        removeLinesAround(article)
        return Article(tree: tree, node: article, byline: byline, length: length)
    }

    // MARK: Preparing a page

    /// Removes everything that is never read, once for all attempts.
    static func prepare(_ tree: inout PageTree) {
        restoreImages(&tree)
        writeFormulas(&tree)
        for node in tree.all(PageTree.root, .script, .noscript, .style, .template) { tree.remove(node) }
        if let body = tree.all(PageTree.root, .body).first { replaceBreaks(&tree, body) }
        for node in tree.all(PageTree.root, .font) { tree[node].tag = .span }
    }

    /// Replaces the scripts in which MathJax expects formulas with the formulas as text.
    private static func writeFormulas(_ tree: inout PageTree) {
        for script in tree.all(PageTree.root, .script) where !tree.isFull {
            guard HTMLTag.isFormula(scriptType: tree.attribute("type", script)) else { continue }
            let text = "\\(" + tree.text(script) + "\\)"
            let content = PageTree.Content(tag: .other, isText: true, text: text, measure: TextMeasure(text))
            tree.replace(script, with: tree.make(content))
        }
    }

    /// Replaces pictures that a script would load with those in `noscript`.
    private static func restoreImages(_ tree: inout PageTree) {
        for image in tree.all(PageTree.root, .img) {
            let isUseful = tree[image].attributes.contains { attribute in
                ["src", "srcset", "data-src", "data-srcset"].contains(attribute.name) || isPictureName(attribute.value)
            }
            if !isUseful { tree.remove(image) }
        }
        for noscript in tree.all(PageTree.root, .noscript) where isSingleImage(tree, noscript) {
            var previous = tree[noscript].previous
            while previous != PageTree.none, !tree.isElement(previous) { previous = tree[previous].previous }
            guard previous != PageTree.none, isSingleImage(tree, previous) else { continue }
            let old = tree.tag(previous) == .img ? previous : tree.all(previous, .img).first
            guard let old, let new = tree.all(noscript, .img).first else { continue }
            for attribute in tree[old].attributes
            where !attribute.value.isEmpty && tree.attribute(attribute.name, new) == nil {
                tree.setAttribute(attribute.name, attribute.value, new)
            }
            tree.replace(previous, with: new)
        }
    }

    static func isPictureName(_ value: String) -> Bool {
        WordSearch.contains(value.lowercased(), anyOf: pictureTypes)
    }

    private static let pictureTypes = WordSearch.words([".jpg", ".jpeg", ".png", ".webp"])

    private static func isSingleImage(_ tree: PageTree, _ node: PageTree.Node) -> Bool {
        var node = node
        while tree.tag(node) != .img {
            let elements = tree.elements(node)
            guard elements.count == 1, tree.isBlank(node) else { return false }
            node = elements[0]
        }
        return true
    }

    /// Turns two or more line breaks into the end of a paragraph.
    private static func replaceBreaks(_ tree: inout PageTree, _ body: PageTree.Node) {
        for br in tree.all(body, .br) where tree.parent(br) != PageTree.none {
            var next = tree.skippingBlanks(tree[br].next)
            guard tree.has(.br, at: next) else { continue }
            while tree.has(.br, at: next) {
                tree.remove(next)
                next = tree.skippingBlanks(tree[br].next)
            }
            let paragraph = tree.makeElement(.p)
            tree.replace(br, with: paragraph)
            next = tree[paragraph].next
            while next != PageTree.none {
                if tree.has(.br, at: next), tree.has(.br, at: tree.skippingBlanks(tree[next].next)) { break }
                guard tree.isPhrasing(next) else { break }
                let sibling = tree[next].next
                tree.append(next, to: paragraph)
                next = sibling
            }
            while tree[paragraph].last != PageTree.none, tree.isWhitespace(tree[paragraph].last) {
                tree.remove(tree[paragraph].last)
            }
            let parent = tree.parent(paragraph)
            if tree.tag(parent) == .p { tree[parent].tag = .div }
        }
    }

    // MARK: Names

    mutating func meaning(_ node: PageTree.Node) -> PageNames.Meaning {
        names.meaning(tree.names(node))
    }

    /// Returns the sum of the scores of class and id.
    mutating func weight(_ node: PageTree.Node) -> Double {
        guard rules.contains(.weighsNames) else { return 0 }
        var weight = 0.0
        for attribute in ["class", "id"] {
            guard let name = tree.attribute(attribute, node), !name.isEmpty else { continue }
            let meaning = names.meaning(name)
            if meaning.isNegative { weight -= 25 }
            if meaning.isPositive { weight += 25 }
        }
        return weight
    }
}

extension PageTree {
    /// Returns the first node that isn't white space.
    func skippingBlanks(_ node: Node) -> Node {
        var node = node
        while node != PageTree.none, !isElement(node), self[node].measure.length == 0 { node = self[node].next }
        return node
    }

    /// Whether a node is white space or a line break.
    func isWhitespace(_ node: Node) -> Bool {
        isElement(node) ? tag(node) == .br : self[node].measure.length == 0
    }

    /// Whether a node is phrasing content in HTML's sense, without elements that are usually not part of a text.
    func isPhrasing(_ node: Node) -> Bool {
        guard isElement(node) else { return true }
        switch tag(node) {
        case .abbr, .audio, .b, .bdo, .br, .button, .cite, .code, .data, .datalist, .dfn, .em, .embed, .i, .img, .input,
            .kbd, .label, .mark, .math, .meter, .noscript, .object, .output, .progress, .q, .ruby, .samp, .script,
            .select, .small, .span, .strong, .sub, .sup, .textarea, .time, .var, .wbr:
            return true
        case .a, .del, .ins: return children(node).allSatisfy(isPhrasing)
        default: return false
        }
    }

    /// Returns the only element in a node if it has this tag and only white space surrounds it.
    func single(_ tag: HTMLTag, in node: Node) -> Node? {
        let elements = self.elements(node)
        guard elements.count == 1, self.tag(elements[0]) == tag,
            children(node).allSatisfy({ isElement($0) || self[$0].measure.length == 0 })
        else { return nil }
        return elements[0]
    }

    /// Whether an element contains neither text nor pictures.
    func isEmpty(_ node: Node) -> Bool {
        guard isBlank(node) else { return false }
        let elements = self.elements(node).count
        return elements == 0 || elements == count(node, .br) + count(node, .hr)
    }

    /// Whether an element contains a block, or another element that counts as one.
    func hasBlock(_ node: Node, or other: HTMLTag) -> Bool {
        contains(node) { element in
            switch tag(element) {
            case .blockquote, .dl, .div, .ol, .p, .pre, .table, .ul: true
            default: tag(element) == other
            }
        }
    }
}
