/// Where the thumb of a scroll indicator stands.
enum ScrollIndicator {
    /// The lines of the thumb: at least one, at the ends only when the content is.
    static func thumb(first: Int, visible: Int, total: Int, track: Int) -> Range<Int> {
        guard total > visible, track > 0 else { return 0..<max(0, track) }
        let length = max(1, min(track, track * visible / total))
        let room = track - length
        let start = first == 0 ? 0 : max(1, min(room, room * first / (total - visible)))
        return min(start, room)..<min(start, room) + length
    }
}
