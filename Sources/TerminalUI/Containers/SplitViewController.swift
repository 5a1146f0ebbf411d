/// Lists beside a detail: two or three columns in wide panes, a single stack in narrow ones (rows SPL-01 to SPL-12).
///
/// Each column has a navigation stack. The width alone decides the arrangement: side by side, the list sliding over the
/// detail, or all columns joined into one stack. Every controller remembers its column, so a joined stack can be
/// separated again whatever was pushed and popped meanwhile (row SPL-07).
open class SplitViewController: ViewController, ListPopoverContainer {
    /// A column.
    public typealias Column = SplitColumn

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
    public var minimumPrimaryColumnWidth = ListWidths.standard.lowerBound {
        didSet { viewIfLoaded?.setNeedsLayout() }
    }
    /// The maximum width of the list anywhere, which takes precedence over the minimum.
    public var maximumPrimaryColumnWidth = ListWidths.standard.upperBound {
        didSet { viewIfLoaded?.setNeedsLayout() }
    }
    /// The delegate.
    public weak var delegate: (any SplitViewControllerDelegate)?
    /// Whether the list is above the detail, instead of sliding over it, in narrow panes of at least 30 rows (row
    /// SPL-16).
    public var stacksListInTallPanes = false { didSet { rearrange() } }
    /// Called when the user has changed the list's share of the width.
    public var primaryColumnWidthFractionDidChange: (Double) -> Void = { _ in }
    /// The content of the detail before anything was selected.
    public let placeholder: ViewController
    /// The column with the focus. In a joined stack it is that of the top controller.
    public var focusedColumn: Column {
        guard let group = arrangement.groups.first(where: { $0.contains(focusState.chosen) }), group.count > 1
        else { return focusState.chosen }
        return stacks.shownColumn(in: group)
    }

    let stacks: SplitStacks
    private(set) var arrangement: SplitArrangement {
        get { stacks.arrangement }
        set { stacks.arrangement = newValue }
    }
    /// The column with the focus, now and in the last arrangement.
    var focusState = SplitFocus()
    private let collapse = SplitCollapse()
    private var announcedMode: DisplayMode?
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
        stacks = SplitStacks(placeholder: placeholder)
        super.init()
        primary.splitColumn = .primary
        placeholder.splitColumn = .secondary
        stacks[.primary].setViewControllers([primary])
        stacks[.secondary].setViewControllers([placeholder])
        for column in Column.allCases { addChild(stacks[column]) }
    }

    /// Returns the navigation stack of a column. Joined columns are all in the stack of the leftmost.
    public func navigationController(for column: Column) -> NavigationController { stacks[column] }

    // MARK: Arrangement

    /// Whether all columns are joined into one stack.
    public var isCollapsed: Bool { arrangement.form == .collapsed }

    /// The current display mode, which is never automatic, and meaningless while collapsed (row SPL-01).
    public var displayMode: DisplayMode { arrangement.displayMode(focus: focusedColumn) }

    /// Whether a list is over the detail, or will be after the layout.
    var isListOver: Bool { arrangement.form.canHideLists && focusedColumn != .secondary }

    /// A button in the detail's bar that shows the hidden list, or hides the list beside or over the detail (row
    /// SPL-03).
    public private(set) lazy var displayModeButtonItem: BarButtonItem = {
        let item = BarButtonItem(ColumnCommands.toggleList, title: "List")
        item.owner = self
        return item
    }()

    /// Makes the list in a popover give way to another popover (row POP-05): permanently, or while that is shown if it
    /// comes from inside the list.
    func popoverWillBePresented(from presenter: ViewController) {
        if arrangement.form == .popover, isListOver, popoverItem(around: presenter) == nil { focus(.secondary) }
    }

    /// Returns the button if a controller belongs to the list that is shown in a popover.
    func popoverItem(around presenter: ViewController) -> BarButtonItem? {
        let isInList = arrangement.form == .popover && presenter.selfAndParents.contains(stacks[.primary])
        return isInList ? displayModeButtonItem : nil
    }

    /// Whether the detail shows something other than the placeholder.
    public var hasDetail: Bool { !stacks.controllers(of: .secondary).isEmpty }

    /// The root of the detail, wherever it is.
    public var detailViewController: ViewController? { stacks.controllers(of: .secondary).first }

    /// The root of the second list, wherever it is.
    public var supplementaryViewController: ViewController? { stacks.controllers(of: .supplementary).first }

    /// The root of the list that the detail belongs to, wherever it is: the second list, or the only one.
    public var listViewController: ViewController? {
        supplementaryViewController ?? stacks.controllers(of: .primary).first
    }

    /// Applies the arrangement for the width and keeps every controller and the focus.
    private func rearrange() {
        guard viewIfLoaded != nil, !isRearranging else { return }
        isRearranging = true
        defer { isRearranging = false }
        focusState.chosen = focusedColumn
        var controllers = stacks.all
        let wasCollapsed = isCollapsed
        let collapses = SplitArrangement(of: self, controllers).form == .collapsed
        if collapses, !wasCollapsed {
            let hidesDetail = collapse.collapse(&controllers, of: self)
            focusState.leftEmptyDetail = focusState.chosen == .secondary && controllers[.secondary].isEmpty
            if hidesDetail, focusState.chosen == .secondary { focusState.chosen = controllers.deepestList }
            let proposed = focusState.chosen
            focusState.chosen = delegate?.splitViewController(self, topColumnForCollapsing: proposed) ?? proposed
        } else if !collapses, wasCollapsed {
            collapse.expand(&controllers, of: self)
            if focusState.leftEmptyDetail, controllers[.secondary].isEmpty { focusState.chosen = .secondary }
            focusState.leftEmptyDetail = false
            let proposed = SplitArrangement(of: self, controllers).displayMode(focus: focusState.chosen)
            let wanted = delegate?.splitViewController(self, displayModeForExpanding: proposed) ?? proposed
            if wanted != proposed {
                preferredDisplayMode = wanted
                if wanted != .primaryHidden, focusState.chosen == .secondary {
                    focusState.chosen = controllers.deepestList
                }
                if wanted == .primaryHidden { focusState.chosen = .secondary }
            }
        }
        distribute(controllers)
    }

    /// Fills the stacks of the current arrangement.
    private func distribute(_ controllers: ColumnStacks) {
        if focusState.chosen == .secondary { focusState.hasReachedTop = false }
        stacks.clearAside()
        let before = arrangement
        let couldSeeList = before.shows([.primary], focus: focusState.lastShown)
        arrangement = SplitArrangement(of: self, controllers)
        // A collapsed split view has no display mode.
        if !isCollapsed, displayMode != announcedMode {
            announcedMode = displayMode
            delegate?.splitViewController(self, willChangeTo: displayMode)
        }
        let contents = stacks.contents(of: controllers, focus: focusState.chosen)
        let canSeeList = arrangement.shows([.primary], focus: focusState.chosen)
        if before == arrangement, couldSeeList != canSeeList {
            (viewIfLoaded as? SplitColumnsView)?.slide(out: couldSeeList)
        }
        focusState.lastShown = focusState.chosen
        // Only one popover is shown at a time (row POP-05).
        if arrangement.form == .popover, canSeeList, !couldSeeList { window?.presented.dismissAll() }
        if let window { window.batchUpdates { stacks.fill(contents) } } else { stacks.fill(contents) }
        viewIfLoaded?.setNeedsLayout()
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
        if hadRows != nil, SplitArrangement(of: self, stacks.all) != arrangement { rearrange() }
    }

    /// The lists get compact traits, the detail those of its own width (row SPL-11), unless overridden.
    open override func traits(for child: ViewController) -> Traits {
        var result = super.traits(for: child)
        if child !== stacks[.secondary], !isCollapsed, result.horizontal > .compact {
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
        (viewIfLoaded as? SplitColumnsView)?.pictureFloatingList()
        focusState.chosen = focusedColumn
        var controllers = stacks.all
        if controllers[column].first !== controller {
            controller.splitColumn = column
            stacks.keep(controllers[column])
            controllers[column] = stacks.take(controller)
        }
        if takesFocus { focusState.chosen = column }
        focusState.leftEmptyDetail = false
        distribute(controllers)
    }

    /// Kept stacks can be created again.
    open override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        stacks.releaseKept()
    }

    /// Removes the detail, so that the placeholder is shown.
    ///
    /// The focus moves from the detail to the list, which appears if it was hidden, even if there was no detail. A list
    /// whose rows are read again therefore only clears a detail that it has shown.
    public func clearDetail() {
        (viewIfLoaded as? SplitColumnsView)?.pictureFloatingList()
        focusState.chosen = focusedColumn
        var controllers = stacks.all
        controllers[.secondary] = []
        if focusState.chosen == .secondary { focusState.chosen = controllers.deepestList }
        distribute(controllers)
    }

    /// Gives a column the focus and shows it if it is hidden.
    public func focus(_ column: Column) {
        (viewIfLoaded as? SplitColumnsView)?.pictureFloatingList()
        let controllers = stacks.all
        focusState.leftEmptyDetail = false
        focusState.chosen =
            column == .supplementary && controllers[.supplementary].isEmpty ? .primary : column
        distribute(controllers)
    }

    // MARK: Containment

    /// The stacks of the visible columns.
    open override var visibleChildren: [ViewController] {
        arrangement.groups.filter { arrangement.shows($0, focus: focusedColumn) }.map { stacks[$0[0]] }
    }

    /// The stack of the focused column.
    open override var focusedChild: ViewController? { stacks.host(of: focusedColumn) }

    /// Records the column of the view that got the focus.
    open override func childTookFocus(_ child: ViewController) {
        guard !isCollapsed else { return }
        for group in arrangement.groups where stacks[group[0]] === child {
            focusState.chosen = stacks.shownColumn(in: group)
        }
    }

    /// The commands for moving between columns and resizing the list, and those that the detail offers to the list.
    open override var commands: [Command] {
        let commands = SplitCommands(split: self)
        return commands.ofColumns + commands.ofDetailForList
    }

    // MARK: View

    /// Creates the view that holds the columns.
    open override func makeView() -> View { SplitColumnsView(owner: self) }

    /// Applies the first arrangement.
    open override func viewDidLoad() {
        distribute(stacks.all)
    }

    /// The columns in which vertical rules touch the bar above.
    public override var verticalRules: [Int] {
        guard let view = viewIfLoaded as? SplitColumnsView, !view.hasFloatingList else { return [] }
        return view.ruleColumns
    }
}
