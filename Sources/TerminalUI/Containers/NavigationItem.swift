/// What a navigation bar shows for one controller.
@MainActor
public final class NavigationItem {
    /// The title, if it is to be another than the controller's.
    public var title: DisplayText? { didSet { changed() } }
    /// A short name for the back item that leads here; else the title (row NAV-01).
    public var backTitle: DisplayText? { didSet { changed() } }
    /// A line over the bar's items, such as what is to be chosen; where all bars have room (row NAV-01).
    public var prompt: DisplayText? { didSet { changed() } }
    /// A view in place of the title.
    public var titleView: View? { didSet { changed() } }
    /// Items on the left; they take the back item's place unless ``leftItemsSupplementBackButton``.
    public var leftBarButtonItems: [BarButtonItem] = [] { didSet { take(leftBarButtonItems) } }
    /// Items on the right, the first at the edge.
    public var rightBarButtonItems: [BarButtonItem] = [] { didSet { take(rightBarButtonItems) } }
    /// Whether the left items stand beside the back item.
    public var leftItemsSupplementBackButton = false { didSet { changed() } }
    /// Whether there is no back item, and no way back by key.
    public var hidesBackButton = false { didSet { changed() } }

    /// Whether a line under the bar shows ``progress``, where there is room for it.
    public var showsProgress = false { didSet { if showsProgress != oldValue { changed() } } }
    /// How far the content has been read, 0 to 1.
    public var progress = 0.0 {
        didSet { if showsProgress, progress != oldValue { owner?.window?.setNeedsDisplay() } }
    }

    private weak var owner: ViewController?

    init(owner: ViewController) { self.owner = owner }

    /// The title that the bar shows.
    public var effectiveTitle: DisplayText { title ?? owner?.title ?? .empty }

    private func take(_ items: [BarButtonItem]) {
        for item in items { item.owner = owner }
        changed()
    }

    func changed() { owner?.window?.setNeedsLayout() }
}
