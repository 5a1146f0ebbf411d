/// A line above all segments about something current, such as work in progress. A click opens it, and a click on the sign
/// at the end puts it away.
@MainActor
public final class AccessoryLine: View {
    /// What the line shows.
    public struct Content: Hashable, Sendable {
        /// The text, the most important part first.
        public var text: DisplayText
        /// The role of the text.
        public var role: ThemeRole
        /// The share of the work that is done, from 0 to 1, if there is one.
        public var progress: Double?

        /// Creates the content.
        public init(_ text: DisplayText, role: ThemeRole = .text, progress: Double? = nil) {
            self.text = text
            self.role = role
            self.progress = progress
        }
    }

    /// The content, or `nil` to leave the line out.
    public var content: Content? {
        didSet {
            guard content != oldValue else { return }
            if (content == nil) != (oldValue == nil) { superview?.setNeedsLayout() }
            setNeedsDisplay()
        }
    }
    /// Called when the user opens what the line is about.
    public var onOpen: () -> Void = {}
    /// Called when the user puts the line away.
    public var onDismiss: () -> Void = {}
    private static let barColumns = 15
    private static let minimumColumnsForBar = 60

    /// Creates an empty line.
    public override init() { super.init() }

    /// Returns one line if there is content.
    public override func sizeThatFits(_ limit: Size) -> Size {
        Size(width: limit.width, height: content == nil ? 0 : min(1, limit.height))
    }

    private var closing: DisplayText { symbols.isLinear ? .empty : traits.capabilities.hasUnicode ? "×" : "x" }

    private var closingColumn: Int { bounds.width - closing.columns - 1 }

    /// Draws the text, the progress and the sign that puts the line away.
    public override func draw(in surface: Surface) {
        guard let content else { return }
        surface.clear(style: theme[.text])
        surface.draw(closing, at: Point(x: closingColumn, y: 0), style: theme[.secondary])
        var end = closingColumn - 1
        if let progress = content.progress, bounds.width >= AccessoryLine.minimumColumnsForBar, !symbols.isLinear {
            let start = end - AccessoryLine.barColumns
            let done = Int(clamping: (Double(AccessoryLine.barColumns) * progress).rounded())
                .limited(0, AccessoryLine.barColumns)
            drawProgress(done, on: Rect(x: start, y: 0, width: AccessoryLine.barColumns, height: 1), in: surface)
            end = start - 1
        }
        surface.draw(content.text.truncated(to: max(0, end - 1)), at: Point(x: 1, y: 0), style: theme[content.role])
    }

    /// Opens what the line is about, or puts it away.
    public override func handle(_ event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action, content != nil else { return false }
        if !closing.isEmpty, event.location.x >= closingColumn { onDismiss() } else { onOpen() }
        return true
    }
}
