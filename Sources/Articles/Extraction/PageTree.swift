/// A page as a tree in one array. Nodes are indexes, so copying the tree copies the array.
struct PageTree {
    /// The index of a node.
    typealias Node = Int32

    struct Content {
        var tag: HTMLTag
        var isText = false
        /// The name of an element that the reader doesn't know.
        var name = ""
        var attributes: [(name: String, value: String)] = []
        var text = ""
        /// The measured text of a text node.
        var measure = TextMeasure()
        var parent: Node = none
        var first: Node = none
        var last: Node = none
        var next: Node = none
        var previous: Node = none
    }

    static let none: Node = -1
    static let root: Node = 0
    /// The maximum number of nodes. Others are dropped.
    private static let maximumNodes = 400_000
    /// The maximum depth. Deeper elements are flattened.
    private static let maximumDepth = 400

    private(set) var nodes: [Content] = [Content(tag: .other)]

    subscript(node: Node) -> Content {
        get { nodes[Int(node)] }
        _modify { yield &nodes[Int(node)] }
    }

    init(_ html: String) {
        let builder = PageTreeBuilder()
        _ = HTMLReader.read(html, to: builder)
        self = builder.tree
    }

    init() {}

    // MARK: Looking

    func tag(_ node: Node) -> HTMLTag { nodes[Int(node)].tag }
    func isElement(_ node: Node) -> Bool { !nodes[Int(node)].isText }

    /// Whether there is a node, and it has a tag.
    func has(_ tag: HTMLTag, at node: Node) -> Bool { node != PageTree.none && self.tag(node) == tag }

    func parent(_ node: Node) -> Node { nodes[Int(node)].parent }

    func name(_ node: Node) -> String {
        let content = nodes[Int(node)]
        return content.tag == .other ? content.name : content.tag.rawValue
    }

    func attribute(_ name: String, _ node: Node) -> String? {
        nodes[Int(node)].attributes.first { $0.name == name }?.value
    }

    func names(_ node: Node) -> String { (attribute("class", node) ?? "") + " " + (attribute("id", node) ?? "") }

    func children(_ node: Node) -> [Node] {
        var result: [Node] = []
        var child = nodes[Int(node)].first
        while child != PageTree.none {
            result.append(child)
            child = nodes[Int(child)].next
        }
        return result
    }

    func elements(_ node: Node) -> [Node] { children(node).filter(isElement) }

    func firstElement(_ node: Node) -> Node { skippingTexts(nodes[Int(node)].first) }
    private func nextElement(_ node: Node) -> Node { skippingTexts(nodes[Int(node)].next) }

    /// Returns the first element from a node on.
    private func skippingTexts(_ node: Node) -> Node {
        var node = node
        while node != PageTree.none, nodes[Int(node)].isText { node = nodes[Int(node)].next }
        return node
    }

    /// Returns the next element in document order.
    func following(_ node: Node, skippingChildren: Bool = false) -> Node {
        if !skippingChildren {
            let child = firstElement(node)
            if child != PageTree.none { return child }
        }
        var node = node
        while node != PageTree.none {
            let sibling = nextElement(node)
            if sibling != PageTree.none { return sibling }
            node = parent(node)
        }
        return PageTree.none
    }

    /// Visits a node and its descendants in document order. If the closure returns `false`, the descendants are
    /// skipped.
    func visit(_ node: Node, _ body: (Node) -> Bool) {
        var present = node
        while true {
            if body(present), nodes[Int(present)].first != PageTree.none {
                present = nodes[Int(present)].first
                continue
            }
            while present != node, nodes[Int(present)].next == PageTree.none { present = parent(present) }
            if present == node { return }
            present = nodes[Int(present)].next
        }
    }

    /// Whether a node contains an element that matches.
    func contains(_ node: Node, where isMeant: (Node) -> Bool) -> Bool {
        var isFound = false
        visit(node) { present in
            if !isFound, present != node, isElement(present), isMeant(present) { isFound = true }
            return !isFound
        }
        return isFound
    }

    /// Returns the elements with some tags in a node, in document order.
    func all(_ node: Node, _ tags: HTMLTag...) -> [Node] {
        var result: [Node] = []
        visit(node) { present in
            if present != node, isElement(present), tags.contains(tag(present)) { result.append(present) }
            return true
        }
        return result
    }

    func count(_ node: Node, _ tag: HTMLTag) -> Int {
        var count = 0
        visit(node) { present in
            if present != node, isElement(present), self.tag(present) == tag { count += 1 }
            return true
        }
        return count
    }

    /// Returns the ancestors of a node, innermost first.
    func ancestors(_ node: Node, maximum: Int = .max) -> [Node] {
        var result: [Node] = []
        var present = parent(node)
        while present > PageTree.root, result.count < maximum {
            result.append(present)
            present = parent(present)
        }
        return result
    }

    /// Whether a node has an ancestor with a tag, within a number of levels.
    func isInside(_ node: Node, _ tag: HTMLTag, levels: Int = 4, where isMeant: (Node) -> Bool = { _ in true }) -> Bool
    {
        ancestors(node, maximum: levels).contains { self.tag($0) == tag && isMeant($0) }
    }

    func text(_ node: Node) -> String {
        var result = ""
        visit(node) { present in
            if !isElement(present) { result += nodes[Int(present)].text }
            return true
        }
        return result
    }

    // MARK: Changing

    /// Adds a new node to the array, without a position in the tree.
    mutating func make(_ content: Content) -> Node {
        nodes.append(content)
        return Node(nodes.count - 1)
    }

    mutating func makeElement(_ tag: HTMLTag) -> Node { make(Content(tag: tag)) }

    var isFull: Bool { nodes.count >= PageTree.maximumNodes }

    static func isTooDeep(_ depth: Int) -> Bool { depth >= maximumDepth }

    /// Removes a node from its position.
    mutating func remove(_ node: Node) {
        let content = self[node]
        if content.parent == PageTree.none { return }
        if content.previous == PageTree.none {
            self[content.parent].first = content.next
        } else {
            self[content.previous].next = content.next
        }
        if content.next == PageTree.none {
            self[content.parent].last = content.previous
        } else {
            self[content.next].previous = content.previous
        }
        self[node].parent = PageTree.none
        self[node].next = PageTree.none
        self[node].previous = PageTree.none
    }

    mutating func append(_ node: Node, to parent: Node) { insert(node, into: parent, before: PageTree.none) }

    /// Inserts a node into another, before one of its children or at the end.
    mutating func insert(_ node: Node, into parent: Node, before sibling: Node) {
        remove(node)
        let previous = sibling == PageTree.none ? self[parent].last : self[sibling].previous
        self[node].parent = parent
        self[node].previous = previous
        self[node].next = sibling
        if previous == PageTree.none { self[parent].first = node } else { self[previous].next = node }
        if sibling == PageTree.none { self[parent].last = node } else { self[sibling].previous = node }
    }

    mutating func replace(_ old: Node, with new: Node) {
        let parent = self[old].parent
        guard parent != PageTree.none else { return }
        remove(new)
        insert(new, into: parent, before: old)
        remove(old)
    }

    mutating func moveChildren(of node: Node, to other: Node) {
        for child in children(node) { append(child, to: other) }
    }

    mutating func setAttribute(_ name: String, _ value: String, _ node: Node) {
        if let index = self[node].attributes.firstIndex(where: { $0.name == name }) {
            self[node].attributes[index].value = value
        } else {
            self[node].attributes.append((name, value))
        }
    }
}

private final class PageTreeBuilder: HTMLHandler {
    var tree = PageTree()
    /// The open elements, outermost first, with numbers of their own.
    private var open: [(tag: HTMLTag, node: PageTree.Node, number: Int)] = []
    /// The elements whose end is still to come: their numbers and places in ``open``, from which an element may have been
    /// removed early.
    private var started: [(number: Int, place: Int)] = []
    private var count = 0
    /// The places of open paragraphs and of what separates a paragraph from those around it. Thousands of elements may
    /// be open, so that none is searched for.
    private var paragraphs: [Int] = []

    var wantsMore: Bool { !tree.isFull }

    private var innermost: PageTree.Node { open.last?.node ?? PageTree.root }

    func startElement(_ tag: HTMLTag, _ attributes: HTMLAttributes) {
        // Since 2014 such an element ends a paragraph in HTML, but libxml2 only knows older elements.
        if tag.isNewBlock, let place = paragraphs.last, open[place].tag == .p { close(from: place) }
        guard !tree.isFull else { return open(tag, innermost) }
        let name = tag == .other ? attributes.elementName : ""
        let node = tree.make(PageTree.Content(tag: tag, name: name, attributes: attributes.all))
        tree.append(node, to: innermost)
        open(tag, PageTree.isTooDeep(open.count) ? innermost : node)
    }

    func endElement(_ tag: HTMLTag) {
        guard let (number, place) = started.popLast(), place < open.count, open[place].number == number else { return }
        close(from: place)
    }

    private func open(_ tag: HTMLTag, _ node: PageTree.Node) {
        if tag == .p || tag == .td || tag == .table { paragraphs.append(open.count) }
        started.append((count, open.count))
        open.append((tag, node, count))
        count += 1
    }

    /// Closes an element and all inside.
    private func close(from place: Int) {
        open.removeSubrange(place...)
        while let last = paragraphs.last, last >= place { paragraphs.removeLast() }
    }

    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty else { return }
        let parent = innermost
        let last = tree[parent].last
        // Scripts are long and not text.
        let isRead = tree.tag(parent) != .script && tree.tag(parent) != .style
        let text = String(decoding: bytes, as: UTF8.self)
        let measure = isRead ? TextMeasure(text) : TextMeasure()
        if last != PageTree.none, !tree.isElement(last) {
            tree[last].text += text
            tree[last].measure = tree[last].measure + measure
        } else if !tree.isFull {
            let content = PageTree.Content(tag: .other, isText: true, text: text, measure: measure)
            tree.append(tree.make(content), to: parent)
        }
    }
}
