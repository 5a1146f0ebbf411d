/// How much of a text was read.
public struct ReadingProgress: Equatable {
    /// The share of the text that was read, from 0 to 1.
    public var share: Double
    /// The shares of the text at which its headings start.
    public var headings: [Double]

    /// Creates a progress.
    public init(share: Double, headings: [Double] = []) {
        self.share = share
        self.headings = headings
    }
}

/// The content of a navigation bar for one controller.
@MainActor
public final class NavigationItem {
    /// The title, if it differs from the controller's.
    public var title: DisplayText? { didSet { changed() } }
    /// What the bar shows while the content shows the title itself.
    public var titleOverContent: DisplayText? { didSet { if titleOverContent != oldValue { changed() } } }
    /// The short title for the back item that leads here, or `nil` to use the title (row NAV-01).
    public var backTitle: DisplayText? { didSet { changed() } }
    /// A line above the bar's items, such as what to choose, shown if there is space for all bars (row NAV-01).
    public var prompt: DisplayText? { didSet { changed() } }
    /// A view that replaces the title.
    public var titleView: View? { didSet { changed() } }
    /// The items on the left. They replace the back item unless ``leftItemsSupplementBackButton`` is set.
    public var leftBarButtonItems: [BarButtonItem] = [] { didSet { take(leftBarButtonItems) } }
    /// The items on the right, starting at the edge.
    public var rightBarButtonItems: [BarButtonItem] = [] { didSet { take(rightBarButtonItems) } }
    /// Whether the left items are shown beside the back item.
    public var leftItemsSupplementBackButton = false { didSet { changed() } }
    /// Whether the back item is hidden and its key disabled.
    public var hidesBackButton = false { didSet { changed() } }

    /// The place of the content in its list, such as "3 of 26", at the right end of the bar.
    public var position: DisplayText? { didSet { if position != oldValue { changed() } } }

    /// Whether a line below the bar is reserved for ``progress``, if there is space.
    public var showsProgress = false { didSet { if showsProgress != oldValue { changed() } } }
    /// The reading progress, or `nil` if all of the content is visible.
    public var progress: ReadingProgress? {
        didSet { if showsProgress, progress != oldValue { owner?.window?.setNeedsDisplay() } }
    }

    private weak var owner: ViewController?

    init(owner: ViewController) { self.owner = owner }

    /// The title.
    public var effectiveTitle: DisplayText { title ?? owner?.title ?? .empty }

    var barTitle: DisplayText { titleOverContent ?? effectiveTitle }

    private func take(_ items: [BarButtonItem]) {
        for item in items { item.owner = owner }
        changed()
    }

    func changed() { owner?.window?.setNeedsBarLayout() }
}
