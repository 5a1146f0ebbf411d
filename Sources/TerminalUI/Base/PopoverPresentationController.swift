/// The style of a presentation.
public enum ModalPresentationStyle: Hashable, Sendable {
    /// A popover if it has an anchor and there is space, otherwise a sheet.
    case automatic
    /// A box with an arrow that points at its anchor.
    case popover
    /// A centred box with a title and a Done item.
    case sheet
    /// The whole window.
    case fullScreen
}

/// The directions of a popover's arrow. An arrow pointing up belongs to a box below its anchor.
public struct PopoverArrowDirection: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
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

/// Customises a popover.
@MainActor
public protocol PopoverPresentationControllerDelegate: AnyObject {
    /// Returns the style of the popover for some traits, or `nil` to keep a popover if it fits, otherwise a sheet (row
    /// POP-03).
    func adaptivePresentationStyle(
        for popover: PopoverPresentationController, traits: Traits
    ) -> ModalPresentationStyle?
    /// The popover will be shown in another style (row POP-03).
    func popover(_ popover: PopoverPresentationController, willBeShownAs style: ModalPresentationStyle)
    /// Returns the controller to show in a style in place of the presented one, such as a navigation controller around
    /// it, or `nil` for none. When the style changes again, the presented controller is removed from it.
    func viewController(
        for popover: PopoverPresentationController, shownAs style: ModalPresentationStyle
    ) -> ViewController?
    /// The window was resized. The delegate may change the anchor. Bar items and rows are followed automatically.
    func popover(
        _ popover: PopoverPresentationController, willRepositionTo rect: inout Rect, in view: inout View)
    /// Whether the user may close it now (row POP-02).
    func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool
    /// The user closed it. Not called if the program did.
    func popoverDidDismiss(_ popover: PopoverPresentationController)
}

extension PopoverPresentationControllerDelegate {
    /// By default it stays a popover if it fits.
    public func adaptivePresentationStyle(
        for popover: PopoverPresentationController, traits: Traits
    ) -> ModalPresentationStyle? { nil }
    /// The default does nothing.
    public func popover(_ popover: PopoverPresentationController, willBeShownAs style: ModalPresentationStyle) {}
    /// By default the presented controller.
    public func viewController(
        for popover: PopoverPresentationController, shownAs style: ModalPresentationStyle
    ) -> ViewController? { nil }
    /// By default the anchor doesn't change.
    public func popover(
        _ popover: PopoverPresentationController, willRepositionTo rect: inout Rect, in view: inout View
    ) {}
    /// By default it can be closed.
    public func popoverShouldDismiss(_ popover: PopoverPresentationController) -> Bool { true }
    /// The default does nothing.
    public func popoverDidDismiss(_ popover: PopoverPresentationController) {}
}

/// A view with rows that a popover can point at.
@MainActor
protocol RowAnchor: View {
    /// Returns the frame of a row in the view's coordinates, if it is visible.
    func rect(ofRowWith identifier: AnyHashable) -> Rect?
}

/// Manages a popover from its presentation to its dismissal: its anchor, its arrow, and its style when there isn't
/// enough space.
///
/// Set the anchor before presenting the controller: a bar item, or a rectangle in a view (row POP-01).
///
/// ```swift
/// let dates = PublishDateViewController(entry)
/// dates.modalPresentationStyle = .popover
/// dates.popoverPresentationController.barButtonItem = publishDateItem
/// present(dates)
/// ```
@MainActor
public final class PopoverPresentationController {
    /// The presented controller.
    public private(set) unowned var presented: ViewController
    /// The bar item that the arrow points at.
    public weak var barButtonItem: BarButtonItem?
    /// The view that the arrow points into. Together with a bar item, it is the anchor while no bar shows the item.
    public weak var sourceView: View?
    /// The rectangle in ``sourceView`` that the arrow points at, or `nil` for the whole view, or with a bar item for
    /// the middle of its first line.
    public var sourceRect: Rect?
    /// The identifier of a row in ``sourceView``, which must be a table. The arrow follows the row, and the popover
    /// closes when the row is no longer visible (row POP-01).
    public var sourceRow: AnyHashable?
    /// The permitted directions of the arrow.
    public var permittedArrowDirections: PopoverArrowDirection = .any
    /// Whether it may cover its anchor if no side has space. Otherwise it becomes a sheet.
    public var canOverlapSource = false
    /// The views that still react to clicks.
    public var passthroughViews: [View] = []
    /// The delegate.
    public weak var delegate: (any PopoverPresentationControllerDelegate)?
    /// The current direction of the arrow, or `nil` before the first layout and in other styles.
    public internal(set) var arrowDirection: PopoverArrowDirection?

    init(presented: ViewController) { self.presented = presented }

    var hasAnchor: Bool { barButtonItem != nil || sourceView != nil }

    /// Returns the anchor in the window, or `nil` if it isn't visible.
    func anchor(in window: Window) -> Rect? {
        if let barButtonItem, let rect = window.presented.rect(of: barButtonItem) { return rect }
        guard let sourceView, sourceView.window === window else { return nil }
        var local = sourceRect ?? sourceView.bounds
        if sourceRect == nil, barButtonItem != nil { local = Rect(x: local.midX, y: 0, width: 1, height: 1) }
        if let sourceRow, let table = sourceView as? any RowAnchor {
            guard let row = table.rect(ofRowWith: sourceRow) else { return nil }
            local = row
        }
        let rect = sourceView.convertToWindow(local)
        let seen = rect.intersection(sourceView.visibleRectInWindow)
        return seen.isEmpty ? nil : seen
    }
}
