import TerminalUI

/// A button with a title.
@MainActor
public final class Button: Control {
    /// The title.
    public var title: DisplayText { didSet { setNeedsLayout() } }

    /// Creates a button.
    public init(_ title: DisplayText, action: @escaping () -> Void = {}) {
        self.title = title
        super.init()
        onAction = action
    }

    /// The title in brackets.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: title.columns + 4, height: 1) }

    /// Draws the title.
    public override func draw(in surface: Surface) {
        surface.draw("[ " + title + " ]", at: .zero, style: labelStyle)
    }
}
