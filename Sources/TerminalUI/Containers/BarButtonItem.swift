/// Something in a bar that can be clicked, with the key that does the same.
@MainActor
public final class BarButtonItem {
    /// What an item is for in its bar.
    public enum Kind: Hashable, Sendable {
        /// A title that acts.
        case button
        /// Room that is shared by all such items of the bar.
        case flexibleSpace
        /// Text that does not act.
        case label
    }

    /// What it is for.
    public let kind: Kind
    /// The words.
    public var title: DisplayText { didSet { if title != oldValue { onChange?() } } }
    /// The key that does the same, as a hint.
    public var key: DisplayText? { didSet { if key != oldValue { onChange?() } } }
    /// Whether it acts now.
    public var isEnabled = true { didSet { if isEnabled != oldValue { onChange?() } } }
    /// Which items stay when there is not room for all: higher first.
    public var priority: Int
    private let action: (@MainActor () -> Void)?
    var onChange: (() -> Void)?

    /// Makes a button.
    public init(
        _ title: DisplayText, key: DisplayText? = nil, priority: Int = 0, action: @escaping @MainActor () -> Void
    ) {
        kind = .button
        self.title = title
        self.key = key
        self.priority = priority
        self.action = action
    }

    /// Makes a button that does a command.
    public convenience init(_ command: Command, title: DisplayText? = nil, priority: Int = 0) {
        self.init(title ?? command.title, key: command.keys.first?.label, priority: priority) { command.perform() }
        isEnabled = command.isEnabled
    }

    private init(kind: Kind, title: DisplayText, priority: Int) {
        self.kind = kind
        self.title = title
        self.priority = priority
        action = nil
    }

    /// Makes text that does not act.
    public static func label(_ title: DisplayText, priority: Int = 0) -> BarButtonItem {
        BarButtonItem(kind: .label, title: title, priority: priority)
    }

    /// Makes room that pushes what follows to the right.
    public static func flexibleSpace() -> BarButtonItem {
        BarButtonItem(kind: .flexibleSpace, title: .empty, priority: .max)
    }

    /// Does what a click on it does.
    public func perform() {
        if isEnabled { action?() }
    }

    /// Columns of key and title together.
    var columns: Int { (key.map { $0.columns + 1 } ?? 0) + title.columns }
}

/// A view that shows bar items and knows where.
@MainActor
protocol BarButtonItemHost: View {
    func rect(of item: BarButtonItem) -> Rect?
}
