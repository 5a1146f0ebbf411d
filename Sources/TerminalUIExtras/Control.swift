import TerminalUI

/// The base class of interactive controls, which handles focus, enabling, and presses by Enter, Space or click.
@MainActor
open class Control: View {
    /// Whether it is enabled.
    public var isEnabled = true { didSet { if isEnabled != oldValue { setNeedsDisplay() } } }
    /// Called after the user has pressed it or changed its value.
    public var onAction: () -> Void = {}

    /// Creates a control.
    public override init() { super.init() }

    /// Enabled controls can have the focus.
    open override var canBecomeFocused: Bool { isEnabled }

    /// Tab moves from it to the next field.
    open override var isFormElement: Bool { true }

    /// Handles Enter, Space and clicks. The base class only calls ``onAction``.
    open func press() { onAction() }

    /// The key that presses it.
    open override var commands: [Command] {
        [Command(ControlCommands.press, isEnabled: isEnabled) { [weak self] in self?.press() }]
    }

    /// A click presses it.
    open override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action else { return false }
        if isEnabled { press() }
        return true
    }

    /// The style of its label, which is reversed while it has the focus.
    var labelStyle: Style {
        if !isEnabled { return theme[.secondary] }
        return isFocused ? theme[.selection] : theme[.text]
    }
}
