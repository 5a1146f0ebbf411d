import TerminalUI

extension ViewController {
    /// The toolbar's way to the keys that work here.
    func helpItem(priority: Int) -> BarButtonItem {
        BarButtonItem("help", key: "?", priority: priority) { [weak self] in
            self?.window?.send(KeyPress(.character("?")))
        }
    }

    /// Whether the bar has no room for the whole title over a view of this width, so that the text has to show it.
    func titleIsCut(over view: View) -> Bool { traits.vertical < .regular || title.columns > view.bounds.width - 4 }
}
