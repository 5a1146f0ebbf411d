/// The names of the segments that the dashboard always has, in the standard order of the bar.
///
/// This is the only list of them: the setting for the segment at start, the option of the command line and the
/// dashboard derive from it. The compiler asks for the `DashboardSegment` of a new name.
package enum SegmentName: String, Hashable, Sendable, CaseIterable {
    case stages
    case feeds
    case settings

    /// The name in the bar.
    package var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
