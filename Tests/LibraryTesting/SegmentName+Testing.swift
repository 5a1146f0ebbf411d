import ModelCore

extension SegmentName {
    private var index: Int { SegmentName.allCases.firstIndex(of: self) ?? 0 }

    /// The key that switches to the segment, whatever its place in the bar.
    package var key: String { String(index + 1) }

    /// The number of times that the key for the next segment is pressed to get to the segment from another.
    package func tabs(from other: SegmentName) -> Int {
        (index - other.index + SegmentName.allCases.count) % SegmentName.allCases.count
    }

    /// The segment to which the key for the next one switches.
    package var next: SegmentName { SegmentName.allCases[(index + 1) % SegmentName.allCases.count] }
}
