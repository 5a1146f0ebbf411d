import TerminalUI

/// A row of an outline with optional children.
@MainActor
public final class OutlineNode {
    /// The title.
    public var title: DisplayText
    /// The text at the right edge.
    public var value: DisplayText
    /// The rows below it.
    public var children: [OutlineNode]
    /// Whether its children are visible.
    public var isExpanded: Bool

    /// Creates a row.
    public init(
        _ title: DisplayText, value: DisplayText = .empty, children: [OutlineNode] = [], isExpanded: Bool = false
    ) {
        self.title = title
        self.value = value
        self.children = children
        self.isExpanded = isExpanded
    }
}

/// A list whose rows expand and collapse.
@MainActor
public final class OutlineView: TableView {
    /// The rows of the first level.
    public var roots: [OutlineNode] = [] { didSet { unfold() } }
    /// Called when a row without children is opened.
    public var onActivate: (OutlineNode) -> Void = { _ in }
    private var shown: [(node: OutlineNode, depth: Int)] = []

    /// Creates an empty outline.
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

    /// The selected row.
    public var selectedNode: OutlineNode? { selectedPath.map { shown[$0.row].node } }

    private func set(_ isExpanded: Bool, _ node: OutlineNode) {
        node.isExpanded = isExpanded
        unfold()
    }

    /// Collapses the selected row, or selects its parent.
    private func collapseOrLeave() {
        guard let path = selectedPath else { return }
        let (node, depth) = shown[path.row]
        if node.isExpanded, !node.children.isEmpty { return set(false, node) }
        if let parent = shown[..<path.row].lastIndex(where: { $0.depth < depth }) { select(RowPath(row: parent)) }
    }

    /// The keys of the list, and those that expand and collapse.
    public override var commands: [Command] {
        let node = selectedNode
        let canExpand = node.map { !$0.children.isEmpty && !$0.isExpanded } ?? false
        let depth = selectedPath.map { shown[$0.row].depth } ?? 0
        let canCollapse = node.map { $0.isExpanded && !$0.children.isEmpty || depth > 0 } ?? false
        return [
            Command(OutlineCommands.expand, isEnabled: canExpand) { [weak self] in
                if let node { self?.set(true, node) }
            },
            Command(OutlineCommands.collapse, isEnabled: canCollapse) { [weak self] in self?.collapseOrLeave() },
        ] + super.commands
    }
}

extension OutlineView: TableViewDataSource, TableViewDelegate {
    /// The number of visible rows.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { shown.count }

    /// Returns the cell of a row, indented by its depth.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let (node, depth) = shown[path.row]
        let cell = table.dequeueCell()
        cell.indentation = depth * 2
        let mark: DisplayText = node.children.isEmpty ? "  " : node.isExpanded ? "▾ " : "▸ "
        cell.title = mark + node.title
        cell.value = node.value
        return cell
    }

    /// Rows are identified by their objects.
    public func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        ObjectIdentifier(shown[path.row].node)
    }

    /// Returns the current position of a row.
    public func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        shown.firstIndex { AnyHashable(ObjectIdentifier($0.node)) == identifier }.map { RowPath(row: $0) }
    }

    /// Expands or collapses a row with children, and opens one without.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        let node = shown[path.row].node
        if node.children.isEmpty { onActivate(node) } else { set(!node.isExpanded, node) }
    }
}
