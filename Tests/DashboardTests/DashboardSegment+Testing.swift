@testable import Dashboard

extension DashboardSegment {
    /// The key that switches to a segment, whatever its place in the bar.
    static func key(of name: String) -> String { String((all.firstIndex { $0.name == name } ?? 0) + 1) }
}
