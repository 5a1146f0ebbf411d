/// A row of an outline that may have others under it.
@MainActor
public final class OutlineNode {
    /// What it shows.
    public var title: DisplayText
    /// Text at the right edge.
    public var value: DisplayText
    /// The rows under it.
    public var children: [OutlineNode]
    /// Whether those can be seen.
    public var isExpanded: Bool

    /// Makes a row.
    public init(
        _ title: DisplayText, value: DisplayText = .empty, children: [OutlineNode] = [], isExpanded: Bool = false
    ) {
        self.title = title
        self.value = value
        self.children = children
        self.isExpanded = isExpanded
    }
}

/// A list whose rows unfold.
@MainActor
public final class OutlineView: TableView {
    /// The rows of the first level.
    public var roots: [OutlineNode] = [] { didSet { unfold() } }
    /// Called when a row without children is opened.
    public var onActivate: (OutlineNode) -> Void = { _ in }
    private var shown: [(node: OutlineNode, depth: Int)] = []

    /// Makes an empty outline.
    public override init() {
        super.init()
        dataSource = self
        delegate = self
    }

    private func unfold() {
        shown = []
        func add(_ nodes: [OutlineNode], _ depth: Int) {
            for node in nodes {
                shown.append((node, depth))
                if node.isExpanded { add(node.children, depth + 1) }
            }
        }
        add(roots, 0)
        reloadData()
        if selectedPath == nil, !shown.isEmpty { select(RowPath(row: 0)) }
    }

    /// The row that is chosen.
    public var selectedNode: OutlineNode? { selectedPath.map { shown[$0.row].node } }

    private func set(_ isExpanded: Bool, _ node: OutlineNode) {
        node.isExpanded = isExpanded
        unfold()
    }

    /// Folds the chosen row, or goes to the one that it stands under.
    private func foldOrLeave() {
        guard let path = selectedPath else { return }
        let (node, depth) = shown[path.row]
        if node.isExpanded, !node.children.isEmpty { return set(false, node) }
        if let parent = shown[..<path.row].lastIndex(where: { $0.depth < depth }) { select(RowPath(row: parent)) }
    }

    /// The list's keys, and those to fold and unfold.
    public override var commands: [Command] {
        let node = selectedNode
        let canUnfold = node.map { !$0.children.isEmpty && !$0.isExpanded } ?? false
        let depth = selectedPath.map { shown[$0.row].depth } ?? 0
        let canFold = node.map { $0.isExpanded && !$0.children.isEmpty || depth > 0 } ?? false
        return [
            Command(ToolkitCommands.unfold, isEnabled: canUnfold) { [weak self] in
                if let node { self?.set(true, node) }
            },
            Command(ToolkitCommands.fold, isEnabled: canFold) { [weak self] in
                self?.foldOrLeave()
            },
        ] + super.commands
    }
}

extension OutlineView: TableViewDataSource, TableViewDelegate {
    /// The rows that are not folded away.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { shown.count }

    /// A row with its mark, moved to the right by its depth.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let (node, depth) = shown[path.row]
        let cell = table.dequeueCell()
        cell.indentation = depth * 2
        let mark: DisplayText = node.children.isEmpty ? "  " : node.isExpanded ? "▾ " : "▸ "
        cell.title = mark + node.title
        cell.value = node.value
        return cell
    }

    /// Rows are the same rows by their objects.
    public func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        ObjectIdentifier(shown[path.row].node)
    }

    /// Where a row is now.
    public func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        shown.firstIndex { AnyHashable(ObjectIdentifier($0.node)) == identifier }.map { RowPath(row: $0) }
    }

    /// Unfolds or folds a row with children, opens one without.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        let node = shown[path.row].node
        if node.children.isEmpty { onActivate(node) } else { set(!node.isExpanded, node) }
    }
}
