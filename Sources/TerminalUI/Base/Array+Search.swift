extension [Int] {
    /// Returns the index of the last number that isn't greater than another one, or 0 if there is none.
    ///
    /// The numbers must be in ascending order.
    package func lastIndex(notAbove limit: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if self[middle] <= limit { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
