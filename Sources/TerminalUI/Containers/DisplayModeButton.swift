/// The button that shows or hides the list of a split view.
@MainActor
struct DisplayModeButton {
    let split: SplitViewController

    /// Returns the button if a stack's bar shows it, and whether it is on the left.
    ///
    /// The detail's bar shows it on the side of the lists if they are hidden or beside it, so that a popover can point
    /// at it. While a list is over the detail, that list's bar shows it on the side of the detail.
    func placement(in navigation: NavigationController) -> (item: BarButtonItem, isAtLeft: Bool)? {
        let form = split.arrangement.form
        let primary = split.navigationController(for: .primary)
        let isDetail = navigation === split.navigationController(for: .secondary)
        let isHidden = split.displayMode == .primaryHidden || form == .popover
        let isOverlay = form == .over || form == .displacing
        let isShown =
            isDetail
            ? !split.isCollapsed && (isHidden || !form.canHideLists)
            : navigation === primary && isOverlay && split.isListOver && split.hasDetail
        guard isShown else { return nil }
        let item = split.displayModeButtonItem
        let bringsBack = isDetail && isHidden
        let name = primary.viewControllers.first?.navigationItem.effectiveTitle ?? .empty
        let symbols = split.viewIfLoaded?.symbols ?? .unicode
        // The way back to a list on the left looks like one, as in a single column.
        let isBack = split.primaryEdge == .leading && form != .popover && !symbols.isLinear
        item.showsKey = bringsBack && !isBack
        item.title =
            bringsBack
            ? (isBack ? symbols.back : .empty) + (name.isEmpty ? "List" : name.truncated(to: 16))
            : split.primaryEdge == .trailing ? symbols.toRight : symbols.toLeft
        return (item, isDetail == (split.primaryEdge == .leading))
    }
}
