import ModelCore
import TerminalUI

/// Makes the segments on their first use, and again after memory was short.
@MainActor
final class DashboardSegments {
    static let names = ["stages", "feeds", "settings"]
    static let feedsIndex = 1

    private let context: DashboardContext
    private var restored: DashboardState?
    private weak var stages: StageSegment?
    private weak var feeds: FeedSegment?
    private weak var settings: SettingSegment?
    /// Hears when the user has changed the list's share of the width.
    var listWidthDidChange: (Double) -> Void = { _ in }

    init(context: DashboardContext, restored: DashboardState?) {
        self.context = context
        self.restored = restored
    }

    var descriptions: [SegmentsController.Segment] {
        [
            SegmentsController.Segment("Stages") { [self] in
                let segment = StageSegment(context: context)
                stages = segment
                return prepare(segment)
            },
            SegmentsController.Segment("Feeds") { [self] in
                let segment = FeedSegment(context: context)
                feeds = segment
                return prepare(segment)
            },
            SegmentsController.Segment("Settings") { [self] in
                let segment = SettingSegment(context: context)
                settings = segment
                return prepare(segment)
            },
        ]
    }

    private var splits: [SplitViewController] { [stages, feeds, settings].compactMap { $0 } }

    private func prepare(_ split: SplitViewController) -> SplitViewController {
        split.primaryColumnWidthFractionDidChange = { [weak self] in self?.listWidthDidChange($0) }
        apply(to: split)
        if isAttached { restore(split) }
        return split
    }

    private var isAttached = false

    /// Shows what an earlier run has shown, in the segment that is shown now; others follow when they are made.
    func restoreWhatIsShown() {
        isAttached = true
        for split in splits { restore(split) }
    }

    private func restore(_ split: SplitViewController) {
        if split === stages, let state = restored?.stages {
            restored?.stages = nil
            stages?.list.restore(state)
        } else if split === feeds, let state = restored?.feeds {
            restored?.feeds = nil
            feeds?.list.restore(state)
        }
    }

    /// What the segments show, or have shown when they were last there.
    func state(of segments: SegmentsController) -> DashboardState {
        var state = DashboardState(segment: DashboardSegments.names[segments.selectedIndex])
        let shown = (0..<DashboardSegments.names.count).map { segments.segmentState(at: $0) }
        state.stages = shown[0] as? DashboardState.StageState ?? restored?.stages
        state.feeds = shown[DashboardSegments.feedsIndex] as? DashboardState.FeedState ?? restored?.feeds
        return state
    }

    /// Lists of entries are read anew.
    func reloadLists() { feeds?.list.reloadEntryLists() }

    /// Shows a stage in its segment.
    func showStage(race: String, number: Int) {
        stages?.list.restore(DashboardState.StageState(race: race, number: number, isDetailFocused: true))
    }

    /// Shows what a search has found, in its segment.
    func show(_ query: SearchQuery, named name: String) { feeds?.list.show(query, named: name) }

    func settingDidChange() { settings?.list.settingDidChange() }

    /// Settings of the columns apply to all segments.
    func applySettings() {
        for split in splits { apply(to: split) }
    }

    private func apply(to split: SplitViewController) {
        let settings = context.settings
        split.preferredPrimaryColumnWidthFraction = Double(settings.number("appearance.list-width")) / 100
        split.stacksListInTallPanes = settings["appearance.tall-panes"].value == "above"
        split.showsNarrowListAsPopover = settings["appearance.narrow-list"].value == "popover"
        split.primaryEdge = settings["appearance.list-side"].value == "right" ? .trailing : .leading
    }
}

/// The Stages segment: stages beside one of them.
@MainActor
final class StageSegment: SplitViewController, RestorableSegment {
    let list: StageListViewController

    init(context: DashboardContext) {
        list = StageListViewController(context: context)
        super.init(primary: list, placeholder: MessageViewController("No stage was chosen."))
        title = "Stages"
    }

    var segmentState: Any { (list.viewIfLoaded == nil ? nil : list.state) as Any }

    func restore(_ state: Any) {
        if let state = state as? DashboardState.StageState { list.restore(state) }
    }
}

/// The Feeds segment: subscriptions, entries, one of them.
@MainActor
final class FeedSegment: SplitViewController, RestorableSegment {
    let list: FeedListViewController

    init(context: DashboardContext) {
        list = FeedListViewController(context: context)
        super.init(style: .triple, primary: list, placeholder: MessageViewController("No entry was chosen."))
        title = "Feeds"
    }

    /// A pane that grows wide shows the entries of the chosen row.
    override func traitsDidChange(previous: Traits?) {
        super.traitsDidChange(previous: previous)
        if viewIfLoaded != nil { list.showEntriesOfSelection() }
    }

    var segmentState: Any { (list.viewIfLoaded == nil ? nil : list.state) as Any }

    func restore(_ state: Any) {
        if let state = state as? DashboardState.FeedState { list.restore(state) }
    }
}

/// The Settings segment: settings beside one of them.
@MainActor
final class SettingSegment: SplitViewController, RestorableSegment {
    let list: SettingListViewController

    init(context: DashboardContext) {
        list = SettingListViewController(context: context)
        super.init(primary: list, placeholder: MessageViewController("No setting was chosen."))
        title = "Settings"
    }

    var segmentState: Any { list.selectedName as Any }

    func restore(_ state: Any) {
        if let name = state as? String { list.select(name) }
    }
}
