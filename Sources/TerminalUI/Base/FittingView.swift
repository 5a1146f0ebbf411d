/// A view whose controller determines its preferred size, and places its subviews before each layout.
final class FittingView: View {
    private let fit: (Size) -> Size

    /// - Parameter fit: Returns the preferred size within a limit.
    init(_ fit: @escaping (Size) -> Size) {
        self.fit = fit
        super.init()
    }

    override func sizeThatFits(_ limit: Size) -> Size { fit(limit) }
}
