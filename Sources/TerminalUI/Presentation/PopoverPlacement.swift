/// Where a popover's box and arrow stand.
///
/// The rule (row POP-01): of the permitted sides the first that has room for the whole box, in the order below, above,
/// right, left; the side it stands on already comes first, so that it does not flap. If none has, the one with the
/// largest area that is at least 12 x 3; if none has that and it may overlap, the middle of the pane over the anchor,
/// without an arrow. Along the other axis the box is centred on the anchor's middle and shifted into
/// the pane, and the arrow stays at the anchor's middle, in the border that touches the anchor.
public struct PopoverPlacement: Hashable, Sendable {
    /// The box with its border.
    public var box: Rect
    /// The cell of the arrow, in the border; `nil` where the box lies over its anchor.
    public var arrow: Point?
    /// The direction that it points in; empty where the box lies over its anchor.
    public var direction: PopoverArrowDirection

    /// The least box, border included, that a popover is clipped to.
    static let least = Size(width: 12, height: 3)

    /// Finds the place, or `nil` when no permitted side has room for the least box.
    ///
    /// - Parameters:
    ///   - content: The size that the content would like, without the border.
    ///   - anchor: The rectangle that the arrow points at.
    ///   - pane: The window.
    ///   - permitted: The directions that the arrow may point in.
    ///   - current: The direction it points in already.
    ///   - canOverlap: Whether it may lie over its anchor where no side has room.
    public static func place(
        content: Size, anchor: Rect, pane: Size, permitted: PopoverArrowDirection,
        current: PopoverArrowDirection? = nil, canOverlap: Bool = false
    ) -> PopoverPlacement? {
        let wanted = Size(width: content.width + 2, height: content.height + 2)
        var order: [PopoverArrowDirection] = [.up, .down, .left, .right].filter { permitted.contains($0) }
        if let current, let index = order.firstIndex(of: current) { order.insert(order.remove(at: index), at: 0) }
        let rooms = order.map { (direction: $0, room: room(for: $0, anchor: anchor, pane: pane)) }
        if let fitting = rooms.first(where: { $0.room.width >= wanted.width && $0.room.height >= wanted.height }) {
            return PopoverPlacement(fitting.direction, wanted, anchor: anchor, pane: pane)
        }
        let clipped = rooms.map { side in
            (
                direction: side.direction,
                size: Size(width: min(wanted.width, side.room.width), height: min(wanted.height, side.room.height))
            )
        }.filter { $0.size.width >= min(least.width, wanted.width) && $0.size.height >= least.height }
        guard
            let best = clipped.max(by: { $0.size.width * $0.size.height < $1.size.width * $1.size.height })
        else { return canOverlap ? PopoverPlacement(over: anchor, wanted: wanted, pane: pane) : nil }
        return PopoverPlacement(best.direction, best.size, anchor: anchor, pane: pane)
    }

    /// Over the anchor's middle, shifted into the pane; `nil` when not even the least box has room.
    private init?(over anchor: Rect, wanted: Size, pane: Size) {
        let size = Size(width: min(wanted.width, pane.width), height: min(wanted.height, pane.height))
        guard size.width >= min(PopoverPlacement.least.width, wanted.width),
            size.height >= PopoverPlacement.least.height
        else { return nil }
        let left = anchor.minX + (anchor.width - size.width) / 2
        let top = anchor.minY + (anchor.height - size.height) / 2
        box = Rect(
            x: max(0, min(left, pane.width - size.width)), y: max(0, min(top, pane.height - size.height)),
            width: size.width, height: size.height)
        direction = []
    }

    /// The free cells on a side, less a margin of one column at the pane's edges.
    private static func room(for direction: PopoverArrowDirection, anchor: Rect, pane: Size) -> Size {
        let margin = pane.width > 24 ? 1 : 0
        return switch direction {
        case .up: Size(width: pane.width - 2 * margin, height: pane.height - anchor.maxY)
        case .down: Size(width: pane.width - 2 * margin, height: anchor.minY)
        case .left: Size(width: pane.width - anchor.maxX - margin, height: pane.height)
        default: Size(width: anchor.minX - margin, height: pane.height)
        }
    }

    private init(_ direction: PopoverArrowDirection, _ size: Size, anchor: Rect, pane: Size) {
        self.direction = direction
        let margin = pane.width > 24 ? 1 : 0
        let middle = Point(x: anchor.minX + (anchor.width - 1) / 2, y: anchor.minY + (anchor.height - 1) / 2)
        var origin = Point(x: middle.x - size.width / 2, y: middle.y - size.height / 2)
        origin.x = max(margin, min(origin.x, pane.width - margin - size.width))
        origin.y = max(0, min(origin.y, pane.height - size.height))
        switch direction {
        case .up: origin.y = anchor.maxY
        case .down: origin.y = anchor.minY - size.height
        case .left: origin.x = anchor.maxX
        default: origin.x = anchor.minX - size.width
        }
        box = Rect(origin: origin, size: size)
        let column = max(box.minX + 1, min(middle.x, box.maxX - 2))
        let row = max(box.minY + 1, min(middle.y, box.maxY - 2))
        switch direction {
        case .up: arrow = Point(x: column, y: box.minY)
        case .down: arrow = Point(x: column, y: box.maxY - 1)
        case .left: arrow = Point(x: box.minX, y: row)
        default: arrow = Point(x: box.maxX - 1, y: row)
        }
    }
}
