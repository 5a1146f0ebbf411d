/// The layouts and drawings that a window needs before it shows the next frame.
struct RenderingRequests {
    private(set) var needsLayout = true
    /// Whether a bar has changed during a layout.
    private(set) var needsBarLayout = false
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

    /// Adds a drawing, and returns whether none was requested before.
    mutating func addDisplay() -> Bool {
        defer { needsDisplay = true }
        return !needsDisplay
    }

    /// Begins a layout if one is necessary.
    mutating func beginLayout() -> Bool {
        guard needsLayout, !isLayingOut else { return false }
        isLayingOut = true
        needsLayout = false
        return true
    }

    mutating func endLayout() { isLayingOut = false }

    /// Forgets changes of bars, after another layout.
    mutating func dropBarLayout() { needsBarLayout = false }

    mutating func endDisplay() { needsDisplay = false }
}
