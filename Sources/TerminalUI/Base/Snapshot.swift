/// A picture of a view, drawn while the view slides out of sight.
@MainActor
struct Snapshot {
    let grid: CellGrid

    /// Draws a view and its subviews, after they were laid out: they may have changed since the last frame.
    init(of view: View) {
        view.window?.layoutIfNeeded()
        grid = CellGrid(size: view.bounds.size)
        let surface = Surface(grid)
        surface.clear(style: view.theme[.text])
        view.drawTree(in: surface)
    }
}
