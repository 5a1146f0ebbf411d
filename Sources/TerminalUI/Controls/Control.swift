/// The base of views that the user sets or presses: focus, enabling, and a press by Enter, Space or a click.
@MainActor
open class Control: View {
    /// Whether it can be used.
    public var isEnabled = true { didSet { if isEnabled != oldValue { setNeedsDisplay() } } }
    /// Called after the user has changed its value or pressed it.
    public var onAction: () -> Void = {}

    /// Makes a control.
    public override init() { super.init() }

    /// Keys go to controls that are enabled.
    open override var canBecomeFocused: Bool { isEnabled }

    /// Tab goes on from it.
    open override var isFormElement: Bool { true }

    /// What Enter, Space and a click do; the base class only tells of it.
    open func press() { onAction() }

    /// The key that presses it.
    open override var commands: [Command] {
        [
            Command(ToolkitCommands.press, isEnabled: isEnabled) { [weak self] in
                self?.press()
            }
        ]
    }

    /// A click presses it.
    open override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action else { return false }
        if isEnabled { press() }
        return true
    }

    /// The look of its words: reverse while keys go to it.
    var labelStyle: Style {
        if !isEnabled { return theme[.secondary] }
        return isFocused ? theme[.selection] : theme[.text]
    }
}
