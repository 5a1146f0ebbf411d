import LibraryKernel
import Platform
import TerminalUI

/// A sheet with a list, such as the outbox or the season.
///
/// A subclass provides the items, their cells and the commands for the selected item.
@MainActor
open class SheetListViewController<Item>: ViewController, TableViewDataSource, TableViewDelegate {
    /// Items under a title.
    public struct Section {
        var title: DisplayText?
        package var items: [Item]

        package init(title: DisplayText? = nil, items: [Item]) {
            self.title = title
            self.items = items
        }
    }

    package let table = TableView()
    package private(set) var sections: [Section] = []
    /// The observation of the library while the sheet is visible.
    package var observation: Observation?
    private var ticking: Task<Void, Never>?
    /// The width of the sheet while it has items. It is as high as they are.
    private let width: Int
    private var height = 0
    /// The number of lines beside the list.
    private let otherLines: Int
    private static var maximumHeight: Int { 200 }

    /// Creates a sheet with a title, a text that an empty list shows, and the width of the sheet while it has items.
    public init(title: DisplayText, emptyText: DisplayText, width: Int, otherLines: Int = 0) {
        self.width = width
        self.otherLines = otherLines
        super.init()
        self.title = title
        modalPresentationStyle = .sheet
        table.emptyText = emptyText
    }

    // MARK: What a subclass provides

    /// Reads the items of a list that has no sections.
    open func readItems() -> [Item] { [] }

    /// Reads the sections of the list: by default one without a title.
    open func readSections() -> [Section] { [Section(items: readItems())] }

    /// Returns the identifier of an item, or `nil` to identify rows by their paths.
    open func identifier(of item: Item) -> AnyHashable? { nil }

    /// Returns the cell of an item.
    open func cell(for item: Item) -> TableViewCell { table.dequeueCell() }

    /// Returns the height of an item's row.
    open func height(of item: Item, isSelected: Bool) -> Int { table.rowHeight }

    /// Opens an item.
    open func activate(_ item: Item) {}

    /// Selects the first row that the sheet shows: by default the first of the list.
    open func selectInitialRow() { table.select(items.isEmpty ? nil : RowPath(row: 0)) }

    // MARK: The list

    /// The items in all sections.
    package var items: [Item] { sections.flatMap(\.items) }

    /// The selected item.
    package var selected: Item? { table.selectedPath.flatMap { item(at: $0) } }

    /// Returns the item in a row, or `nil` if the row no longer exists.
    package func item(at path: RowPath) -> Item? {
        guard sections.indices.contains(path.section), sections[path.section].items.indices.contains(path.row) else {
            return nil
        }
        return sections[path.section].items[path.row]
    }

    /// Reads the list again.
    package func load() {
        sections = readSections()
        table.reloadData()
        fit()
    }

    /// Makes the sheet as high as its rows. It doesn't shrink while rows come and go, so that nothing jumps.
    private func fit() {
        guard !items.isEmpty else { return preferredContentSize = emptySize }
        let rows = table.sizeThatFits(Size(width: width, height: SheetListViewController.maximumHeight)).height
        height = max(height, rows + otherLines)
        preferredContentSize = Size(width: width, height: height)
    }

    /// The size of a sheet that holds only a sentence.
    private var emptySize: Size {
        let width = min(width, max(table.emptyText.columns, title.columns) + 4)
        let lines = TextWrapping.wrap(table.emptyText, columns: max(1, width - 2)).count
        return Size(width: width, height: lines + 2 + otherLines)
    }

    /// Reads the list again every second while the sheet is visible and the condition holds.
    package func loadEverySecond(while isInProgress: @escaping @MainActor () -> Bool) {
        ticking = Task { [weak self] in
            while !Task.isCancelled {
                try? await Clock.sleep(for: .seconds(1))
                guard !Task.isCancelled, let self else { return }
                if isInProgress() { self.load() }
            }
        }
    }

    open override func makeView() -> View { table }

    open override func viewDidLoad() {
        table.dataSource = self
        table.delegate = self
        load()
        selectInitialRow()
        fit()
    }

    open override func viewDidDisappear() {
        observation = nil
        ticking?.cancel()
    }

    // MARK: The table

    /// Provides a part of the table.
    public func numberOfSections(in table: TableView) -> Int { sections.count }

    /// Provides a part of the table.
    public func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
        sections[section].items.count
    }

    /// Provides a part of the table.
    public func tableView(_ table: TableView, titleForHeaderInSection section: Int) -> DisplayText? {
        sections[section].title
    }

    /// Provides a part of the table.
    public func tableView(_ table: TableView, identifierForRowAt path: RowPath) -> AnyHashable? {
        item(at: path).flatMap { identifier(of: $0) } ?? AnyHashable(path)
    }

    /// Provides a part of the table.
    public func tableView(_ table: TableView, pathForRowWith identifier: AnyHashable) -> RowPath? {
        if let path = identifier.base as? RowPath { return path }
        for (section, content) in sections.enumerated() {
            if let row = content.items.firstIndex(where: { self.identifier(of: $0) == identifier }) {
                return RowPath(section: section, row: row)
            }
        }
        return nil
    }

    /// Provides a part of the table.
    public func tableView(_ table: TableView, heightForRowAt path: RowPath) -> Int {
        item(at: path).map { height(of: $0, isSelected: path == table.selectedPath) } ?? table.rowHeight
    }

    /// Provides a part of the table.
    public func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        item(at: path).map { cell(for: $0) } ?? table.dequeueCell()
    }

    /// Opens the item of a row.
    public func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        if let item = item(at: path) { activate(item) }
    }
}
