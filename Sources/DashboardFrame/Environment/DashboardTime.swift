import Platform

/// The clock, and how long the dashboard waits for what happens later.
package struct DashboardTime {
    /// Returns the current time.
    package var clock: @Sendable () -> Instant
    /// The duration that the dashboard's timers treat as one second; tests shorten it.
    package var second = Duration.seconds(1)
    /// The time from the start to the first automatic reload, in which the first screen appears.
    package var firstReload = Duration.milliseconds(100)
    /// How long the main thread waits for a read of the library. Slower ones are shown when they end.
    package var readingPatience = Duration.milliseconds(8)
    /// How long a message stays in the bar.
    package var messageTime = Duration.seconds(6)

    package init(clock: @escaping @Sendable () -> Instant) { self.clock = clock }
}
