import TerminalUI

/// What a map of a stage shows: the stage or the whole race, and which part of it.
struct MapFrame: Hashable {
    private(set) var showsWholeRace = false
    private(set) var viewport = Viewport()

    private static let maximumZoom = 12.0

    /// Whether a part is enlarged.
    var isZoomed: Bool { viewport.zoom > 1 }
    /// Whether there is anything smaller to show.
    var canZoomOut: Bool { isZoomed || !showsWholeRace }

    /// Enlarges what is shown: the whole race is smaller than the stage, and the stage larger than the race.
    mutating func zoom(by factor: Double) {
        var next = viewport
        next.zoom = max(1, min(MapFrame.maximumZoom, viewport.zoom * factor))
        if factor < 1, viewport.zoom == 1 {
            showsWholeRace = true
        } else if factor > 1, showsWholeRace, viewport.zoom == 1 {
            showsWholeRace = false
            next.zoom = 1
        }
        viewport = next.zoom == 1 ? Viewport() : next
    }

    /// Moves the middle by cells of a map of a size, as far as the edges.
    mutating func pan(columns: Int, rows: Int, in size: Size) {
        viewport.centerX = max(
            0, min(1, viewport.centerX + Double(columns) / Double(max(1, size.width)) / viewport.zoom))
        viewport.centerY = max(0, min(1, viewport.centerY + Double(rows) / Double(max(1, size.height)) / viewport.zoom))
    }

    /// Shows the whole race, and the stage again.
    mutating func turn() {
        showsWholeRace.toggle()
        viewport = Viewport()
    }
}
