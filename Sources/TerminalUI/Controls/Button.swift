/// Words that do something when pressed.
@MainActor
public final class Button: Control {
    /// The words.
    public var title: DisplayText { didSet { setNeedsLayout() } }

    /// Makes a button.
    public init(_ title: DisplayText, action: @escaping () -> Void = {}) {
        self.title = title
        super.init()
        onAction = action
    }

    /// The words between brackets.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: title.columns + 4, height: 1) }

    /// Draws the words.
    public override func draw(in surface: Surface) {
        surface.draw("[ " + title + " ]", at: .zero, style: labelStyle)
    }
}
