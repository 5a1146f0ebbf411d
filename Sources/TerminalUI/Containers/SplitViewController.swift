/// Lists beside a detail: two or three columns where there is room, one stack where there is not (rows SPL-01 to SPL-12).
///
/// Each column has a navigation stack. How the columns are arranged follows from the width alone: beside each other, the
/// list sliding over the detail, or all joined flat into one stack. Every controller remembers the column it was shown
/// in, so that a joined stack can be taken apart again wherever pushes and pops have moved the joint (row SPL-07).
open class SplitViewController: ViewController {
    /// A column.
    public enum Column: Int, CaseIterable, Comparable, Sendable {
        /// The first list.
        case primary
        /// The list beside it, in three columns.
        case supplementary
        /// The detail.
        case secondary

        /// Columns on the left come first.
        public static func < (left: Column, right: Column) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is shown of the lists.
    public enum DisplayMode: Hashable, Sendable {
        /// What suits the width.
        case automatic
        /// Lists beside the detail.
        case allVisible
        /// The detail alone.
        case primaryHidden
        /// The list over the detail.
        case primaryOverlay
    }

    /// How many columns there can be.
    public enum ColumnStyle: Hashable, Sendable {
        /// One list and the detail.
        case double
        /// Two lists and the detail.
        case triple
    }

    /// How the lists take their room (row SPL-01).
    public enum SplitBehavior: Hashable, Sendable {
        /// What suits the width and the mode that is asked for.
        case automatic
        /// Beside the detail, which becomes narrower.
        case tile
        /// Over the detail.
        case overlay
        /// Beside the detail, which keeps its width and is moved partly out of sight.
        case displace
    }

    /// The side on which the lists stand.
    public enum PrimaryEdge: Hashable, Sendable {
        /// At the left.
        case leading
        /// At the right.
        case trailing
    }

    /// How many columns there can be.
    public let style: ColumnStyle
    /// What is asked for; the width decides (row SPL-01).
    public var preferredDisplayMode: DisplayMode = .automatic { didSet { rearrange() } }
    /// How the lists are to take their room; the width decides. A mode that the behaviour does not have becomes the one
    /// that comes next to it (row SPL-01).
    public var preferredSplitBehavior: SplitBehavior = .automatic { didSet { rearrange() } }
    /// The side of the lists (row SPL-16).
    public var primaryEdge: PrimaryEdge = .leading { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// Whether a list without room beside the detail is shown in a popover at its button, as tall as its rows need, rather
    /// than sliding over (row SPL-13).
    public var showsNarrowListAsPopover = false { didSet { rearrange() } }
    /// Whether a drag from the edge and the horizontal wheel bring a hidden list.
    public var presentsWithGesture = true
    /// The list's share of the width, in two columns (row SPL-09).
    public var preferredPrimaryColumnWidthFraction = 0.38 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The share that a double click on the rule beside the list sets.
    public var standardPrimaryColumnWidthFraction = 0.38
    /// The least columns of the list.
    public var minimumPrimaryColumnWidth = 26 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The most columns of the list, wherever it stands; this limit comes before the least columns.
    public var maximumPrimaryColumnWidth = 56 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// Who takes part in changes of the display mode, and in collapsing and expanding.
    public weak var delegate: (any SplitViewControllerDelegate)?
    /// Whether the list stands above the detail, rather than sliding over it, in panes that are narrow but at least 30 rows
    /// high (row SPL-16).
    public var stacksListInTallPanes = false { didSet { rearrange() } }
    /// Hears when the user has changed the list's share of the width.
    public var primaryColumnWidthFractionDidChange: (Double) -> Void = { _ in }
    /// What the detail shows before anything was chosen.
    public let placeholder: ViewController
    private var keptStacks: [[ViewController]] = []
    /// The column that keys are directed at; in a joined stack the top tells.
    public var focusedColumn: Column {
        guard let group = arrangement.groups.first(where: { $0.contains(chosenColumn) }), group.count > 1 else {
            return chosenColumn
        }
        return shownColumn(in: group)
    }

    private let navigations: [Column: NavigationController]
    private(set) var arrangement = SplitArrangement()
    /// The column that the focus was given to last.
    private(set) var chosenColumn: Column = .primary
    /// Whether the ways back have led from the detail up to the list: they lead further up from there, rather than to the detail
    /// again (row NAV-03).
    private(set) var hasGoneUp = false
    /// Stacks of columns that have no place in the present arrangement, because another column is looked at.
    private var setAside: [Column: [ViewController]] = [:]
    /// What the delegate had replaced or taken away for the collapsed state.
    private var primaryBeforeCollapse: [ViewController]?
    private var secondaryBeforeCollapse: [ViewController]?
    private var announcedMode: DisplayMode?
    private var lastShownFocus: Column = .primary
    private var arrangedRows: Int?
    private var isRearranging = false

    /// Makes a split view.
    ///
    /// - Parameters:
    ///   - style: Two or three columns.
    ///   - primary: The root of the first list.
    ///   - placeholder: What the detail shows before anything was chosen.
    public init(style: ColumnStyle = .double, primary: ViewController, placeholder: ViewController) {
        self.style = style
        self.placeholder = placeholder
        navigations = Dictionary(Column.allCases.map { ($0, NavigationController()) }) { first, _ in first }
        super.init()
        primary.splitColumn = .primary
        placeholder.splitColumn = .secondary
        stack(.primary).setViewControllers([primary])
        stack(.secondary).setViewControllers([placeholder])
        for column in Column.allCases { addChild(stack(column)) }
    }

    /// The navigation stack of a column; while columns are joined, that of the leftmost of them holds all.
    public func navigationController(for column: Column) -> NavigationController { stack(column) }

    private func stack(_ column: Column) -> NavigationController {
        guard let navigation = navigations[column] else { preconditionFailure("every column has a stack") }
        return navigation
    }

    // MARK: Arrangement

    /// Whether all columns are joined into one stack.
    public var isCollapsed: Bool { arrangement.form == .collapsed }

    /// What is shown of the lists now; never automatic, and of no meaning while collapsed (row SPL-01).
    public var displayMode: DisplayMode { arrangement.displayMode(focus: focusedColumn) }

    /// Whether a list lies over the detail, or will once the view is laid out.
    var isListOver: Bool { arrangement.form.canHideLists && focusedColumn != .secondary }

    private func arrangement(for stacks: [Column: [ViewController]]) -> SplitArrangement {
        SplitArrangement(
            SplitArrangement.Conditions(
                width: traits.horizontal, rows: window?.size.height ?? 0, style: style,
                hasSecondList: !(stacks[.supplementary] ?? []).isEmpty, preferredMode: preferredDisplayMode,
                preferredBehavior: preferredSplitBehavior, stacksListInTallPanes: stacksListInTallPanes,
                showsNarrowListAsPopover: showsNarrowListAsPopover))
    }

    /// Tells the delegate of another mode before anything of it can be seen; a collapsed split view has none.
    private func announceDisplayMode() {
        guard !isCollapsed, displayMode != announcedMode else { return }
        announcedMode = displayMode
        delegate?.splitViewController(self, willChangeTo: displayMode)
    }

    /// A button in the detail's bar that brings the hidden list back, named after it, or puts the list away that stands beside
    /// the detail or lies over it (row SPL-03).
    public private(set) lazy var displayModeButtonItem: BarButtonItem = {
        let item = BarButtonItem(ToolkitCommands.toggleList, title: "List")
        item.owner = self
        return item
    }()

    /// The button, with its words of now, if a stack's bar shows it, and whether that is at the left.
    ///
    /// The detail's bar has it at the side of the lists, where they are hidden or stand beside it; so a list in a popover can
    /// point at it. While a list lies over the detail, that list's bar has it, at the side of the detail.
    func displayModeButton(in navigation: NavigationController) -> (item: BarButtonItem, isAtLeft: Bool)? {
        let form = arrangement.form
        let isDetail = navigation === navigations[.secondary]
        let isHidden = displayMode == .primaryHidden || form == .popover
        let liesOver = form == .over || form == .displacing
        let isShown =
            isDetail
            ? !isCollapsed && (isHidden || !form.canHideLists)
            : navigation === navigations[.primary] && liesOver && isListOver && hasDetail
        guard isShown else { return nil }
        let bringsBack = isDetail && isHidden
        let name = stack(.primary).viewControllers.first?.navigationItem.effectiveTitle ?? .empty
        let symbols = viewIfLoaded?.symbols ?? .unicode
        displayModeButtonItem.showsKey = bringsBack
        displayModeButtonItem.title =
            bringsBack
            ? name.isEmpty ? "List" : name.truncated(to: 16)
            : primaryEdge == .trailing ? symbols.toRight : symbols.toLeft
        return (displayModeButtonItem, isDetail == (primaryEdge == .leading))
    }

    /// The stack that holds a column's controllers now.
    private func host(of column: Column) -> NavigationController {
        let group = arrangement.groups.first { $0.contains(column) } ?? [column]
        return stack(group.first ?? column)
    }

    /// The column of the controller on top of a stack.
    func shownColumn(in group: [Column]) -> Column {
        stack(group[0]).topViewController?.splitColumn ?? group[0]
    }

    /// Makes the list in a popover give its place to another popover (row POP-05): for good, or as long as that is shown
    /// where it comes from inside the list.
    func popoverWillBePresented(from presenter: ViewController) {
        if arrangement.form == .popover, isListOver, !isInListPopover(presenter) { focus(.secondary) }
    }

    /// Whether a controller belongs to the list that is shown as a popover.
    func isInListPopover(_ presenter: ViewController) -> Bool {
        guard arrangement.form == .popover else { return false }
        var controller: ViewController? = presenter
        while let present = controller, present !== stack(.primary) { controller = present.parent }
        return controller != nil
    }

    /// The children of a column, wherever they are.
    private func controllers(of column: Column) -> [ViewController] {
        if let aside = setAside[column] { return aside }
        return host(of: column).viewControllers.filter { ($0.splitColumn ?? .primary) == column && $0 !== placeholder }
    }

    /// Whether the detail shows something that was chosen.
    public var hasDetail: Bool { !controllers(of: .secondary).isEmpty }

    /// The root of the detail that was chosen, wherever it is now.
    public var detailViewController: ViewController? { controllers(of: .secondary).first }

    /// The controllers of the second list, wherever they are now.
    public var supplementaryViewController: ViewController? { controllers(of: .supplementary).first }

    /// Takes the arrangement that the width asks for, keeping every controller and what is looked at.
    private func rearrange() {
        guard viewIfLoaded != nil, !isRearranging else { return }
        isRearranging = true
        defer { isRearranging = false }
        noteFocus()
        var stacks = allStacks()
        let wasCollapsed = isCollapsed
        let collapses = arrangement(for: stacks).form == .collapsed
        if collapses, !wasCollapsed {
            askDelegateToCollapse(&stacks)
            chosenColumn = delegate?.splitViewController(self, topColumnForCollapsing: chosenColumn) ?? chosenColumn
        } else if !collapses, wasCollapsed {
            askDelegateToExpand(&stacks)
            let proposed = arrangement(for: stacks).displayMode(focus: chosenColumn)
            let wanted = delegate?.splitViewController(self, displayModeForExpanding: proposed) ?? proposed
            if wanted != proposed {
                preferredDisplayMode = wanted
                if wanted != .primaryHidden, chosenColumn == .secondary { chosenColumn = deepestList(stacks) }
                if wanted == .primaryHidden { chosenColumn = .secondary }
            }
        }
        distribute(stacks)
    }

    /// Row SPL-06: the delegate may supply the primary, and may take the collapse on itself; else stacks are joined flat.
    private func askDelegateToCollapse(_ stacks: inout [Column: [ViewController]]) {
        guard let delegate else { return }
        if let primary = delegate.primaryViewController(forCollapsing: self) {
            primaryBeforeCollapse = stacks[.primary]
            primary.splitColumn = .primary
            stacks[.primary] = [primary]
        }
        let secondary = stacks[.secondary] ?? []
        if let primary = stacks[.primary]?.last, let detail = secondary.first,
            delegate.splitViewController(self, collapse: detail, onto: primary)
        {
            secondaryBeforeCollapse = secondary
            stacks[.secondary] = []
            if chosenColumn == .secondary { chosenColumn = deepestList(stacks) }
        }
    }

    /// Row SPL-07: the delegate may supply the primary and the secondary; else the stack is cut where it was joined.
    private func askDelegateToExpand(_ stacks: inout [Column: [ViewController]]) {
        if let primary = delegate?.primaryViewController(forExpanding: self) {
            primary.splitColumn = .primary
            stacks[.primary] = [primary]
        } else if let before = primaryBeforeCollapse {
            stacks[.primary] = before
        }
        let joined = stacks[.primary]?.last ?? placeholder
        if let secondary = delegate?.splitViewController(self, separateSecondaryFrom: joined) {
            secondary.splitColumn = .secondary
            stacks[.secondary] = [secondary]
        } else if (stacks[.secondary] ?? []).isEmpty, let before = secondaryBeforeCollapse {
            stacks[.secondary] = before
        }
        primaryBeforeCollapse = nil
        secondaryBeforeCollapse = nil
    }

    private func allStacks() -> [Column: [ViewController]] {
        Dictionary(Column.allCases.map { ($0, controllers(of: $0)) }) { first, _ in first }
    }

    /// Before the stacks change: what is looked at is what keys are directed at.
    func noteFocus() { chosenColumn = focusedColumn }

    /// Fills the stacks of the present arrangement.
    private func distribute(_ stacks: [Column: [ViewController]]) {
        if chosenColumn == .secondary { hasGoneUp = false }
        setAside.removeAll()
        let before = arrangement
        let couldSeeList = before.shows([.primary], focus: lastShownFocus)
        arrangement = arrangement(for: stacks)
        announceDisplayMode()
        var contents: [(NavigationController, [ViewController])] = []
        for group in arrangement.groups {
            var joined: [ViewController] = []
            for column in group {
                let controllers = stacks[column] ?? []
                // What lies deeper than what is looked at waits aside, so that a wider pane shows it again.
                let isLookedAt = column == group[0] || column <= lastShown(in: group)
                if isLookedAt { joined += controllers } else if !controllers.isEmpty { setAside[column] = controllers }
            }
            if joined.isEmpty, group.contains(.secondary) { joined = [placeholder] }
            contents.append((stack(group[0]), joined))
        }
        let canSeeList = arrangement.shows([.primary], focus: chosenColumn)
        if before == arrangement, couldSeeList != canSeeList { columnsView?.slide(out: couldSeeList) }
        lastShownFocus = chosenColumn
        // One popover at a time (row POP-05).
        if arrangement.form == .popover, canSeeList, !couldSeeList { window?.dismissAll() }
        if let window { window.batchUpdates { fill(contents) } } else { fill(contents) }
        viewIfLoaded?.setNeedsLayout()
    }

    var columnsView: SplitColumnsView? { viewIfLoaded as? SplitColumnsView }

    private func fill(_ contents: [(NavigationController, [ViewController])]) {
        // First everything is taken out, so that no controller is in two stacks at a time.
        for column in Column.allCases {
            let keeps = contents.first { $0.0 === stack(column) }?.1 ?? []
            let present = stack(column).viewControllers
            let staying = present.filter { controller in keeps.contains { $0 === controller } }
            if staying.count != present.count { stack(column).setViewControllers(staying) }
        }
        for (navigation, controllers) in contents { navigation.setViewControllers(controllers) }
    }

    /// The deepest column of a group that is to be seen: the focused one, or the deepest where the focus is elsewhere.
    private func lastShown(in group: [Column]) -> Column {
        group.contains(chosenColumn) ? chosenColumn : group[group.count - 1]
    }

    /// Takes the arrangement of the new width.
    open override func traitsDidChange(previous: Traits?) {
        if previous?.horizontal != traits.horizontal || arrangement.groups.isEmpty { rearrange() }
    }

    /// Takes the arrangement of the new height, which no class may tell of.
    open override func viewWillLayoutSubviews() {
        guard let rows = window?.size.height, rows != arrangedRows else { return }
        let hadRows = arrangedRows
        arrangedRows = rows
        if hadRows != nil, arrangement(for: allStacks()) != arrangement { rearrange() }
    }

    /// The lists get compact surroundings, the detail its own (row SPL-11), unless overridden.
    open override func traits(for child: ViewController) -> Traits {
        var result = super.traits(for: child)
        if child !== navigations[.secondary], !isCollapsed, result.horizontal > .compact {
            result.horizontal = .compact
        }
        return result
    }

    // MARK: Showing

    /// Shows a list level: beside the first list in three columns, pushed onto it in fewer.
    open override func show(_ controller: ViewController) {
        if delegate?.splitViewController(self, show: controller) == true { return }
        show(controller, in: .supplementary, takesFocus: true)
    }

    /// Shows a detail and directs keys at it.
    open override func showDetail(_ controller: ViewController) {
        if delegate?.splitViewController(self, showDetail: controller) == true { return }
        show(controller, in: .secondary, takesFocus: true)
    }

    /// Makes a controller the root of a column; what was there, and in the columns right of a list, is replaced.
    ///
    /// Showing what is shown already changes nothing but the focus (row SPL-10).
    ///
    /// - Parameters:
    ///   - controller: What the column shows from now on.
    ///   - column: The column.
    ///   - takesFocus: Whether keys go there, and, where only one column can be seen, it is the one.
    public func show(_ controller: ViewController, in column: Column, takesFocus: Bool) {
        noteFocus()
        var stacks = allStacks()
        if stacks[column]?.first !== controller {
            controller.splitColumn = column
            keepStack(stacks[column] ?? [])
            stacks[column] = takeStack(of: controller)
        }
        if takesFocus { chosenColumn = column }
        distribute(stacks)
    }

    /// The most stacks that are kept of details that others have taken the place of.
    private static let mostKeptStacks = 8

    /// Keeps what was pushed on a detail, until that is shown again (row SPL-10).
    private func keepStack(_ stack: [ViewController]) {
        guard stack.count > 1 else { return }
        keptStacks.append(stack)
        if keptStacks.count > SplitViewController.mostKeptStacks { keptStacks.removeFirst() }
    }

    private func takeStack(of root: ViewController) -> [ViewController] {
        guard let index = keptStacks.firstIndex(where: { $0.first === root }) else { return [root] }
        return keptStacks.remove(at: index)
    }

    /// What was kept can be made again.
    open override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        keptStacks = []
    }

    /// Takes the chosen detail away, so that the placeholder is shown.
    public func clearDetail() {
        noteFocus()
        var stacks = allStacks()
        stacks[.secondary] = []
        if chosenColumn == .secondary { chosenColumn = deepestList(stacks) }
        distribute(stacks)
    }

    /// Goes from a column to the one before it, a level up.
    ///
    /// A detail over which the list would lie is closed, as it is in a single stack: the ways back would lead to it and to the
    /// list for ever if it stayed (row NAV-03).
    func goUp(to column: Column) {
        guard focusedColumn == .secondary, arrangement.form.canHideLists else { return focus(column) }
        clearDetail()
        hasGoneUp = true
    }

    private func deepestList(_ stacks: [Column: [ViewController]]) -> Column {
        (stacks[.supplementary] ?? []).isEmpty ? .primary : .supplementary
    }

    /// Directs keys at a column; where it is hidden it comes into view.
    public func focus(_ column: Column) {
        noteFocus()
        let stacks = allStacks()
        chosenColumn = column == .supplementary && (stacks[.supplementary] ?? []).isEmpty ? .primary : column
        distribute(stacks)
    }

    // MARK: Containment

    /// The stacks of the columns that can be seen.
    open override var visibleChildren: [ViewController] {
        arrangement.groups.filter { arrangement.shows($0, focus: focusedColumn) }.map { stack($0[0]) }
    }

    /// The stack of the focused column.
    open override var focusedChild: ViewController? { host(of: focusedColumn) }

    /// Remembers the column of the view that was given the focus.
    open override func childTookFocus(_ child: ViewController) {
        guard !isCollapsed else { return }
        for group in arrangement.groups where stack(group[0]) === child { chosenColumn = shownColumn(in: group) }
    }

    /// Keys to go between the columns and to set the list's width, and those that the detail offers to the list.
    open override var commands: [Command] { columnCommands + detailCommandsForList }

    // MARK: View

    /// Makes the view that holds the columns.
    open override func makeView() -> View { SplitColumnsView(owner: self) }

    /// Takes the arrangement for the first time.
    open override func viewDidLoad() {
        distribute(allStacks())
    }

    /// The columns where vertical rules touch what lies above.
    public override var verticalRules: [Int] {
        columnsView.map { $0.hasFloatingList ? [] : $0.ruleColumns } ?? []
    }
}
