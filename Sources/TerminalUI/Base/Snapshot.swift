/// What a view looked like at one moment, to be drawn while it moves out of sight.
@MainActor
struct Snapshot {
    let grid: CellGrid

    /// Draws a view with all that is in it, as it is laid out now.
    init(of view: View) {
        grid = CellGrid(size: view.bounds.size)
        let surface = Surface(grid)
        surface.clear(style: view.theme[.text])
        view.drawTree(in: surface)
    }
}
