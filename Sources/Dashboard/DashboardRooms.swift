import ModelCore
import TerminalUI

/// The rooms of the segments: made on their first use, and again after memory was short.
@MainActor
final class DashboardRooms {
    private let context: DashboardContext
    private let descriptions: [DashboardSegment]
    private let navigation: NavigationController
    /// What an earlier run has kept, until the room is made that it is for.
    private var restored: [String: String]
    private lazy var segments = SegmentsController(
        navigationController: navigation,
        segments: descriptions.map { segment in
            SegmentsController.Segment(segment.title) { [unowned self] in self.room(of: segment) }
        }, selectedIndex: start)
    private let start: Int
    private var isAttached = false

    /// - Parameters:
    ///   - start: The name of the segment to begin with.
    ///   - restored: What an earlier run has kept, by the segments' names.
    init(
        _ descriptions: [DashboardSegment], navigation: NavigationController, start: String,
        restored: [String: String], context: DashboardContext
    ) {
        self.descriptions = descriptions
        self.navigation = navigation
        self.start = descriptions.firstIndex { $0.name == start } ?? 0
        self.restored = restored
        self.context = context
        _ = segments
    }

    private func room(of segment: DashboardSegment) -> any DashboardRoom {
        let room = segment.make(context)
        room.primaryColumnWidthFractionDidChange = { [context] fraction in
            context.set(String(Int(clamping: (fraction * 100).rounded())), for: SettingKey.listWidth.name)
        }
        apply(to: room)
        applyLists(to: room)
        if isAttached { restore(room, segment) }
        return room
    }

    /// The rooms that there are now, with their segments.
    private var made: [(segment: DashboardSegment, room: any DashboardRoom)] {
        descriptions.enumerated().compactMap { index, segment in
            (segments.rootIfMade(at: index) as? any DashboardRoom).map { (segment, $0) }
        }
    }

    /// Shows what an earlier run has shown, in the segment that is shown now; others follow when they are made.
    func restoreWhatIsShown() {
        isAttached = true
        for (segment, room) in made { restore(room, segment) }
    }

    private func restore(_ room: any DashboardRoom, _ segment: DashboardSegment) {
        if let kept = restored.removeValue(forKey: segment.name) { room.show(kept: kept) }
    }

    /// What the segments show, or have shown when they were last there.
    var state: DashboardState {
        var state = DashboardState(segment: descriptions[segments.selectedIndex].name)
        for (index, segment) in descriptions.enumerated() {
            state.rooms[segment.name] = segments.segmentState(at: index) as? String ?? restored[segment.name]
        }
        return state
    }

    /// Goes to the segment of a room, and does something there.
    func open<Room: DashboardRoom>(_ type: Room.Type, _ show: (Room) -> Void) {
        guard let index = descriptions.firstIndex(where: { $0.room == ObjectIdentifier(type) }) else { return }
        segments.selectedIndex = index
        if let room = segments.rootIfMade(at: index) as? Room { show(room) }
    }

    /// Asks all segments for their badges.
    func showBadges() {
        for (index, segment) in descriptions.enumerated() { segments.setBadge(segment.badge(context), at: index) }
    }

    func reloadLists() { for (_, room) in made { room.reloadLists() } }

    func settingDidChange() { for (_, room) in made { room.settingDidChange() } }

    /// Settings of the columns apply to all segments.
    func applySettings() { for (_, room) in made { apply(to: room) } }

    private func apply(to split: SplitViewController) {
        let settings = context.settings
        split.preferredPrimaryColumnWidthFraction = Double(settings[.listWidth]) / 100
        split.minimumPrimaryColumnWidth = settings[.leastListWidth]
        split.maximumPrimaryColumnWidth = settings[.mostListWidth]
        split.stacksListInTallPanes = settings[.tallPanes] == "above"
        split.showsNarrowListAsPopover = settings[.narrowList] == "popover"
        split.primaryEdge = settings[.listSide] == "right" ? .trailing : .leading
    }

    /// How lists stand applies to all segments: what the user has shown or hidden since stays when another setting changes.
    func applyLists() { for (_, room) in made { applyLists(to: room) } }

    private func applyLists(to split: SplitViewController) {
        let lists = context.settings[.lists]
        split.preferredDisplayMode = lists == "hidden" ? .primaryHidden : .automatic
        split.preferredSplitBehavior = lists == "over" ? .overlay : lists == "aside" ? .displace : .automatic
    }
}
