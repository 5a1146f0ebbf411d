/// Showing, hiding and resizing columns.
extension SplitViewController {
    /// Toggles the list: beside the detail it hides, over it it slides, in a single stack it goes back.
    public func toggleList() {
        if let wanted = delegate?.targetDisplayMode(for: self), wanted != .automatic, !isCollapsed {
            if wanted != .primaryOverlay { preferredDisplayMode = wanted }
            focus(wanted == .primaryHidden ? .secondary : .supplementary)
        } else if isCollapsed {
            focus(.supplementary)
        } else if arrangement.form.canHideLists, traits.horizontal == .narrow || preferredDisplayMode != .primaryHidden
        {
            showList(focusedColumn == .secondary)
        } else {
            preferredDisplayMode = preferredDisplayMode == .primaryHidden ? .automatic : .primaryHidden
            focus(preferredDisplayMode == .primaryHidden ? .secondary : .supplementary)
        }
    }

    /// Shows the lists and gives the deepest the focus, or gives the detail the focus and hides lists that can be
    /// hidden. Repeating the call has no effect.
    public func showList(_ isShown: Bool) {
        guard isShown == (focusedColumn == .secondary) else { return }
        focus(isShown ? .supplementary : .secondary)
    }

    /// Shows a column and gives it the focus (row SPL-01).
    public func show(_ column: Column) {
        if column != .secondary, preferredDisplayMode == .primaryHidden { preferredDisplayMode = .automatic }
        focus(column)
    }

    /// Hides a list by choosing the nearest possible display mode without it. The detail can't be hidden.
    public func hide(_ column: Column) {
        guard column != .secondary, !isCollapsed else { return }
        if !arrangement.form.canHideLists { preferredDisplayMode = .primaryHidden }
        focus(.secondary)
    }

    /// Changes the share of the list as the user wants it, within limits.
    func setFraction(_ fraction: Double) {
        let limited = max(0.2, min(0.7, fraction))
        guard limited != preferredPrimaryColumnWidthFraction else { return }
        preferredPrimaryColumnWidthFraction = limited
        primaryColumnWidthFractionDidChange(limited)
    }

    var listWidths: ListWidths {
        ListWidths(
            fraction: preferredPrimaryColumnWidthFraction, minimum: minimumPrimaryColumnWidth,
            maximum: maximumPrimaryColumnWidth)
    }
}
