import TerminalUI

/// A number in a range, set by keys, clicks and drags.
@MainActor
public final class Slider: Control {
    /// The allowed numbers.
    public let range: ClosedRange<Double>
    /// The amount by which a key changes the number.
    public let step: Double
    /// The current number.
    public var value: Double {
        didSet {
            value = min(max(value, range.lowerBound), range.upperBound)
            setNeedsDisplay()
        }
    }

    /// Creates a slider.
    public init(_ range: ClosedRange<Double>, value: Double, step: Double) {
        self.range = range
        self.step = step
        self.value = min(max(value, range.lowerBound), range.upperBound)
        super.init()
    }

    /// As wide as allowed.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: limit.width, height: 1) }

    private func set(_ newValue: Double) {
        let before = value
        value = newValue
        if value != before { onAction() }
    }

    /// The keys that change the number.
    public override var commands: [Command] {
        func change(_ definition: CommandDefinition, by step: Double, isEnabled: Bool) -> Command {
            Command(definition, isEnabled: isEnabled) { [weak self] in
                if let self { self.set(self.value + step) }
            }
        }
        return [
            change(ControlCommands.more, by: step, isEnabled: isEnabled && value < range.upperBound),
            change(ControlCommands.less, by: -step, isEnabled: isEnabled && value > range.lowerBound),
        ]
    }

    /// Clicks and drags set the number at the pointer.
    public override func handle(_ event: MouseEvent) -> Bool {
        switch event.action {
        case .press(.left), .drag(.left):
            guard isEnabled, bounds.width > 1 else { return true }
            let share = Double(max(0, min(event.location.x, bounds.width - 1))) / Double(bounds.width - 1)
            let steps = (share * (range.upperBound - range.lowerBound) / step).rounded()
            set(range.lowerBound + steps * step)
            return true
        default:
            return false
        }
    }

    /// Draws the track and the knob.
    public override func draw(in surface: Surface) {
        let length = range.upperBound - range.lowerBound
        let knob = length > 0 ? Int(clamping: (value - range.lowerBound) / length * Double(bounds.width - 1) + 0.5) : 0
        drawProgress(knob, on: bounds, in: surface)
        surface.draw(symbols.dot, at: Point(x: knob, y: 0), style: isFocused ? theme[.accent] : theme[.text])
    }
}
