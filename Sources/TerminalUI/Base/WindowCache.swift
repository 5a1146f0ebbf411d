/// What views of a window share and can create again.
@MainActor
protocol WindowCache: AnyObject {
    /// Creates an empty cache.
    init()
    /// Clears the cache.
    func forget()
}
