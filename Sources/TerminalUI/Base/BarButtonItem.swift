/// An item in a bar that can be clicked, with the key for the same command.
@MainActor
public final class BarButtonItem {
    /// The kind of an item.
    public enum Kind: Hashable, Sendable {
        /// A title that performs an action.
        case button
        /// Space that the flexible items of a bar share equally.
        case flexibleSpace
        /// Text without an action.
        case label
    }

    /// The kind.
    public let kind: Kind
    /// The text.
    public var title: DisplayText { didSet { if title != oldValue { onChange?() } } }
    /// The command that the item performs, if any. Its key is shown as the user has bound it.
    public let definition: CommandDefinition?
    /// The controller whose bar shows the item, and whose commands it performs.
    weak var owner: ViewController?
    private let ownKey: KeySequence?
    /// Whether the key appears before the title.
    public var showsKey = true
    /// Whether the item is enabled.
    public var isEnabled = true { didSet { if isEnabled != oldValue { onChange?() } } }
    /// The priority of the item when there isn't enough space for all.
    public var priority: Int
    private let action: (@MainActor () -> Void)?
    var onChange: (() -> Void)?

    /// Creates a button.
    ///
    /// - Parameter key: A key for the same action that belongs to no command.
    public convenience init(
        _ title: DisplayText, key: KeySequence? = nil, priority: Int = 0, action: @escaping @MainActor () -> Void
    ) {
        self.init(kind: .button, title: title, key: key, priority: priority, action: action)
    }

    /// Creates a button for a command as the bar's controller offers it.
    public convenience init(_ definition: CommandDefinition, title: DisplayText? = nil, priority: Int = 0) {
        self.init(kind: .button, title: title ?? definition.title, definition: definition, priority: priority)
    }

    private init(
        kind: Kind, title: DisplayText, definition: CommandDefinition? = nil, key: KeySequence? = nil, priority: Int,
        action: (@MainActor () -> Void)? = nil
    ) {
        self.kind = kind
        self.definition = definition
        self.title = title
        ownKey = key
        self.priority = priority
        self.action = action
    }

    /// The key for the same action, as a hint.
    public var key: DisplayText? {
        guard showsKey else { return nil }
        let keyMap = owner?.window?.keyMap ?? KeyMap()
        if let label, label.keyMap == keyMap { return label.text }
        let text = definition.map { keyMap.label(for: $0) } ?? ownKey.map(keyMap.label(of:))
        label = (keyMap, text)
        return text
    }

    /// The key as it was shown last.
    private var label: (keyMap: KeyMap, text: DisplayText?)?

    /// Creates text without an action.
    public static func label(_ title: DisplayText, priority: Int = 0) -> BarButtonItem {
        BarButtonItem(kind: .label, title: title, priority: priority)
    }

    /// Creates space that moves the following items to the right.
    public static func flexibleSpace() -> BarButtonItem {
        BarButtonItem(kind: .flexibleSpace, title: .empty, priority: .max)
    }

    /// Performs the action, as a click does.
    public func perform() {
        guard isEnabled else { return }
        if let definition, let owner { owner.window?.perform(definition, from: owner) } else { action?() }
    }

    /// The width of key and title together.
    var columns: Int { (key.map { $0.columns + 1 } ?? 0) + title.columns }
}

/// A view that shows bar items and knows their positions.
@MainActor
protocol BarButtonItemHost: View {
    /// The visible items with their frames.
    var placed: [(item: BarButtonItem, rect: Rect)] { get }
}

extension BarButtonItemHost {
    func rect(of item: BarButtonItem) -> Rect? { placed.first { $0.item === item }?.rect }

    /// Performs the action of the clicked item, if any.
    func performItem(clickedBy event: MouseEvent) -> Bool {
        guard case .press(.left) = event.action,
            let hit = placed.first(where: { $0.rect.contains(event.location) })
        else { return false }
        hit.item.perform()
        return true
    }
}
