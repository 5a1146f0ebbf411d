/// The narrow column at the right of a stack.
extension NavigationController {
    /// Whether the pane has space for the column.
    public var hasRoomForSide: Bool {
        guard let window, !isNested, !window.isLinear else { return false }
        return window.size.width >= NavigationController.leastColumnsForSide
    }

    /// Whether the column is visible.
    var showsSide: Bool { sideViewController != nil && hasRoomForSide }

    /// The width that a child has beside or in the column.
    func widthBesideSide(of child: ViewController, in window: Window) -> Int {
        child === sideViewController
            ? NavigationController.sideColumns : window.size.width - NavigationController.sideColumns - 1
    }

    func addSide(_ controller: ViewController) {
        addChild(controller)
        if viewIfLoaded != nil { view.addSubview(controller.view) }
        controller.didMove(to: self)
    }

    /// Gives the controllers the traits for the width that is left.
    func sideMayHaveChanged() {
        updateTraits()
        for child in children { child.updateTraits() }
        window?.updateAppearance()
        viewIfLoaded?.setNeedsLayout()
    }

    /// Places the column, and returns the rule beside it.
    func placeSide(in frame: Rect) -> Rect? {
        guard let side = sideViewController else { return nil }
        if side.view.superview == nil { view.addSubview(side.view) }
        side.view.isHidden = !showsSide
        guard showsSide, frame.width > NavigationController.sideColumns else { return nil }
        let left = frame.maxX - NavigationController.sideColumns
        side.view.frame = Rect(
            x: left, y: frame.minY, width: NavigationController.sideColumns, height: frame.height)
        return Rect(x: left - 1, y: frame.minY, width: 1, height: frame.height)
    }
}
