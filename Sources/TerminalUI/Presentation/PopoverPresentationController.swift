/// How a presented controller is shown.
public enum ModalPresentationStyle: Hashable, Sendable {
    /// A popover where it has an anchor and there is room, else a sheet.
    case automatic
    /// A box with an arrow that points at its anchor.
    case popover
    /// A box in the middle with a title and a Done item.
    case sheet
    /// The whole window.
    case fullScreen
}

/// The directions that a popover's arrow may point in; an arrow up stands over a box below its anchor.
public struct PopoverArrowDirection: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The box is below the anchor.
    public static let up = PopoverArrowDirection(rawValue: 1)
    /// The box is above the anchor.
    public static let down = PopoverArrowDirection(rawValue: 2)
    /// The box is to the right of the anchor.
    public static let left = PopoverArrowDirection(rawValue: 4)
    /// The box is to the left of the anchor.
    public static let right = PopoverArrowDirection(rawValue: 8)
    /// All four.
    public static let any: PopoverArrowDirection = [.up, .down, .left, .right]
}

/// Decides about a popover while it is shown.
@MainActor
public protocol PopoverPresentationControllerDelegate: AnyObject {
    /// What the popover becomes in these surroundings; `nil`: it stays one if it fits, else a sheet (row POP-03).
    func adaptivePresentationStyle(
        for popover: PopoverPresentationController, traits: Traits
    ) -> ModalPresentationStyle?
    /// It is about to be shown in another form than before: a popover, a sheet, the whole window (row POP-03).
    func popover(_ popover: PopoverPresentationController, willBeShownAs style: ModalPresentationStyle)
    /// What stands in the box of that form in the place of the presented controller, such as a navigation controller around it;
    /// `nil`: the controller itself. Once the form is another the controller is taken out of it again.
    func viewController(
        for popover: PopoverPresentationController, shownAs style: ModalPresentationStyle
    ) -> ViewController?
    /// The window has another size: the rectangle that the arrow points at, and its view, may be put right. Bar items and rows
    /// are followed without that.
    func popover(
        _ popover: PopoverPresentationController, willRepositionTo rect: inout Rect, in view: inout View)
    /// Whether the user may close it now (row POP-02).
    func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool
    /// The user has closed it; not called when the program did.
    func popoverDidDismiss(_ popover: PopoverPresentationController)
}

extension PopoverPresentationControllerDelegate {
    /// Stays a popover where it fits.
    public func adaptivePresentationStyle(
        for popover: PopoverPresentationController, traits: Traits
    ) -> ModalPresentationStyle? { nil }
    /// Does nothing.
    public func popover(_ popover: PopoverPresentationController, willBeShownAs style: ModalPresentationStyle) {}
    /// The controller itself.
    public func viewController(
        for popover: PopoverPresentationController, shownAs style: ModalPresentationStyle
    ) -> ViewController? { nil }
    /// Stays where it is.
    public func popover(
        _ popover: PopoverPresentationController, willRepositionTo rect: inout Rect, in view: inout View
    ) {}
    /// May always be closed.
    public func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool { true }
    /// Does nothing.
    public func popoverDidDismiss(_ popover: PopoverPresentationController) {}
}

/// Manages a popover from its presentation to its end: its anchor, its arrow, what it becomes where there is no room.
///
/// The anchor is set before the controller is presented: a bar item, or a rectangle in a view (row POP-01).
///
/// ```swift
/// let dates = PublishDateViewController(entry)
/// dates.modalPresentationStyle = .popover
/// dates.popoverPresentationController.barButtonItem = publishDateItem
/// present(dates)
/// ```
@MainActor
public final class PopoverPresentationController {
    /// What is presented.
    public private(set) unowned var presented: ViewController
    /// The bar item that the arrow points at.
    public weak var barButtonItem: BarButtonItem?
    /// The view that the arrow points into. Beside a bar item it is the anchor while no bar shows the item.
    public weak var sourceView: View?
    /// The rectangle in ``sourceView`` that the arrow points at; `nil`: the whole view, or the middle of its first line beside
    /// a bar item.
    public var sourceRect: Rect?
    /// The identifier of a row of ``sourceView``, a table: the arrow points at that row wherever it stands, and the popover ends
    /// when it can no longer be seen (row POP-01).
    public var sourceRow: AnyHashable?
    /// The directions that the arrow may point in.
    public var permittedArrowDirections: PopoverArrowDirection = .any
    /// Whether it may lie over its anchor where no side has room; else it becomes a sheet there.
    public var canOverlapSource = false
    /// Views that stay live beneath.
    public var passthroughViews: [View] = []
    /// Who decides about it.
    public weak var delegate: (any PopoverPresentationControllerDelegate)?
    /// The direction that the arrow points in now; `nil` before the first layout and in other forms.
    public internal(set) var arrowDirection: PopoverArrowDirection?

    init(presented: ViewController) { self.presented = presented }

    var hasAnchor: Bool { barButtonItem != nil || sourceView != nil }

    /// The anchor in the window; `nil` when it cannot be seen now.
    func anchor(in window: Window) -> Rect? {
        if let barButtonItem, let rect = window.rect(of: barButtonItem) { return rect }
        guard let sourceView, sourceView.window === window else { return nil }
        var local = sourceRect ?? sourceView.bounds
        if sourceRect == nil, barButtonItem != nil { local = Rect(x: local.midX, y: 0, width: 1, height: 1) }
        if let sourceRow, let table = sourceView as? TableView {
            guard let row = table.rect(ofRowWith: sourceRow) else { return nil }
            local = row
        }
        let rect = sourceView.convertToWindow(local)
        let seen = rect.intersection(sourceView.visibleRectInWindow)
        return seen.isEmpty ? nil : seen
    }
}
