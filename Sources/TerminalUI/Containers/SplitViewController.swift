/// Lists beside a detail: two or three columns in wide panes, a single stack in narrow ones (rows SPL-01 to SPL-12).
///
/// Each column has a navigation stack. The width alone decides the arrangement: side by side, the list sliding over the
/// detail, or all columns joined into one stack. Every controller remembers its column, so a joined stack can be
/// separated again whatever was pushed and popped meanwhile (row SPL-07).
open class SplitViewController: ViewController, ListPopoverContainer {
    /// A column.
    public typealias Column = SplitColumn

    /// The visibility of the lists.
    public enum DisplayMode: Hashable, Sendable {
        /// Depends on the width.
        case automatic
        /// Lists beside the detail.
        case allVisible
        /// The detail alone.
        case primaryHidden
        /// The list over the detail.
        case primaryOverlay
    }

    /// The number of columns.
    public enum ColumnStyle: Hashable, Sendable {
        /// One list and the detail.
        case double
        /// Two lists and the detail.
        case triple
    }

    /// How the lists get their space (row SPL-01).
    public enum SplitBehavior: Hashable, Sendable {
        /// Depends on the width and the preferred display mode.
        case automatic
        /// Beside the detail, which becomes narrower.
        case tile
        /// Over the detail.
        case overlay
        /// Beside the detail, which keeps its width and moves partly out of sight.
        case displace
    }

    /// The side of the lists.
    public enum PrimaryEdge: Hashable, Sendable {
        /// On the left.
        case leading
        /// On the right.
        case trailing
    }

    /// The number of columns.
    public let style: ColumnStyle
    /// The preferred display mode, as far as the width allows (row SPL-01).
    public var preferredDisplayMode: DisplayMode = .automatic { didSet { rearrange() } }
    /// The preferred behaviour, as far as the width allows. A display mode that the behaviour lacks is replaced by the
    /// closest one (row SPL-01).
    public var preferredSplitBehavior: SplitBehavior = .automatic { didSet { rearrange() } }
    /// The side of the lists (row SPL-16).
    public var primaryEdge: PrimaryEdge = .leading { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// Whether a list without space beside the detail is shown in a popover at its button instead of sliding over the
    /// detail (row SPL-13).
    public var showsNarrowListAsPopover = false { didSet { rearrange() } }
    /// Whether a drag from the edge and the horizontal wheel show a hidden list.
    public var presentsWithGesture = true
    /// The list's share of the width in two columns (row SPL-09).
    public var preferredPrimaryColumnWidthFraction = 0.38 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The share that a double click on the rule beside the list restores.
    public var standardPrimaryColumnWidthFraction = 0.38
    /// The minimum width of the list.
    public var minimumPrimaryColumnWidth = 26 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The maximum width of the list anywhere, which takes precedence over the minimum.
    public var maximumPrimaryColumnWidth = 56 { didSet { viewIfLoaded?.setNeedsLayout() } }
    /// The delegate.
    public weak var delegate: (any SplitViewControllerDelegate)?
    /// Whether the list is above the detail, instead of sliding over it, in narrow panes of at least 30 rows (row
    /// SPL-16).
    public var stacksListInTallPanes = false { didSet { rearrange() } }
    /// Called when the user has changed the list's share of the width.
    public var primaryColumnWidthFractionDidChange: (Double) -> Void = { _ in }
    /// The content of the detail before anything was selected.
    public let placeholder: ViewController
    private var keptStacks: [[ViewController]] = []
    /// The column with the focus. In a joined stack it is that of the top controller.
    public var focusedColumn: Column {
        guard let group = arrangement.groups.first(where: { $0.contains(chosenColumn) }), group.count > 1 else {
            return chosenColumn
        }
        return shownColumn(in: group)
    }

    private let navigations: [Column: NavigationController]
    private(set) var arrangement = SplitArrangement()
    /// The column that last received the focus.
    private(set) var chosenColumn: Column = .primary
    /// Whether going back has led from the detail to the list. From there it leads further up, not to the detail again
    /// (row NAV-03).
    private(set) var hasReachedTop = false
    /// The stacks of columns that the current arrangement doesn't show.
    private var setAside: [Column: [ViewController]] = [:]
    /// The primary stack that the delegate replaced or removed for the collapsed state.
    private var primaryBeforeCollapse: [ViewController]?
    private var secondaryBeforeCollapse: [ViewController]?
    private var announcedMode: DisplayMode?
    private var lastShownFocus: Column = .primary
    private var arrangedRows: Int?
    private var isRearranging = false

    /// Creates a split view.
    ///
    /// - Parameters:
    ///   - style: The number of columns.
    ///   - primary: The root of the first list.
    ///   - placeholder: The content of the detail before anything was selected.
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

    /// Returns the navigation stack of a column. Joined columns are all in the stack of the leftmost.
    public func navigationController(for column: Column) -> NavigationController { stack(column) }

    private func stack(_ column: Column) -> NavigationController {
        guard let navigation = navigations[column] else { preconditionFailure("every column has a stack") }
        return navigation
    }

    // MARK: Arrangement

    /// Whether all columns are joined into one stack.
    public var isCollapsed: Bool { arrangement.form == .collapsed }

    /// The current display mode, which is never automatic, and meaningless while collapsed (row SPL-01).
    public var displayMode: DisplayMode { arrangement.displayMode(focus: focusedColumn) }

    /// Whether a list is over the detail, or will be after the layout.
    var isListOver: Bool { arrangement.form.canHideLists && focusedColumn != .secondary }

    private func arrangement(for stacks: [Column: [ViewController]]) -> SplitArrangement {
        SplitArrangement(
            SplitArrangement.Conditions(
                width: traits.horizontal, rows: window?.size.height ?? 0, style: style,
                hasSecondList: !(stacks[.supplementary] ?? []).isEmpty, preferredMode: preferredDisplayMode,
                preferredBehavior: preferredSplitBehavior, stacksListInTallPanes: stacksListInTallPanes,
                showsNarrowListAsPopover: showsNarrowListAsPopover))
    }

    /// Notifies the delegate of a new display mode before it becomes visible. A collapsed split view has none.
    private func announceDisplayMode() {
        guard !isCollapsed, displayMode != announcedMode else { return }
        announcedMode = displayMode
        delegate?.splitViewController(self, willChangeTo: displayMode)
    }

    /// A button in the detail's bar that shows the hidden list, or hides the list beside or over the detail (row
    /// SPL-03).
    public private(set) lazy var displayModeButtonItem: BarButtonItem = {
        let item = BarButtonItem(ColumnCommands.toggleList, title: "List")
        item.owner = self
        return item
    }()

    /// Returns the button if a stack's bar shows it, and whether it is on the left.
    ///
    /// The detail's bar shows it on the side of the lists if they are hidden or beside it, so that a popover can point
    /// at it. While a list is over the detail, that list's bar shows it on the side of the detail.
    func displayModeButton(in navigation: NavigationController) -> (item: BarButtonItem, isAtLeft: Bool)? {
        let form = arrangement.form
        let isDetail = navigation === navigations[.secondary]
        let isHidden = displayMode == .primaryHidden || form == .popover
        let isOverlay = form == .over || form == .displacing
        let isShown =
            isDetail
            ? !isCollapsed && (isHidden || !form.canHideLists)
            : navigation === navigations[.primary] && isOverlay && isListOver && hasDetail
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

    /// Returns the stack that currently holds a column's controllers.
    private func host(of column: Column) -> NavigationController {
        let group = arrangement.groups.first { $0.contains(column) } ?? [column]
        return stack(group.first ?? column)
    }

    /// Returns the column of the controller on top of a group's stack.
    func shownColumn(in group: [Column]) -> Column {
        stack(group[0]).topViewController?.splitColumn ?? group[0]
    }

    /// Makes the list in a popover give way to another popover (row POP-05): permanently, or while that is shown if it
    /// comes from inside the list.
    func popoverWillBePresented(from presenter: ViewController) {
        if arrangement.form == .popover, isListOver, !isInListPopover(presenter) { focus(.secondary) }
    }

    func popoverItem(around presenter: ViewController) -> BarButtonItem? {
        isInListPopover(presenter) ? displayModeButtonItem : nil
    }

    /// Whether a controller belongs to the list that is shown in a popover.
    private func isInListPopover(_ presenter: ViewController) -> Bool {
        guard arrangement.form == .popover else { return false }
        var controller: ViewController? = presenter
        while let present = controller, present !== stack(.primary) { controller = present.parent }
        return controller != nil
    }

    /// Returns the controllers of a column, wherever they are.
    private func controllers(of column: Column) -> [ViewController] {
        if let aside = setAside[column] { return aside }
        return host(of: column).viewControllers.filter { ($0.splitColumn ?? .primary) == column && $0 !== placeholder }
    }

    /// Whether the detail shows something other than the placeholder.
    public var hasDetail: Bool { !controllers(of: .secondary).isEmpty }

    /// The root of the detail, wherever it is.
    public var detailViewController: ViewController? { controllers(of: .secondary).first }

    /// The root of the second list, wherever it is.
    public var supplementaryViewController: ViewController? { controllers(of: .supplementary).first }

    /// The root of the list that the detail belongs to, wherever it is: the second list, or the only one.
    public var listViewController: ViewController? {
        supplementaryViewController ?? controllers(of: .primary).first
    }

    /// Applies the arrangement for the width and keeps every controller and the focus.
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

    /// Lets the delegate supply the primary stack, or perform the collapse itself. Otherwise the stacks are joined (row
    /// SPL-06).
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

    /// Lets the delegate supply the primary and secondary stack. Otherwise the stack is separated where it was joined
    /// (row SPL-07).
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

    /// Records the column with the focus before the stacks change.
    func noteFocus() { chosenColumn = focusedColumn }

    /// Fills the stacks of the current arrangement.
    private func distribute(_ stacks: [Column: [ViewController]]) {
        if chosenColumn == .secondary { hasReachedTop = false }
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
                // Levels deeper than the focused column are kept, so that a wider pane shows them again.
                let isLookedAt = column == group[0] || column <= lastShown(in: group)
                if isLookedAt { joined += controllers } else if !controllers.isEmpty { setAside[column] = controllers }
            }
            if joined.isEmpty, group.contains(.secondary) { joined = [placeholder] }
            contents.append((stack(group[0]), joined))
        }
        let canSeeList = arrangement.shows([.primary], focus: chosenColumn)
        if before == arrangement, couldSeeList != canSeeList { columnsView?.slide(out: couldSeeList) }
        lastShownFocus = chosenColumn
        // Only one popover is shown at a time (row POP-05).
        if arrangement.form == .popover, canSeeList, !couldSeeList { window?.presented.dismissAll() }
        if let window { window.batchUpdates { fill(contents) } } else { fill(contents) }
        viewIfLoaded?.setNeedsLayout()
    }

    var columnsView: SplitColumnsView? { viewIfLoaded as? SplitColumnsView }

    private func fill(_ contents: [(NavigationController, [ViewController])]) {
        // All controllers are removed first, so that none is in two stacks.
        for column in Column.allCases {
            let keeps = contents.first { $0.0 === stack(column) }?.1 ?? []
            let present = stack(column).viewControllers
            let staying = present.filter { controller in keeps.contains { $0 === controller } }
            if staying.count != present.count { stack(column).setViewControllers(staying) }
        }
        for (navigation, controllers) in contents { navigation.setViewControllers(controllers) }
    }

    /// Returns the deepest visible column of a group: the focused one, or the deepest if another group has the focus.
    private func lastShown(in group: [Column]) -> Column {
        group.contains(chosenColumn) ? chosenColumn : group[group.count - 1]
    }

    /// Applies the arrangement for the new width.
    open override func traitsDidChange(previous: Traits?) {
        if previous?.horizontal != traits.horizontal || arrangement.groups.isEmpty { rearrange() }
    }

    /// Applies the arrangement for the new height, which may change without a new size class.
    open override func viewWillLayoutSubviews() {
        guard let rows = window?.size.height, rows != arrangedRows else { return }
        let hadRows = arrangedRows
        arrangedRows = rows
        if hadRows != nil, arrangement(for: allStacks()) != arrangement { rearrange() }
    }

    /// The lists get compact traits, the detail those of its own width (row SPL-11), unless overridden.
    open override func traits(for child: ViewController) -> Traits {
        var result = super.traits(for: child)
        if child !== navigations[.secondary], !isCollapsed, result.horizontal > .compact {
            result.horizontal = .compact
        }
        return result
    }

    // MARK: Showing

    /// Shows a list level: beside the first list in three columns, otherwise pushed onto it.
    open override func show(_ controller: ViewController) {
        if delegate?.splitViewController(self, show: controller) == true { return }
        show(controller, in: .supplementary, takesFocus: true)
    }

    /// Shows a detail and gives it the focus.
    open override func showDetail(_ controller: ViewController) {
        if delegate?.splitViewController(self, showDetail: controller) == true { return }
        show(controller, in: .secondary, takesFocus: true)
    }

    /// Makes a controller the root of a column. It replaces the column's controllers and, for a list, those of columns
    /// to its right.
    ///
    /// Showing the current root only changes the focus (row SPL-10).
    ///
    /// - Parameters:
    ///   - controller: The new root.
    ///   - column: The column.
    ///   - takesFocus: Whether the column gets the focus and, if only one is visible, becomes visible.
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

    /// The maximum number of stacks kept for replaced details.
    private static let maximumKeptStacks = 8

    /// Keeps the controllers pushed on a detail until it is shown again (row SPL-10).
    private func keepStack(_ stack: [ViewController]) {
        guard stack.count > 1 else { return }
        keptStacks.append(stack)
        if keptStacks.count > SplitViewController.maximumKeptStacks { keptStacks.removeFirst() }
    }

    private func takeStack(of root: ViewController) -> [ViewController] {
        guard let index = keptStacks.firstIndex(where: { $0.first === root }) else { return [root] }
        return keptStacks.remove(at: index)
    }

    /// Kept stacks can be created again.
    open override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        keptStacks = []
    }

    /// Removes the detail, so that the placeholder is shown.
    public func clearDetail() {
        noteFocus()
        var stacks = allStacks()
        stacks[.secondary] = []
        if chosenColumn == .secondary { chosenColumn = deepestList(stacks) }
        distribute(stacks)
    }

    /// Moves the focus to the previous column, a level up.
    ///
    /// A detail that the list would cover is closed, as in a single stack. Otherwise going back would alternate between
    /// detail and list forever (row NAV-03).
    func goUp(to column: Column) {
        guard focusedColumn == .secondary, arrangement.form.canHideLists else { return focus(column) }
        clearDetail()
        hasReachedTop = true
    }

    private func deepestList(_ stacks: [Column: [ViewController]]) -> Column {
        (stacks[.supplementary] ?? []).isEmpty ? .primary : .supplementary
    }

    /// Gives a column the focus and shows it if it is hidden.
    public func focus(_ column: Column) {
        noteFocus()
        let stacks = allStacks()
        chosenColumn = column == .supplementary && (stacks[.supplementary] ?? []).isEmpty ? .primary : column
        distribute(stacks)
    }

    // MARK: Containment

    /// The stacks of the visible columns.
    open override var visibleChildren: [ViewController] {
        arrangement.groups.filter { arrangement.shows($0, focus: focusedColumn) }.map { stack($0[0]) }
    }

    /// The stack of the focused column.
    open override var focusedChild: ViewController? { host(of: focusedColumn) }

    /// Records the column of the view that got the focus.
    open override func childTookFocus(_ child: ViewController) {
        guard !isCollapsed else { return }
        for group in arrangement.groups where stack(group[0]) === child { chosenColumn = shownColumn(in: group) }
    }

    /// The commands for moving between columns and resizing the list, and those that the detail offers to the list.
    open override var commands: [Command] { columnCommands + detailCommandsForList }

    // MARK: View

    /// Creates the view that holds the columns.
    open override func makeView() -> View { SplitColumnsView(owner: self) }

    /// Applies the first arrangement.
    open override func viewDidLoad() {
        distribute(allStacks())
    }

    /// The columns in which vertical rules touch the bar above.
    public override var verticalRules: [Int] {
        columnsView.map { $0.hasFloatingList ? [] : $0.ruleColumns } ?? []
    }
}
