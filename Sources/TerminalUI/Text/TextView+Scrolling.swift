/// Scrolling to lines and places.
extension TextView {
    /// Scrolls down or up by lines.
    public func scroll(by count: Int) {
        finder.dismissNotice()
        scroll(to: layout.position(top, movedBy: count))
    }

    func scroll(to position: TextLayout.Position) {
        let target = min(position, layout.lastTop(height: bounds.height))
        guard target != top else { return }
        let isDown = target > top
        top = target
        place = layout.place(at: top)
        setNeedsLayout()
        let controller = nearestViewController
        let observer = controller as? any ScrollObserver ?? controller?.ancestor()
        observer?.textDidScroll(isDown: isDown && top > .start)
    }

    /// Scrolls a place to a third of the height if it isn't visible.
    func show(_ match: Place) {
        // The start of the search may have changed since the last layout.
        wrapText()
        top = min(layout.position(at: place), layout.lastTop(height: bounds.height))
        let line = layout.position(at: match)
        guard line < top || line >= layout.position(top, movedBy: bounds.height - 1) else { return setNeedsDisplay() }
        scroll(to: layout.position(line, movedBy: -(bounds.height / 3)))
    }
}

extension TextView: SidewaysScrolling {
    /// The maximum scroll distance of the visible unwrapped lines.
    var sidewaysLimit: Int { shown.reduce(0) { $1.isCut ? max($0, $1.content.columns - $1.room) : $0 } }
}
