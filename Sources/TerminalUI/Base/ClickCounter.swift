/// Counts quick clicks at the same position: double and triple clicks.
struct ClickCounter {
    private var last: (button: MouseEvent.Button, place: Point, time: ContinuousClock.Instant)?
    private var clicks = 1

    /// The maximum interval between two clicks, as on desktops.
    static let interval = Duration.milliseconds(400)

    /// Returns the number of consecutive clicks that an event belongs to.
    mutating func count(_ event: MouseEvent, at time: ContinuousClock.Instant) -> Int {
        guard case .press(let button) = event.action else { return clicks }
        if let last, last.button == button, last.place == event.location, last.time + ClickCounter.interval >= time {
            clicks = clicks % 3 + 1
        } else {
            clicks = 1
        }
        last = (button, event.location, time)
        return clicks
    }
}
