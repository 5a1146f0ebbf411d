/// Limits the concurrent requests for each host.
///
/// Waiting requests have not started, so their timeouts don't run, and requests for other hosts don't wait for them.
struct HostQueue {
    private let maximum: Int
    private var running: [String: Int] = [:]
    private var waiting: [String: [UInt64]] = [:]
    private var hosts: [UInt64: String] = [:]

    /// - Parameter maximum: The maximum number of concurrent requests for a host.
    init(maximum: Int) { self.maximum = maximum }

    /// Whether a request may start now. Otherwise ``next(after:)`` returns it later.
    mutating func mayStart(_ id: UInt64, host: String) -> Bool {
        hosts[id] = host
        guard running[host, default: 0] < maximum else {
            waiting[host, default: []].append(id)
            return false
        }
        running[host, default: 0] += 1
        return true
    }

    /// Removes a request that ended, or was given up while waiting, and returns the one that may start now.
    mutating func next(after id: UInt64) -> UInt64? {
        guard let host = hosts.removeValue(forKey: id) else { return nil }
        if let place = waiting[host]?.firstIndex(of: id) {
            waiting[host]?.remove(at: place)
            return nil
        }
        guard waiting[host]?.isEmpty == false, let next = waiting[host]?.removeFirst() else {
            waiting[host] = nil
            let left = running[host, default: 1] - 1
            running[host] = left > 0 ? left : nil
            return nil
        }
        return next
    }
}
