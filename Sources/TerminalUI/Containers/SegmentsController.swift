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
    /// The segments' roots.
    public let viewControllers: [ViewController]
    /// The controller whose stack is swapped.
    public let navigationController: NavigationController
    /// The control in the bar.
    public let segmentedControl = SegmentedControl()
    /// Called after another segment was chosen.
    public var onChange: (Int) -> Void = { _ in }

    private var stacks: [Int: [ViewController]] = [:]
    private var index = -1

    /// Makes a controller of segments and chooses the first.
    ///
    /// - Parameter selectedIndex: The segment that is shown at first.
    public init(
        navigationController: NavigationController, viewControllers: [ViewController], selectedIndex: Int = 0
    ) {
        self.navigationController = navigationController
        self.viewControllers = viewControllers
        segmentedControl.segments = viewControllers.map { SegmentedControl.Segment($0.title) }
        segmentedControl.onSelect = { [weak self] in self?.choose($0) }
        navigationController.persistentTitleView = segmentedControl
        navigationController.additionalCommands = { [weak self] in self?.commands ?? [] }
        navigationController.positionText = { [weak self] in self?.position }
        self.selectedIndex = selectedIndex
    }

    /// The index of the segment that is shown; setting it does the same as choosing it (row SEG-01).
    public var selectedIndex: Int {
        get { index }
        set {
            guard viewControllers.indices.contains(newValue), newValue != index else { return }
            if index >= 0 { stacks[index] = navigationController.viewControllers }
            index = newValue
            segmentedControl.selectedSegmentIndex = newValue
            navigationController.setViewControllers(stacks[newValue] ?? [viewControllers[newValue]])
            onChange(newValue)
        }
    }

    /// Shows a text after a segment's name; `nil` takes it away.
    public func setBadge(_ badge: DisplayText?, at index: Int) { segmentedControl.segments[index].badge = badge }

    /// Lets a segment be chosen or not.
    public func setEnabled(_ isEnabled: Bool, at index: Int) { segmentedControl.segments[index].isEnabled = isEnabled }

    /// Chooses a segment; the chosen one again goes back to its root (row SEG-05).
    private func choose(_ newIndex: Int) {
        if newIndex == index {
            navigationController.popToRoot()
            (viewControllers[newIndex] as? any SegmentRoot)?.returnToRoot()
        } else {
            selectedIndex = newIndex
        }
    }

    private func step(_ direction: Int) {
        let count = viewControllers.count
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
        return DisplayText("\(index + 1)/\(viewControllers.count)") + badge
    }

    private var commands: [Command] {
        let picks = viewControllers.prefix(9).enumerated().map { place, controller in
            Command(
                "segments.select\(place + 1)", controller.title, keys: [KeySequence([KeyPress(digit(place + 1))])],
                isEnabled: segmentedControl.segments[place].isEnabled
            ) { [weak self] in self?.choose(place) }
        }
        return [
            Command("segments.next", "Next segment", keys: ["tab"]) { [weak self] in self?.step(1) },
            Command("segments.previous", "Previous segment", keys: ["backtab"]) { [weak self] in self?.step(-1) },
        ] + picks
    }

    private func digit(_ number: Int) -> Key { .character(Character(String(number))) }
}

/// A segment's root that can go back to its first level by itself.
@MainActor
public protocol SegmentRoot: ViewController {
    /// Goes back to the first level, with the focus on it.
    func returnToRoot()
}

extension SplitViewController: SegmentRoot {
    /// Goes back to the first list.
    public func returnToRoot() {
        focus(.primary)
        navigationController(for: .primary).popToRoot()
    }
}
