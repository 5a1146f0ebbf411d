extension RowPath {
    /// Returns the next matching path in a direction, wrapping around at the end. With a step of 0, the path itself can
    /// match.
    ///
    /// - Parameter rows: All paths in order.
    public static func next(
        in rows: [RowPath], from path: RowPath, step: Int, matching matches: (RowPath) -> Bool
    ) -> RowPath? {
        let ordered = step < 0 ? rows.reversed() : rows
        let isAhead: (RowPath) -> Bool = { step < 0 ? $0 < path : step == 0 ? $0 >= path : $0 > path }
        let ahead = ordered.filter(isAhead)
        let behind = ordered.filter { !isAhead($0) }
        return ahead.first(where: matches) ?? behind.first(where: matches)
    }
}
