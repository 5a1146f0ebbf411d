import TerminalUI

/// A controller whose view is what a test looks at.
final class HostController: ViewController {
    private let content: View

    init(_ content: View) {
        self.content = content
        super.init()
    }

    override func makeView() -> View { content }
}
