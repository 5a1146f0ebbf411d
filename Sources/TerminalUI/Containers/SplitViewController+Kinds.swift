/// The options of a split view.
extension SplitViewController {
    /// The visibility of the lists.
    public enum DisplayMode: Hashable, Sendable {
        /// Depends on the width.
        case automatic
        /// Lists beside the detail.
        case allVisible
        /// The detail alone.
        case primaryHidden
        /// The list over the detail.
        case primaryOverlay
    }

    /// The number of columns.
    public enum ColumnStyle: Hashable, Sendable {
        /// One list and the detail.
        case double
        /// Two lists and the detail.
        case triple
    }

    /// How the lists get their space (row SPL-01).
    public enum SplitBehavior: Hashable, Sendable {
        /// Depends on the width and the preferred display mode.
        case automatic
        /// Beside the detail, which becomes narrower.
        case tile
        /// Over the detail.
        case overlay
        /// Beside the detail, which keeps its width and moves partly out of sight.
        case displace
    }

    /// The side of the lists.
    public enum PrimaryEdge: Hashable, Sendable {
        /// On the left.
        case leading
        /// On the right.
        case trailing
    }
}
