import HTMLReading

/// Finds a page's main content by the rules of Readability (github.com/mozilla/readability): paragraphs count for the
/// elements around them, links and names count against, what is beside the best candidate joins it where it reads like it,
/// and what is left is cleaned of what is no text. Where little is found the rules are laxer, one after the other.
struct ArticleExtractor {
    /// What is strict in an attempt.
    struct Rules: OptionSet {
        let rawValue: Int
        /// Elements whose names promise no article are left out.
        static let leavesOutUnlikely = Rules(rawValue: 1)
        /// Names count.
        static let weighsNames = Rules(rawValue: 2)
        /// Elements that look like no text are cleaned away.
        static let cleans = Rules(rawValue: 4)
        static let all: Rules = [.leavesOutUnlikely, .weighsNames, .cleans]
    }

    /// What was found.
    struct Article {
        var tree: PageTree
        var node: PageTree.Node
        /// Who wrote it, as the text says.
        var byline: String?
        var length: Int
    }

    /// Characters that are surely an article; with fewer another attempt is made.
    static let sufficient = 500

    var tree: PageTree
    var names: PageNames
    let title: String
    /// Whether the text is asked for who wrote it.
    let wantsByline: Bool
    var rules: Rules
    var byline: String?
    /// The scores of elements that have one.
    var scores: [PageTree.Node: Double] = [:]
    /// Tables of data.
    var dataTables: Set<PageTree.Node> = []

    /// Finds the article of a page; `nil` when it has no text at all.
    ///
    /// - Parameters:
    ///   - tree: The page, as ``prepare(_:)`` left it.
    ///   - title: The title, which is not repeated in the text.
    static func article(in tree: PageTree, title: String, wantsByline: Bool) -> Article? {
        var best: Article?
        var rules = Rules.all
        var names = PageNames()
        while true {
            var attempt = ArticleExtractor(
                tree: tree, names: names, title: title, wantsByline: wantsByline, rules: rules)
            if let found = attempt.find() {
                if found.length >= sufficient { return found }
                if found.length > (best?.length ?? 0) { best = found }
            }
            names = attempt.names
            if rules.remove(.leavesOutUnlikely) == nil, rules.remove(.weighsNames) == nil, rules.remove(.cleans) == nil
            {
                return best
            }
        }
    }

    private init(tree: PageTree, names: PageNames, title: String, wantsByline: Bool, rules: Rules) {
        self.tree = tree
        self.names = names
        self.title = title
        self.wantsByline = wantsByline
        self.rules = rules
    }

    private mutating func find() -> Article? {
        guard let body = tree.all(PageTree.root, .body).first else { return nil }
        let paragraphs = gatherParagraphs()
        let top = chooseTop(score(paragraphs), body)
        let article = join(top.node, with: top.parent)
        clean(article)
        let length = tree.length(article)
        guard length > 0 else { return nil }
        return Article(tree: tree, node: article, byline: byline, length: length)
    }

    // MARK: Preparing a page

    /// Takes out of a page what is never read, once for all attempts.
    static func prepare(_ tree: inout PageTree) {
        restoreImages(&tree)
        for node in tree.all(PageTree.root, .script, .noscript, .style, .template) { tree.remove(node) }
        if let body = tree.all(PageTree.root, .body).first { replaceBreaks(&tree, body) }
        for node in tree.all(PageTree.root, .font) { tree[node].tag = .span }
    }

    /// Pictures that stand in `noscript` take the place of those that a script would fill.
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

    /// Two line breaks or more are the end of a paragraph.
    private static func replaceBreaks(_ tree: inout PageTree, _ body: PageTree.Node) {
        for br in tree.all(body, .br) where tree.parent(br) != PageTree.none {
            var isReplaced = false
            while true {
                let next = tree.skippingBlanks(tree[br].next)
                guard next != PageTree.none, tree.isElement(next), tree.tag(next) == .br else { break }
                isReplaced = true
                tree.remove(next)
            }
            guard isReplaced else { continue }
            let paragraph = tree.makeElement(.p)
            tree.replace(br, with: paragraph)
            var next = tree[paragraph].next
            while next != PageTree.none {
                if tree.isElement(next), tree.tag(next) == .br {
                    let after = tree.skippingBlanks(tree[next].next)
                    if after != PageTree.none, tree.isElement(after), tree.tag(after) == .br { break }
                }
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

    /// What class and id say, together.
    mutating func meaning(_ node: PageTree.Node) -> PageNames.Meaning {
        names.meaning(tree.names(node))
    }

    /// What class and id count, each.
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
    /// The first node from one on that is more than blanks.
    func skippingBlanks(_ node: Node) -> Node {
        var node = node
        while node != PageTree.none, !isElement(node), self[node].measure.length == 0 { node = self[node].next }
        return node
    }

    /// Blanks and line breaks.
    func isWhitespace(_ node: Node) -> Bool {
        isElement(node) ? tag(node) == .br : self[node].measure.length == 0
    }

    /// What stands in a line of text (HTML's phrasing content, without what is usually no part of a text).
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

    /// Whether an element has one element and nothing else but blanks, of a kind.
    func hasSingle(_ tag: HTMLTag, in node: Node) -> Bool {
        let elements = self.elements(node)
        guard elements.count == 1, self.tag(elements[0]) == tag else { return false }
        return children(node).allSatisfy { isElement($0) || self[$0].measure.length == 0 }
    }

    /// Whether an element has neither text nor anything to look at.
    func isEmpty(_ node: Node) -> Bool {
        guard isBlank(node) else { return false }
        let elements = self.elements(node).count
        return elements == 0 || elements == count(node, .br) + count(node, .hr)
    }

    /// Whether there is a block in an element.
    func hasBlock(_ node: Node) -> Bool {
        contains(node) { element in
            switch tag(element) {
            case .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul: true
            default: false
            }
        }
    }
}
