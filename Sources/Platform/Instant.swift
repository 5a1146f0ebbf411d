/// A point in time, in whole seconds since 1970-01-01 00:00 UTC.
///
/// Instants come from feeds, servers and damaged libraries, so arithmetic stops at the limits instead of trapping.
/// Libraries, journals and undo steps store the plain number.
package struct Instant: RawRepresentable, Hashable, Comparable, Codable, Sendable, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The number of seconds since 1970.
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the instant that many seconds after the beginning of 1970.
    @inlinable package init(_ seconds: some BinaryInteger) { self.init(rawValue: Int64(clamping: seconds)) }

    @inlinable package init(integerLiteral seconds: Int64) { self.init(rawValue: seconds) }

    /// The first and the last instant that can be represented.
    package static let distantPast = Instant(rawValue: .min)
    package static let distantFuture = Instant(rawValue: .max)

    /// The present time by the system's clock, or that of a simulation.
    package static var now: Instant {
        if let source = Clock.source { return source.now }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(time.tv_sec)
    }

    /// The number of seconds since 1970.
    @inlinable package var seconds: Int64 { rawValue }

    package var description: String { String(rawValue) }

    /// Returns the number of seconds from another instant to this one. It is negative if the other one is later.
    @inlinable package func seconds(since other: Instant) -> Int64 { rawValue.subtractingClamped(other.rawValue) }

    @inlinable package static func < (first: Instant, second: Instant) -> Bool { first.rawValue < second.rawValue }

    /// Returns the instant that many seconds later, or the last possible one.
    @inlinable package static func + (instant: Instant, seconds: Int64) -> Instant {
        Instant(rawValue: instant.rawValue.addingClamped(seconds))
    }

    /// Returns the instant that many seconds earlier, or the first possible one.
    @inlinable package static func - (instant: Instant, seconds: Int64) -> Instant {
        Instant(rawValue: instant.rawValue.subtractingClamped(seconds))
    }

    @inlinable package static func += (instant: inout Instant, seconds: Int64) { instant = instant + seconds }
}
