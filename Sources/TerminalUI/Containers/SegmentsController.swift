/// Swaps the root of a navigation controller among several, with a segmented control in its bar.
///
/// It is a plain object, not a container. It holds the root controllers and one navigation controller (row SEG-01).
/// Switching stores the current stack and installs that of the other segment, initially its root, so each segment is
/// found as it was left (row SEG-06).
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
        /// The name, until the root has a title of its own.
        public let title: DisplayText
        let make: @MainActor () -> ViewController

        /// Creates a description of a segment.
        public init(_ title: DisplayText, make: @escaping @MainActor () -> ViewController) {
            self.title = title
            self.make = make
        }
    }

    /// The navigation controller whose stack is swapped.
    public let navigationController: NavigationController
    /// The control in the bar.
    public let segmentedControl = SegmentedControl()
    /// Called after another segment was selected.
    public var onChange: (Int) -> Void = { _ in }

    private let descriptions: [Segment]
    private var roots: [Int: ViewController] = [:]
    private var stacks: [Int: [ViewController]] = [:]
    private var states: [Int: Any] = [:]
    private var index = -1

    /// Creates a controller for segments created on first use, and selects one.
    ///
    /// - Parameters:
    ///   - navigationController: The navigation controller whose root is swapped and whose bar shows the segments.
    ///   - segments: The names, and functions that create the roots.
    ///   - selectedIndex: The first visible segment.
    public init(navigationController: NavigationController, segments: [Segment], selectedIndex: Int = 0) {
        self.navigationController = navigationController
        descriptions = segments
        segmentedControl.segments = segments.map { SegmentedControl.Segment($0.title) }
        segmentedControl.onSelect = { [weak self] in self?.choose($0) }
        navigationController.persistentTitleView = segmentedControl
        navigationController.additionalCommands = { [weak self] in self?.commands ?? [] }
        navigationController.positionText = { [weak self] in self?.position }
        navigationController.memoryWarning = { [weak self] in self?.unload() }
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
        for (index, controller) in viewControllers.enumerated() { take(controller, as: index) }
    }

    /// Returns the root of a segment if it was created.
    public func rootIfMade(at index: Int) -> ViewController? { roots[index] }

    private func root(at index: Int) -> ViewController {
        if let root = roots[index] { return root }
        let root = descriptions[index].make()
        take(root, as: index)
        if let state = states.removeValue(forKey: index) { (root as? any RestorableSegment)?.restore(state) }
        return root
    }

    /// Installs a root, whose title is the segment's name even when it changes later.
    private func take(_ root: ViewController, as index: Int) {
        roots[index] = root
        let rename = { [weak self, weak root] in
            guard let self, let title = root?.title, !title.isEmpty else { return }
            self.segmentedControl.segments[index].title = title
        }
        root.titleListener = rename
        rename()
    }

    /// Returns the state of a segment that can be restored, or `nil` if it was never created.
    public func segmentState(at index: Int) -> Any? {
        (roots[index] as? any RestorableSegment)?.segmentState ?? states[index]
    }

    /// Releases invisible segments that can be restored. Called when memory is short (row SEG-06).
    public func unload() {
        for (index, root) in roots where index != self.index {
            guard let restorable = root as? any RestorableSegment else { continue }
            states[index] = restorable.segmentState
            roots[index] = nil
            stacks[index] = nil
        }
    }

    /// The index of the visible segment. Setting it has the same effect as selecting it (row SEG-01).
    public var selectedIndex: Int {
        get { index }
        set {
            guard descriptions.indices.contains(newValue), newValue != index else { return }
            if index >= 0 { stacks[index] = navigationController.viewControllers }
            index = newValue
            segmentedControl.selectedSegmentIndex = newValue
            navigationController.setViewControllers(stacks[newValue] ?? [root(at: newValue)])
            onChange(newValue)
        }
    }

    /// Shows a text after a segment's name; `nil` removes it.
    public func setBadge(_ badge: DisplayText?, at index: Int) {
        segmentedControl.segments[index].badge = badge
        // Bars without space for the control also show a badge.
        navigationController.viewIfLoaded?.setNeedsLayout()
    }

    /// Enables or disables a segment.
    public func setEnabled(_ isEnabled: Bool, at index: Int) { segmentedControl.segments[index].isEnabled = isEnabled }

    /// Selects a segment. Selecting the current one returns to its root, and then scrolls that to the top (row SEG-05).
    private func choose(_ newIndex: Int) {
        if newIndex == index {
            let root = roots[newIndex] as? any SegmentRoot
            guard navigationController.viewControllers.count > 1 || root?.isAtRoot == false else {
                navigationController.window?.focusedController.scrollToTop()
                return
            }
            navigationController.popToRoot()
            root?.returnToRoot()
        } else {
            selectedIndex = newIndex
        }
    }

    private func step(_ direction: Int) {
        let count = descriptions.count
        for distance in 1..<max(2, count) {
            let candidate = ((index + direction * distance) % count + count) % count
            if segmentedControl.segments[candidate].isEnabled {
                selectedIndex = candidate
                return
            }
        }
    }

    private var position: DisplayText {
        let badge = segmentedControl.segments.compactMap(\.badge).first.map { " " + $0 } ?? .empty
        return DisplayText("\(index + 1)/\(descriptions.count)") + badge
    }

    private var commands: [Command] {
        let picks = zip(SegmentCommands.picks, segmentedControl.segments).enumerated().map { place, pick in
            Command(pick.0, title: pick.1.title, isEnabled: pick.1.isEnabled) { [weak self] in self?.choose(place) }
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
