/// The names of the dashboard's segments, in the order of the bar.
///
/// This is the only list of segments: the setting for the segment at start, the option of the command line and the
/// dashboard derive from it. The compiler asks for the `DashboardSegment` of a new name.
package enum SegmentName: String, Hashable, Sendable, CaseIterable {
    case stages
    case feeds
    case settings
}
