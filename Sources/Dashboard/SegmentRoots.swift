import ModelCore
import TerminalUI

/// The root view controllers of the segments. They are created on first use, and again after memory was short.
@MainActor
final class SegmentRoots {
    private let services: DashboardServices
    private let descriptions: [DashboardSegment]
    private let navigation: NavigationController
    /// The states of an earlier run, until their segments are created.
    private var restored: [String: String]
    private lazy var segments = SegmentsController(
        navigationController: navigation,
        segments: descriptions.map { segment in
            SegmentsController.Segment(segment.title) { [unowned self] in self.root(of: segment) }
        }, selectedIndex: start)
    private let start: Int
    private var isAttached = false

    /// - Parameters:
    ///   - start: The name of the first segment.
    ///   - restored: The states of an earlier run, by segment name.
    init(
        _ descriptions: [DashboardSegment], navigation: NavigationController, start: String,
        restored: [String: String], services: DashboardServices
    ) {
        self.descriptions = descriptions
        self.navigation = navigation
        self.start = descriptions.firstIndex { $0.name == start } ?? 0
        self.restored = restored
        self.services = services
        _ = segments
    }

    private func root(of segment: DashboardSegment) -> any SegmentRootController {
        let root = segment.make(services)
        root.primaryColumnWidthFractionDidChange = { [access = services.access] fraction in
            access.set(String(Int(clamping: (fraction * 100).rounded())), for: SettingKey.listWidth.name)
        }
        apply(to: root)
        applyLists(to: root)
        if isAttached { restore(root, segment) }
        return root
    }

    /// The existing root view controllers with their segments.
    private var made: [(segment: DashboardSegment, root: any SegmentRootController)] {
        descriptions.enumerated().compactMap { index, segment in
            (segments.rootIfMade(at: index) as? any SegmentRootController).map { (segment, $0) }
        }
    }

    /// Restores the visible segment. Others are restored when they are created.
    func restoreWhatIsShown() {
        isAttached = true
        for (segment, root) in made { restore(root, segment) }
    }

    private func restore(_ root: any SegmentRootController, _ segment: DashboardSegment) {
        if let kept = restored.removeValue(forKey: segment.name) { root.show(kept: kept) }
    }

    /// The states of all segments, including those that were not opened in this run.
    var state: DashboardState {
        var state = DashboardState(segment: descriptions[segments.selectedIndex].name)
        for (index, segment) in descriptions.enumerated() {
            state.roots[segment.name] = segments.segmentState(at: index) as? String ?? restored[segment.name]
        }
        return state
    }

    /// Switches to the segment with a root view controller, and does something there.
    func open<Root: SegmentRootController>(_ type: Root.Type, _ show: (Root) -> Void) {
        guard let index = descriptions.firstIndex(where: { $0.root == ObjectIdentifier(type) }) else { return }
        segments.selectedIndex = index
        if let root = segments.rootIfMade(at: index) as? Root { show(root) }
    }

    /// Updates the badges of all segments.
    func showBadges() {
        for (index, segment) in descriptions.enumerated() {
            segments.setBadge(segment.badge(services.access), at: index)
        }
    }

    func reloadLists() { for (_, root) in made { root.reloadLists() } }

    func settingDidChange() { for (_, root) in made { root.settingDidChange() } }

    /// Applies the settings for columns to all segments.
    func applySettings() { for (_, root) in made { apply(to: root) } }

    private func apply(to split: SplitViewController) {
        let settings = services.access.settings
        split.preferredPrimaryColumnWidthFraction = Double(settings[.listWidth]) / 100
        split.minimumPrimaryColumnWidth = settings[.leastListWidth]
        split.maximumPrimaryColumnWidth = settings[.mostListWidth]
        split.stacksListInTallPanes = settings[.tallPanes] == "above"
        split.showsNarrowListAsPopover = settings[.narrowList] == "popover"
        split.primaryEdge = settings[.listSide] == "right" ? .trailing : .leading
    }

    /// Applies the setting for lists to all segments. What the user has shown or hidden stays when another setting
    /// changes.
    func applyLists() { for (_, root) in made { applyLists(to: root) } }

    private func applyLists(to split: SplitViewController) {
        let lists = services.access.settings[.lists]
        split.preferredDisplayMode = lists == "hidden" ? .primaryHidden : .automatic
        split.preferredSplitBehavior = lists == "over" ? .overlay : lists == "aside" ? .displace : .automatic
    }
}
