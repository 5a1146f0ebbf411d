import TerminalUI

/// The visible part of a map: the stage or the whole race, and how far it is zoomed in.
struct MapFrame: Hashable {
    private(set) var showsWholeRace = false
    private(set) var viewport = Viewport()

    private static let maximumZoom = 12.0

    var isZoomed: Bool { viewport.zoom > 1 }
    var canZoomOut: Bool { isZoomed || !showsWholeRace }

    /// Zooms in or out, from the whole race to a part of the stage.
    mutating func zoom(by factor: Double) {
        var next = viewport
        next.zoom = (viewport.zoom * factor).limited(1, MapFrame.maximumZoom)
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
        let (width, height) = (Double(max(1, size.width)), Double(max(1, size.height)))
        viewport.centerX = (viewport.centerX + Double(columns) / width / viewport.zoom).limited(0, 1)
        viewport.centerY = (viewport.centerY + Double(rows) / height / viewport.zoom).limited(0, 1)
    }

    /// Switches between the stage and the whole race.
    mutating func turn() {
        showsWholeRace.toggle()
        viewport = Viewport()
    }
}
