import TerminalUI

/// A page of the gallery: its name, and a function that creates its controller.
struct Page {
    let title: DisplayText
    let make: @MainActor () -> ViewController
}

final class PageList: ViewController, TableViewDataSource, TableViewDelegate {
    private let pages: [Page]
    private let table = TableView()
    private var made: [Int: ViewController] = [:]

    init(_ title: DisplayText, _ pages: [Page]) {
        self.pages = pages
        super.init()
        self.title = title
    }

    override func makeView() -> View { table }

    override func viewDidLoad() {
        table.dataSource = self
        table.delegate = self
        table.select(RowPath(row: 0))
        toolbarItems = [.label("j/k move"), .flexibleSpace(), .label("? keys  q quit")]
    }

    override func viewWillAppear() { show(takesFocus: false) }

    private func show(takesFocus: Bool) {
        guard let row = table.selectedPath?.row else { return }
        let page = made[row] ?? pages[row].make()
        page.title = pages[row].title
        made[row] = page
        splitViewController?.show(page, in: .secondary, takesFocus: takesFocus)
    }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { pages.count }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let cell = table.dequeueCell()
        cell.title = pages[path.row].title
        return cell
    }

    func tableView(_ table: TableView, didSelectRowAt path: RowPath) { show(takesFocus: false) }
    func tableView(_ table: TableView, didActivateRowAt path: RowPath) { show(takesFocus: true) }
}

/// A single view, with the keys for it in the toolbar.
final class ContentController: ViewController {
    private let content: View

    init(_ content: View, keys: DisplayText? = nil) {
        self.content = content
        super.init()
        toolbarItems = keys.map { [.label($0)] } ?? []
    }

    override func makeView() -> View { content }
}

/// A vertical stack of views with their preferred heights.
final class StackController: ViewController {
    private let views: [View]

    init(_ views: [View]) {
        self.views = views
        super.init()
    }

    private final class StackView: View {
        override func layoutSubviews() {
            var y = 1
            for view in subviews {
                let size = view.sizeThatFits(Size(width: bounds.width - 4, height: max(1, bounds.height - y)))
                view.frame = Rect(x: 2, y: y, width: min(size.width, bounds.width - 4), height: size.height)
                y += size.height + 1
            }
        }
    }

    override func makeView() -> View { StackView() }

    override func viewDidLoad() {
        for child in views { view.addSubview(child) }
    }
}
