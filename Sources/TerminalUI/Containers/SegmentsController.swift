/// Swaps the root of a navigation controller among several, by a segmented control in its bar.
///
/// It is a plain object, not a container: it holds the segments' root controllers and one navigation controller
/// (row SEG-01). A change stores the present stack and installs the incoming segment's own, at first its root alone, so
/// that each segment is found as it was left (row SEG-06).
///
/// ```swift
/// let segments = SegmentsController(
///     navigationController: navigation, viewControllers: [stages, feeds, settings])
/// segments.selectedIndex = 1
/// ```
@MainActor
public final class SegmentsController {
    /// A segment whose root is made when it is first shown, and may be let go when memory is short.
    public struct Segment {
        /// The name, until the root has one of its own.
        public let title: DisplayText
        let make: @MainActor () -> ViewController

        /// Makes a description of a segment.
        public init(_ title: DisplayText, make: @escaping @MainActor () -> ViewController) {
            self.title = title
            self.make = make
        }
    }

    /// The controller whose stack is swapped.
    public let navigationController: NavigationController
    /// The control in the bar.
    public let segmentedControl = SegmentedControl()
    /// Called after another segment was chosen.
    public var onChange: (Int) -> Void = { _ in }

    private let descriptions: [Segment]
    private var roots: [Int: ViewController] = [:]
    private var stacks: [Int: [ViewController]] = [:]
    private var states: [Int: Any] = [:]
    private var index = -1

    /// Makes a controller of segments that are made on first use, and chooses one.
    ///
    /// - Parameters:
    ///   - navigationController: Whose root is swapped, and whose bar shows the segments.
    ///   - segments: Names, and what makes the controllers.
    ///   - selectedIndex: The segment that is shown at first.
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

    /// Makes a controller of segments that exist already, and chooses one; their names are the controllers' titles.
    ///
    /// - Parameters:
    ///   - navigationController: Whose root is swapped, and whose bar shows the segments.
    ///   - viewControllers: The roots.
    ///   - selectedIndex: The segment that is shown at first.
    public convenience init(
        navigationController: NavigationController, viewControllers: [ViewController], selectedIndex: Int = 0
    ) {
        self.init(
            navigationController: navigationController,
            segments: viewControllers.map { controller in Segment(controller.title) { controller } },
            selectedIndex: selectedIndex)
        for (index, controller) in viewControllers.enumerated() { take(controller, as: index) }
    }

    /// The root of a segment, if it has been made.
    public func rootIfMade(at index: Int) -> ViewController? { roots[index] }

    private func root(at index: Int) -> ViewController {
        if let root = roots[index] { return root }
        let root = descriptions[index].make()
        take(root, as: index)
        if let state = states.removeValue(forKey: index) { (root as? any RestorableSegment)?.restore(state) }
        return root
    }

    /// A root's title is the segment's name, also when it changes later.
    private func take(_ root: ViewController, as index: Int) {
        roots[index] = root
        let rename = { [weak self, weak root] in
            guard let self, let title = root?.title, !title.isEmpty else { return }
            self.segmentedControl.segments[index].title = title
        }
        root.titleListener = rename
        rename()
    }

    /// What a segment that can be made again has told, or tells now; `nil` for one that was never made.
    public func segmentState(at index: Int) -> Any? {
        (roots[index] as? any RestorableSegment)?.segmentState ?? states[index]
    }

    /// Lets go the segments that are not shown and can be made again as they are; called when memory is short (row SEG-06).
    public func unload() {
        for (index, root) in roots where index != self.index {
            guard let restorable = root as? any RestorableSegment else { continue }
            states[index] = restorable.segmentState
            roots[index] = nil
            stacks[index] = nil
        }
    }

    /// The index of the segment that is shown; setting it does the same as choosing it (row SEG-01).
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

    /// Shows a text after a segment's name; `nil` takes it away.
    public func setBadge(_ badge: DisplayText?, at index: Int) {
        segmentedControl.segments[index].badge = badge
        // Bars without room for the control show a badge too.
        navigationController.viewIfLoaded?.setNeedsLayout()
    }

    /// Lets a segment be chosen or not.
    public func setEnabled(_ isEnabled: Bool, at index: Int) { segmentedControl.segments[index].isEnabled = isEnabled }

    /// Chooses a segment; the chosen one again goes back to its root, and once more to the top of what that shows (row SEG-05).
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
        let picks = zip(ToolkitCommands.selectSegments, segmentedControl.segments).enumerated().map { place, pick in
            Command(pick.0, title: pick.1.title, isEnabled: pick.1.isEnabled) { [weak self] in self?.choose(place) }
        }
        return [
            Command(ToolkitCommands.nextSegment) { [weak self] in self?.step(1) },
            Command(ToolkitCommands.previousSegment) { [weak self] in self?.step(-1) },
        ] + picks
    }
}

/// A segment's root that can be let go and made again as it was (row SEG-06).
@MainActor
public protocol RestorableSegment: ViewController {
    /// What has to be known to make it again: selection, path, places.
    var segmentState: Any { get }
    /// Takes over what an earlier one has told; called once, before it is shown.
    func restore(_ state: Any)
}

/// A segment's root that can go back to its first level by itself.
@MainActor
public protocol SegmentRoot: ViewController {
    /// Whether its first level is shown and has the focus.
    var isAtRoot: Bool { get }
    /// Goes back to the first level, with the focus on it.
    func returnToRoot()
}

extension SplitViewController: SegmentRoot {
    /// Whether the first list has the focus, and each column shows its root.
    public var isAtRoot: Bool {
        focusedColumn == .primary
            && Column.allCases.allSatisfy { navigationController(for: $0).viewControllers.count < 2 }
    }

    /// Goes back to the first list, and to the root of each column.
    public func returnToRoot() {
        focus(.primary)
        for column in Column.allCases { navigationController(for: column).popToRoot() }
    }
}
