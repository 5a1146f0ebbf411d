/// The scroll indicator at the right edge of a view.
enum ScrollIndicator {
    /// Returns the lines of the thumb: at least one, and at the ends only if the content is at its end.
    static func thumb(first: Int, visible: Int, total: Int, track: Int) -> Range<Int> {
        guard total > visible, track > 0 else { return 0..<max(0, track) }
        let length = max(1, min(track, track * visible / total))
        let room = track - length
        let start = first == 0 ? 0 : max(1, min(room, room * first / (total - visible)))
        return min(start, room)..<min(start, room) + length
    }

    @MainActor
    static func draw(_ thumb: Range<Int>, of view: View, in surface: Surface) {
        surface.fill(
            Rect(x: view.bounds.width - 1, y: thumb.lowerBound, width: 1, height: thumb.count),
            with: view.symbols.scrollThumb, style: view.theme[.thumb])
    }
}
