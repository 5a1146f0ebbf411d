/// The clock, and how long the dashboard waits for what happens later.
package struct DashboardTime {
    /// Returns the current time in seconds since 1970.
    package var clock: @Sendable () -> Int64
    /// The duration that the dashboard's timers treat as one second; tests shorten it.
    package var second = Duration.seconds(1)
    /// How long a message stays in the bar.
    package var messageTime = Duration.seconds(6)

    init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }
}
