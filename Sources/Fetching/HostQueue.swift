/// Lets each host have a few requests at once, and the others wait for their turn: what waits here has not begun, so that its
/// time does not run, and nothing that goes to another host waits for it.
struct HostQueue<Item> {
    private let most: Int
    private var running: [String: Int] = [:]
    private var waiting: [String: [(id: UInt64, item: Item)]] = [:]
    private var hosts: [UInt64: String] = [:]

    /// - Parameter most: Requests of a host at once.
    init(most: Int) { self.most = most }

    /// Whether a request may begin now; if not, it is given by ``next(after:)`` when its turn comes.
    mutating func mayStart(_ id: UInt64, _ item: Item, host: String) -> Bool {
        hosts[id] = host
        guard running[host, default: 0] < most else {
            waiting[host, default: []].append((id, item))
            return false
        }
        running[host, default: 0] += 1
        return true
    }

    /// Notes the end of a request that ran, or that waited and was given up.
    ///
    /// - Returns: The request whose turn comes by it.
    mutating func next(after id: UInt64) -> (id: UInt64, item: Item)? {
        guard let host = hosts.removeValue(forKey: id) else { return nil }
        if let place = waiting[host]?.firstIndex(where: { $0.id == id }) {
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
