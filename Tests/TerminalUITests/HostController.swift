import TerminalUI

/// A controller whose view a test examines.
final class HostController: ViewController {
    private let content: View

    init(_ content: View) {
        self.content = content
        super.init()
    }

    override func makeView() -> View { content }
}
