import TerminalUI

extension ViewController {
    /// Whether the bar truncates the title over a view of this width, so that the text must show it.
    package func titleIsCut(over view: View) -> Bool {
        traits.vertical < .regular || title.columns > view.bounds.width - 4
    }
}
