/// The position of a popover's box and arrow.
///
/// The rule (row POP-01): the box goes to the first permitted side with enough space, in the order below, above, right,
/// left. The current side comes first, so that the popover doesn't jump. If no side has enough space, it goes to the
/// side with the largest area of at least 12 × 3. If there is none and it may overlap, it covers the anchor without an
/// arrow. Along the other axis the box is centred on the anchor and shifted into the pane. The arrow stays at the
/// anchor's centre, in the border that touches the anchor.
public struct PopoverPlacement: Hashable, Sendable {
    /// The box including its border.
    public var box: Rect
    /// The cell of the arrow in the border, or `nil` if the box covers its anchor.
    public var arrow: Point?
    /// The direction of the arrow; empty if the box covers its anchor.
    public var direction: PopoverArrowDirection

    /// The minimum size of the box including its border.
    static let minimum = Size(width: 12, height: 3)

    /// Returns the position, or `nil` if no permitted side has space for the minimum box.
    ///
    /// - Parameters:
    ///   - content: The preferred size of the content without the border.
    ///   - anchor: The rectangle that the arrow points at.
    ///   - pane: The size of the window.
    ///   - permitted: The permitted arrow directions.
    ///   - current: The current arrow direction.
    ///   - canOverlap: Whether the box may cover its anchor if no side has space.
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
        }.filter { $0.size.width >= min(minimum.width, wanted.width) && $0.size.height >= minimum.height }
        guard
            let best = clipped.max(by: { $0.size.width * $0.size.height < $1.size.width * $1.size.height })
        else { return canOverlap ? PopoverPlacement(over: anchor, wanted: wanted, pane: pane) : nil }
        return PopoverPlacement(best.direction, best.size, anchor: anchor, pane: pane)
    }

    /// Creates a position over the anchor's centre, shifted into the pane. Returns `nil` if the minimum box doesn't
    /// fit.
    private init?(over anchor: Rect, wanted: Size, pane: Size) {
        let size = Size(width: min(wanted.width, pane.width), height: min(wanted.height, pane.height))
        guard size.width >= min(PopoverPlacement.minimum.width, wanted.width),
            size.height >= PopoverPlacement.minimum.height
        else { return nil }
        let left = anchor.minX + (anchor.width - size.width) / 2
        let top = anchor.minY + (anchor.height - size.height) / 2
        box = Rect(
            x: max(0, min(left, pane.width - size.width)), y: max(0, min(top, pane.height - size.height)),
            width: size.width, height: size.height)
        direction = []
    }

    /// Returns the free space on a side, without a margin of one column at the pane's edges.
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
