/// A cache that the views of a window share. Views can create its content again.
@MainActor
protocol WindowCache: AnyObject {
    init()
    /// Clears the cache.
    func forget()
}

/// The caches of a window, one of each kind.
@MainActor
final class WindowCaches {
    private var caches: [ObjectIdentifier: any WindowCache] = [:]

    /// Returns the cache of a kind, which is created on first use.
    subscript<Cache: WindowCache>(kind: Cache.Type) -> Cache {
        if let known = caches[ObjectIdentifier(kind)] as? Cache { return known }
        let cache = Cache()
        caches[ObjectIdentifier(kind)] = cache
        return cache
    }

    /// Clears all caches, because memory is short.
    func clear() {
        for cache in caches.values { cache.forget() }
    }
}
