import TerminalUI

/// A labelled switch.
@MainActor
public final class Switch: Control {
    /// The form of the switch.
    public enum Form: Hashable, Sendable {
        /// A box with a cross.
        case checkbox
        /// The words "on" and "off".
        case words
    }

    /// Whether it is on.
    public var isOn: Bool { didSet { setNeedsDisplay() } }
    /// The label.
    public let title: DisplayText
    /// The form.
    public let form: Form

    /// Creates a switch.
    public init(_ title: DisplayText, isOn: Bool = false, form: Form = .checkbox) {
        self.title = title
        self.isOn = isOn
        self.form = form
        super.init()
    }

    private var mark: DisplayText {
        switch form {
        case .checkbox: isOn ? "[x] " : "[ ] "
        case .words: isOn ? "on   " : "off  "
        }
    }

    /// Mark and name.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: mark.columns + title.columns, height: 1) }

    /// Toggles it.
    public override func press() {
        isOn.toggle()
        super.press()
    }

    /// Draws mark and name.
    public override func draw(in surface: Surface) { surface.draw(mark + title, at: .zero, style: labelStyle) }
}
