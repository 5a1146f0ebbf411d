/// Swaps the root of a navigation controller among several, with a segmented control in its bar.
///
/// It is a plain object, not a container. It holds the root controllers and one navigation controller (row SEG-01).
/// Switching stores the current stack and installs that of the other segment, initially its root, so each segment is
/// found as it was left (row SEG-06). The segments can change at any time.
///
/// ```swift
/// let segments = SegmentsController(
///     navigationController: navigation, viewControllers: [stages, feeds, settings])
/// segments.selectedIndex = 1
/// ```
@MainActor
public final class SegmentsController {
    /// A segment whose root is created when it is first shown, and may be released when memory is short.
    public struct Segment {
        /// The identity, by which a segment is recognised when the segments change, or `nil` for its place.
        public let identifier: String?
        /// The name, until the root has a title of its own.
        public let title: DisplayText
        /// Whether the bar leaves the segment out, unless it is selected. Only code selects it.
        public let isHidden: Bool
        let make: @MainActor () -> ViewController

        /// Creates a description of a segment.
        public init(
            _ title: DisplayText, identifier: String? = nil, isHidden: Bool = false,
            make: @escaping @MainActor () -> ViewController
        ) {
            self.title = title
            self.identifier = identifier
            self.isHidden = isHidden
            self.make = make
        }
    }

    /// The navigation controller whose stack is swapped.
    public let navigationController: NavigationController
    /// The control in the bar.
    public let segmentedControl = SegmentedControl()
    /// Called after another segment was selected.
    public var onChange: (Int) -> Void = { _ in }
    /// Called when the user has dragged a segment to the place of another one; `nil` if they have a fixed order.
    public var onMove: ((_ index: Int, _ target: Int) -> Void)? {
        didSet {
            segmentedControl.onMove = onMove.map { move in
                { [weak self] index, target in
                    guard let shown = self?.shown, shown.indices.contains(index), shown.indices.contains(target) else {
                        return
                    }
                    move(shown[index], shown[target])
                }
            }
        }
    }

    /// A segment with what is known about it.
    private struct Item {
        var description: Segment
        var identifier: String
        var shown: SegmentedControl.Segment

        init(_ description: Segment, at index: Int) {
            self.description = description
            identifier = description.identifier ?? "\(index)"
            shown = SegmentedControl.Segment(description.title)
        }
    }

    private var items: [Item]
    private var roots: [String: ViewController] = [:]
    private var stacks: [String: [ViewController]] = [:]
    private var states: [String: Any] = [:]
    private var index = -1

    /// Creates a controller for segments created on first use, and selects one.
    ///
    /// - Parameters:
    ///   - navigationController: The navigation controller whose root is swapped and whose bar shows the segments.
    ///   - segments: The names, and functions that create the roots.
    ///   - selectedIndex: The first visible segment.
    public init(navigationController: NavigationController, segments: [Segment], selectedIndex: Int = 0) {
        self.navigationController = navigationController
        items = segments.enumerated().map { Item($1, at: $0) }
        segmentedControl.onSelect = { [weak self] place in
            if let self, self.shown.indices.contains(place) { self.choose(self.shown[place]) }
        }
        navigationController.persistentTitleView = segmentedControl
        navigationController.additionalCommands = { [weak self] in self?.commands ?? [] }
        navigationController.positionText = { [weak self] in self?.position }
        navigationController.memoryWarning = { [weak self] in self?.unload() }
        updateControl()
        self.selectedIndex = selectedIndex
    }

    /// Creates a controller for existing segments, named by their titles, and selects one.
    ///
    /// - Parameters:
    ///   - navigationController: The navigation controller whose root is swapped and whose bar shows the segments.
    ///   - viewControllers: The roots.
    ///   - selectedIndex: The first visible segment.
    public convenience init(
        navigationController: NavigationController, viewControllers: [ViewController], selectedIndex: Int = 0
    ) {
        self.init(
            navigationController: navigationController,
            segments: viewControllers.map { controller in Segment(controller.title) { controller } },
            selectedIndex: selectedIndex)
        for (index, controller) in viewControllers.enumerated() { take(controller, as: items[index].identifier) }
    }

    /// Replaces the segments. Those with a known identity keep their root, stack and badge, and the selected one stays
    /// selected; if it is gone, the first visible one is selected.
    public func setSegments(_ segments: [Segment]) {
        let selected = items.indices.contains(index) ? items[index].identifier : nil
        let known = Dictionary(items.map { ($0.identifier, $0.shown) }) { first, _ in first }
        items = segments.enumerated().map { index, segment in
            var item = Item(segment, at: index)
            if let shown = known[item.identifier] {
                item.shown = shown
                if roots[item.identifier]?.title.isEmpty ?? true { item.shown.title = segment.title }
            }
            return item
        }
        let kept = Set(items.map(\.identifier))
        for identifier in roots.keys where !kept.contains(identifier) && identifier != selected { drop(identifier) }
        index = items.firstIndex { $0.identifier == selected } ?? -1
        if index < 0, let first = shown.first {
            if let selected { drop(selected) }
            selectedIndex = first
        }
        updateControl()
    }

    private func drop(_ identifier: String) {
        roots[identifier]?.titleListener = nil
        roots[identifier] = nil
        stacks[identifier] = nil
        states[identifier] = nil
    }

    /// The indexes of the segments in the bar: the visible ones, and the selected one.
    private var shown: [Int] { items.indices.filter { !items[$0].description.isHidden || $0 == index } }

    private func updateControl() {
        let shown = shown
        segmentedControl.segments = shown.map { items[$0].shown }
        segmentedControl.selectedSegmentIndex = shown.firstIndex(of: index) ?? -1
        // Bars without space for the control also show a badge.
        navigationController.viewIfLoaded?.setNeedsLayout()
    }

    /// Returns the root of a segment if it was created.
    public func rootIfMade(at index: Int) -> ViewController? { roots[items[index].identifier] }

    private func root(at index: Int) -> ViewController {
        let identifier = items[index].identifier
        if let root = roots[identifier] { return root }
        let root = items[index].description.make()
        take(root, as: identifier)
        if let state = states.removeValue(forKey: identifier) { (root as? any RestorableSegment)?.restore(state) }
        return root
    }

    /// Installs a root, whose title is the segment's name even when it changes later.
    private func take(_ root: ViewController, as identifier: String) {
        roots[identifier] = root
        let rename = { [weak self, weak root] in
            guard let self, let title = root?.title, !title.isEmpty,
                let index = self.items.firstIndex(where: { $0.identifier == identifier })
            else { return }
            self.items[index].shown.title = title
            self.updateControl()
        }
        root.titleListener = rename
        rename()
    }

    /// Returns the state of a segment that can be restored, or `nil` if it was never created.
    public func segmentState(at index: Int) -> Any? {
        let identifier = items[index].identifier
        return (roots[identifier] as? any RestorableSegment)?.segmentState ?? states[identifier]
    }

    /// Releases invisible segments that can be restored. Called when memory is short (row SEG-06).
    public func unload() {
        for (index, item) in items.enumerated() where index != self.index {
            guard let restorable = roots[item.identifier] as? any RestorableSegment else { continue }
            states[item.identifier] = restorable.segmentState
            roots[item.identifier] = nil
            stacks[item.identifier] = nil
        }
    }

    /// The index of the visible segment. Setting it has the same effect as selecting it (row SEG-01).
    public var selectedIndex: Int {
        get { index }
        set {
            guard items.indices.contains(newValue), newValue != index else { return }
            if index >= 0 { stacks[items[index].identifier] = navigationController.viewControllers }
            index = newValue
            updateControl()
            navigationController.setViewControllers(stacks[items[newValue].identifier] ?? [root(at: newValue)])
            onChange(newValue)
        }
    }

    /// Shows a text after a segment's name; `nil` removes it.
    public func setBadge(_ badge: DisplayText?, at index: Int) {
        items[index].shown.badge = badge
        updateControl()
    }

    /// Enables or disables a segment.
    public func setEnabled(_ isEnabled: Bool, at index: Int) {
        items[index].shown.isEnabled = isEnabled
        updateControl()
    }

    /// Selects a segment. Selecting the current one returns to its root, and then scrolls that to the top (row SEG-05).
    private func choose(_ newIndex: Int) {
        guard newIndex == index else { return selectedIndex = newIndex }
        let root = rootIfMade(at: newIndex) as? any SegmentRoot
        guard navigationController.viewControllers.count > 1 || root?.isAtRoot == false else {
            navigationController.window?.focusedController.scrollToTop()
            return
        }
        navigationController.popToRoot()
        root?.returnToRoot()
    }

    private func step(_ direction: Int) {
        let shown = shown
        guard let place = shown.firstIndex(of: index) else { return }
        for distance in 1..<max(2, shown.count) {
            let candidate = ((place + direction * distance) % shown.count + shown.count) % shown.count
            if items[shown[candidate]].shown.isEnabled {
                selectedIndex = shown[candidate]
                return
            }
        }
    }

    private var position: DisplayText {
        let shown = shown
        let badge = shown.compactMap { items[$0].shown.badge }.first.map { " " + $0 } ?? .empty
        return DisplayText("\((shown.firstIndex(of: index) ?? -1) + 1)/\(shown.count)") + badge
    }

    private var commands: [Command] {
        let picks = zip(SegmentCommands.picks, shown).map { pick, place in
            Command(pick, title: items[place].shown.title, isEnabled: items[place].shown.isEnabled) { [weak self] in
                self?.choose(place)
            }
        }
        return [
            Command(SegmentCommands.next) { [weak self] in self?.step(1) },
            Command(SegmentCommands.previous) { [weak self] in self?.step(-1) },
        ] + picks
    }
}

/// A root of a segment that can be released and restored (row SEG-06).
@MainActor
public protocol RestorableSegment: ViewController {
    /// The state needed to restore it: selection, path, positions.
    var segmentState: Any { get }
    /// Restores a state. Called once, before it is shown.
    func restore(_ state: Any)
}

/// A root of a segment that can return to its first level by itself.
@MainActor
public protocol SegmentRoot: ViewController {
    /// Whether the first level is visible and has the focus.
    var isAtRoot: Bool { get }
    /// Returns to the first level and gives it the focus.
    func returnToRoot()
}

extension SplitViewController: SegmentRoot {
    /// Whether the first list has the focus and each column shows its root.
    public var isAtRoot: Bool {
        focusedColumn == .primary
            && Column.allCases.allSatisfy { navigationController(for: $0).viewControllers.count < 2 }
    }

    /// Returns to the first list, and to the root of each column.
    public func returnToRoot() {
        focus(.primary)
        for column in Column.allCases { navigationController(for: column).popToRoot() }
    }
}
