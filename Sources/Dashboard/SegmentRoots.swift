import DashboardFrame
import LibraryKernel
import ModelCore
import TerminalUI

/// The root view controllers of the segments. They are created on first use, and again after memory was short.
@MainActor
final class SegmentRoots {
    private let services: DashboardServices
    /// The segments that always exist.
    private let all: [DashboardSegment]
    /// The segments of the bar, and those that it leaves out.
    private var descriptions: [DashboardSegment]
    private let navigation: NavigationController
    /// The states of an earlier run, until their segments are created.
    private var restored: [String: String]
    private lazy var segments = SegmentsController(
        navigationController: navigation, segments: items, selectedIndex: start)
    private let start: Int
    private var isAttached = false
    private var counts: [String: Int] = [:]
    private lazy var counting = RepeatedRead<[String: Int]>(
        access: services.access, isUrgent: false,
        { [weak self] in
            let counters = (self?.descriptions ?? []).compactMap { segment in segment.counter.map { (segment.name, $0) }
            }
            guard !counters.isEmpty else { return nil }
            return { library, _ in
                try counters.reduce(into: [:]) { counts, segment in counts[segment.0] = try segment.1(library) }
            }
        },
        then: { [weak self] counts, _ in self?.use(counts) })

    /// - Parameters:
    ///   - start: Returns the name of the first segment from those in the bar.
    ///   - restored: The states of an earlier run, by segment name.
    init(
        _ all: [DashboardSegment], navigation: NavigationController, start: (_ shown: [String]) -> String,
        restored: [String: String], services: DashboardServices
    ) {
        self.all = all
        descriptions = DashboardSegment.arranged(all, services.access)
        self.navigation = navigation
        let name = start(descriptions.filter { !$0.isHidden }.map(\.name))
        self.start = descriptions.firstIndex { $0.name == name } ?? 0
        self.restored = restored
        self.services = services
        segments.onMove = { [weak self] in self?.move($0, to: $1) }
    }

    private var items: [SegmentsController.Segment] {
        descriptions.map { segment in
            SegmentsController.Segment(segment.title, identifier: segment.name, isHidden: segment.isHidden) {
                [unowned self] in self.root(of: segment)
            }
        }
    }

    /// Arranges the segments anew after the setting, or the name of a list, has changed.
    func arrange() {
        let new = DashboardSegment.arranged(all, services.access)
        let isSame = new.elementsEqual(descriptions) { one, other in
            one.name == other.name && one.title == other.title && one.isHidden == other.isHidden
        }
        guard !isSame else { return }
        descriptions = new
        segments.setSegments(items)
        showBadges()
    }

    /// Stores the order in which the user has dragged the segments.
    private func move(_ index: Int, to target: Int) {
        var places = descriptions.compactMap(\.place)
        guard places.count == descriptions.count, descriptions.indices.contains(index) else { return }
        let hidden = descriptions.indices.filter { descriptions[$0].isHidden && $0 != index }.map { places[$0] }
        places.insert(places.remove(at: index), at: target)
        let list = PlaceList(places.filter { !hidden.contains($0) })
        services.access.set(list.text, for: SettingKey<String>.segments.name)
    }

    /// The parts of the library whose changes renew badges.
    var badgeParts: Set<LibraryPart> { descriptions.reduce(into: []) { $0.formUnion($1.badgeParts) } }

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

    /// Shows a place in the segment that the user has made of it, or in the one that shows all of its kind.
    func open(_ place: Place) {
        let own = place.forSegment
        guard
            let index = descriptions.firstIndex(where: { own != nil && $0.place == own })
                ?? descriptions.firstIndex(where: { $0.place == .segment(place.segment) })
        else { return }
        segments.selectedIndex = index
        (segments.rootIfMade(at: index) as? any SegmentRootController)?.go(to: place)
    }

    func showBadges() {
        for (index, segment) in descriptions.enumerated() {
            segments.setBadge(segment.counter == nil ? segment.badge(services.access) : badge(of: segment), at: index)
        }
        counting.start()
    }

    private func badge(of segment: DashboardSegment) -> DisplayText? {
        counts[segment.name].flatMap { $0 > 0 ? DisplayText(String($0)) : nil }
    }

    private func use(_ counts: [String: Int]) {
        self.counts = counts
        for (index, segment) in descriptions.enumerated() where segment.counter != nil {
            segments.setBadge(badge(of: segment), at: index)
        }
    }

    /// Reads lists again, and shows dates beside them in the present time zone.
    func reloadLists() {
        for (_, root) in made {
            root.reloadLists()
            (root.detailViewController as? EntryViewController)?.showDates()
        }
    }

    func settingDidChange() { for (_, root) in made { root.settingDidChange() } }

    /// Applies the settings for columns to all segments.
    func applySettings() { for (_, root) in made { apply(to: root) } }

    private func apply(to split: SplitViewController) {
        let settings = services.access.settings
        split.preferredPrimaryColumnWidthFraction = Double(settings[.listWidth]) / 100
        let isChosen = settings[SettingKey<Int>.listWidth.name].origin != .standard
        let widths = isChosen ? 10...300 : ListWidths.standard
        (split.minimumPrimaryColumnWidth, split.maximumPrimaryColumnWidth) = (widths.lowerBound, widths.upperBound)
        split.stacksListInTallPanes = settings[.narrowList] == "above"
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
