/// The layouts and drawings that a window needs before it shows the next frame.
struct RenderingRequests {
    /// Whether views must be placed.
    private(set) var needsLayout = true
    /// Whether a bar has changed during a layout.
    private(set) var needsBarLayout = false
    /// Whether views must be drawn.
    private(set) var needsDisplay = true
    private var isLayingOut = false

    /// Adds a layout. One in progress goes from the outside inwards, so it also covers changes made during it.
    mutating func addLayout() {
        if !isLayingOut { needsLayout = true }
    }

    /// Adds a layout after the one in progress.
    mutating func addBarLayout() {
        if isLayingOut { needsBarLayout = true }
    }

    /// Adds a drawing.
    ///
    /// - Returns: Whether none was requested before.
    mutating func addDisplay() -> Bool {
        defer { needsDisplay = true }
        return !needsDisplay
    }

    /// Begins a layout.
    ///
    /// - Returns: Whether one is necessary.
    mutating func beginLayout() -> Bool {
        guard needsLayout, !isLayingOut else { return false }
        isLayingOut = true
        needsLayout = false
        return true
    }

    /// Ends a layout.
    mutating func endLayout() { isLayingOut = false }

    /// Forgets changes of bars, after another layout.
    mutating func dropBarLayout() { needsBarLayout = false }

    /// Ends a drawing.
    mutating func endDisplay() { needsDisplay = false }
}
