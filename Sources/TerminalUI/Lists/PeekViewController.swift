/// A preview of a row's detail in a popover over its list (`Space` in narrow panes).
///
/// Up and down show the neighbours, Enter opens the row, and the opening key or Esc closes the preview.
@MainActor
final class PeekViewController: ViewController {
    private let preview: ViewController
    private weak var table: TableView?

    init(_ preview: ViewController, table: TableView) {
        self.preview = preview
        self.table = table
        super.init()
        title = preview.title
        modalPresentationStyle = .popover
        popoverPresentationController.sourceView = table
        popoverPresentationController.canOverlapSource = true
        addChild(preview)
    }

    override func makeView() -> View {
        FittingView { [weak self] limit in
            let room = Size(width: min(limit.width, 72), height: max(3, limit.height * 2 / 3))
            guard let wanted = self?.preview.preferredContentSize, wanted != .zero else { return room }
            return Size(width: min(wanted.width, room.width), height: min(wanted.height, room.height))
        }
    }

    override func viewWillLayoutSubviews() {
        for subview in view.subviews { subview.frame = view.bounds }
    }

    override func viewDidLoad() {
        view.addSubview(preview.view)
        preview.didMove(to: self)
    }

    override var commands: [Command] {
        [
            Command(PreviewCommands.next) { [weak self] in self?.go(1) },
            Command(PreviewCommands.previous) { [weak self] in self?.go(-1) },
            Command(PreviewCommands.open) { [weak self] in
                let table = self?.table
                self?.dismiss()
                table?.activate()
            },
            Command(PreviewCommands.close) { [weak self] in
                self?.dismiss()
            },
        ]
    }

    /// Shows the preview of the selected row if the table's delegate has one.
    static func present(over table: TableView) {
        guard let path = table.selectedPath, let preview = table.delegate?.tableView(table, previewForRowAt: path)
        else { return }
        let peek = PeekViewController(preview, table: table)
        peek.popoverPresentationController.sourceRect = table.selectedRowRect
        table.nearestViewController?.present(peek)
    }

    private func go(_ step: Int) {
        let table = table
        dismiss()
        guard let table else { return }
        table.move(to: table.selectedRow + step)
        table.window?.layoutIfNeeded()
        PeekViewController.present(over: table)
    }
}
