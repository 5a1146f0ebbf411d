/// Who requested a reload.
package enum ReloadReason: Hashable, Sendable {
    /// The user, for all feeds. Waits that servers ask for apply (Retry-After), and feeds gone for good (410) are
    /// skipped.
    case user
    /// The user, for this very feed, which is fetched even if it was gone. Waits that servers ask for apply.
    case insisting
    /// A timer or a start: only feeds that are due are fetched (``FetchSchedule``).
    case timer
}
