import TerminalUI

/// The view of a page of settings: a description, and a table below it.
final class SettingPageView: View {
    let explanation = Label()
    let table = TableView()
    /// The maximum width of the description.
    var textColumns = 76
    /// Places the table, and what else is below the description.
    var place: (_ rest: Rect) -> Void = { _ in }

    override init() {
        super.init()
        addSubview(explanation)
        addSubview(table)
    }

    override func layoutSubviews() {
        let width = max(1, min(bounds.width - 2, textColumns))
        let lines = min(explanation.sizeThatFits(Size(width: width, height: bounds.height)).height, bounds.height / 2)
        explanation.frame = Rect(x: 1, y: 0, width: width, height: lines)
        place(bounds.inset(top: lines))
    }
}
