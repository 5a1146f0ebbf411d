/// How far a report of the race can be trusted by its age.
package enum Freshness: Hashable, Sendable {
    case fresh
    /// Older than three minutes: shown dim.
    case dim
    /// Older than fifteen minutes: collapsed to a line.
    case old

    /// - Parameter age: The age in seconds.
    package init(age: Int64) { self = age > 900 ? .old : age > 180 ? .dim : .fresh }
}
