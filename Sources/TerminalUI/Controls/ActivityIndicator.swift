/// An animated mark with a title, shown while work is in progress.
///
/// It appears 150 ms after ``start()``, so that quick work shows nothing.
@MainActor
public final class ActivityIndicator: View {
    /// The description of the work.
    public var title: DisplayText { didSet { setNeedsLayout() } }
    private var frameIndex = -1
    private var turning: Task<Void, Never>?

    /// Creates a stopped indicator.
    public init(_ title: DisplayText = .empty) {
        self.title = title
        super.init()
    }

    /// Whether it is animated.
    public var isAnimating: Bool { turning != nil }

    /// Starts the animation.
    public func start() {
        guard turning == nil else { return }
        turning = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(150))
            while !Task.isCancelled, let self {
                self.frameIndex += 1
                self.setNeedsDisplay()
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Stops the animation and hides the indicator.
    public func stop() {
        turning?.cancel()
        turning = nil
        frameIndex = -1
        setNeedsDisplay()
    }

    /// Mark and title.
    public override func sizeThatFits(_ limit: Size) -> Size { Size(width: 2 + title.columns, height: 1) }

    /// Draws the current frame.
    public override func draw(in surface: Surface) {
        guard frameIndex >= 0 else { return }
        let frames = symbols.activity
        surface.draw(frames[frameIndex % frames.count], at: .zero, style: theme[.accent])
        surface.draw(title, at: Point(x: 2, y: 0), style: theme[.secondary])
    }
}
