import TerminalUI

extension ViewController {
    /// Whether the bar has no room for the whole title over a view of this width, so that the text has to show it.
    func titleIsCut(over view: View) -> Bool { traits.vertical < .regular || title.columns > view.bounds.width - 4 }
}
