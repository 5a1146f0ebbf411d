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
    /// The command that it does, where it does one; its key is shown as the user has bound it.
    public let definition: CommandDefinition?
    /// The controller in whose bar it stands: its commands are meant.
    weak var owner: ViewController?
    private let ownKey: KeySequence?
    /// Whether the key stands before the title.
    public var showsKey = true
    /// Whether it acts now.
    public var isEnabled = true { didSet { if isEnabled != oldValue { onChange?() } } }
    /// Which items stay when there is not room for all: higher first.
    public var priority: Int
    private let action: (@MainActor () -> Void)?
    var onChange: (() -> Void)?

    /// Makes a button.
    ///
    /// - Parameter key: A key that does the same without being a command's.
    public init(
        _ title: DisplayText, key: KeySequence? = nil, priority: Int = 0, action: @escaping @MainActor () -> Void
    ) {
        kind = .button
        definition = nil
        self.title = title
        ownKey = key
        self.priority = priority
        self.action = action
    }

    /// Makes a button that does a command, as it is offered where the bar's controller takes keys.
    public init(_ definition: CommandDefinition, title: DisplayText? = nil, priority: Int = 0) {
        kind = .button
        self.definition = definition
        self.title = title ?? definition.title
        ownKey = nil
        self.priority = priority
        action = nil
    }

    private init(kind: Kind, title: DisplayText, priority: Int) {
        self.kind = kind
        definition = nil
        self.title = title
        ownKey = nil
        self.priority = priority
        action = nil
    }

    /// The key that does the same, as a hint.
    public var key: DisplayText? {
        guard showsKey else { return nil }
        let keyMap = owner?.window?.keyMap ?? KeyMap()
        guard let definition else { return ownKey.map(keyMap.label(of:)) }
        return keyMap.label(for: definition)
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
        guard isEnabled else { return }
        if let definition, let owner { owner.window?.perform(definition, from: owner) } else { action?() }
    }

    /// Columns of key and title together.
    var columns: Int { (key.map { $0.columns + 1 } ?? 0) + title.columns }
}

/// A view that shows bar items and knows where.
@MainActor
protocol BarButtonItemHost: View {
    func rect(of item: BarButtonItem) -> Rect?
}
