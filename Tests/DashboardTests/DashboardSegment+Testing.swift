import LibraryTesting
import ModelCore

@testable import Dashboard

extension DashboardSegment {
    /// The key that switches to a segment, whatever its place in the bar.
    static func key(of name: String) -> String { SegmentName(rawValue: name)?.key ?? "" }

    /// The title of the segment to which the key for the next one switches.
    static func titleOfNext(after name: String) -> String {
        let next = SegmentName(rawValue: name)?.next.rawValue
        return all.first { $0.name == next }?.title.string ?? ""
    }
}
