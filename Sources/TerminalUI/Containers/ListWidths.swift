/// The width of a split view's list.
public struct ListWidths {
    /// The widths that suit most lists, in columns.
    public static let standard = 26...56
    /// The list's share of the width beside the detail.
    let fraction: Double
    /// The minimum and maximum width in columns. The maximum takes precedence.
    let minimum: Int, maximum: Int

    /// Returns the width of a list beside the detail.
    func beside(in width: Int) -> Int {
        let wanted = Int(clamping: (Double(width) * fraction + 0.0001).rounded(.down))
        return min(maximum, max(min(minimum, width / 2), min(wanted, width - 20)))
    }

    /// Returns the width of a list over the detail, which leaves a part of the detail visible to click on.
    func over(in width: Int) -> Int {
        min(maximum, max(min(ListWidths.standard.lowerBound, width - 2), min(width * 52 / 100, width - 14)))
    }
}
