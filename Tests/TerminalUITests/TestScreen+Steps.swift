import TerminalUI
import TerminalUITesting

/// Steps that many suites share.
extension TestScreen {
    /// Shows a controller in a navigation controller.
    convenience init(inStack root: ViewController, width: Int, height: Int) {
        self.init(root: NavigationController(rootViewController: root), size: Size(width: width, height: height))
    }

    /// Shows a view alone.
    convenience init(of view: View, width: Int, height: Int) {
        self.init(root: HostController(view), size: Size(width: width, height: height))
    }

    /// Presents a controller over another one and draws it.
    func present(_ controller: ViewController, over presenter: ViewController) {
        presenter.present(controller)
        application.render()
    }

    /// Stops the clock, so that clicks in a row are quick.
    func stopClock() {
        let now = ContinuousClock.now
        application.window.now = { now }
    }

    /// Sends what the mouse does at a cell.
    func mouse(_ action: MouseEvent.Action, _ x: Int, _ y: Int) {
        application.send(.mouse(MouseEvent(action, at: Point(x: x, y: y))))
    }

    /// Returns the first column of a text in a line.
    func column(of text: String, in line: Int) -> Int? {
        lines[line].range(of: text).map { lines[line].distance(from: lines[line].startIndex, to: $0.lowerBound) }
    }
}
