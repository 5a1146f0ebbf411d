import TerminalUI

/// The visible part of a map: the stage or the whole race, and how far it is zoomed in.
struct MapFrame: Hashable {
    private(set) var showsWholeRace = false
    private(set) var viewport = Viewport()

    private static let maximumZoom = 12.0

    /// Whether it is zoomed in.
    var isZoomed: Bool { viewport.zoom > 1 }
    /// Whether it can be zoomed out further.
    var canZoomOut: Bool { isZoomed || !showsWholeRace }

    /// Zooms in or out, from the whole race to a part of the stage.
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

    /// Moves the visible part by cells, up to the edges of the map.
    mutating func pan(columns: Int, rows: Int, in size: Size) {
        viewport.centerX = max(
            0, min(1, viewport.centerX + Double(columns) / Double(max(1, size.width)) / viewport.zoom))
        viewport.centerY = max(0, min(1, viewport.centerY + Double(rows) / Double(max(1, size.height)) / viewport.zoom))
    }

    /// Switches between the stage and the whole race.
    mutating func turn() {
        showsWholeRace.toggle()
        viewport = Viewport()
    }
}
