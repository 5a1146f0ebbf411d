// Swift's own conversion of a floating-point number traps if the integer type can't represent it: 1e300, infinity or
// NaN. The conversions in this module return a value for each of them.
//
// All are inlinable. A generic function that isn't would look up its types at run time whenever another module calls it.

extension FixedWidthInteger {
    /// Converts a floating-point number to its whole part, the nearest representable number, or 0 for NaN.
    @inlinable package init<Source: BinaryFloatingPoint>(clamping source: Source) {
        if let whole = Self(exactly: source.rounded(.towardZero)) {
            self = whole
        } else {
            self = source.isNaN ? 0 : source < 0 ? .min : .max
        }
    }
}

extension BinaryFloatingPoint {
    /// Whether the number is between two bounds, inclusive.
    ///
    /// If the first bound is greater, nothing is between them. A range of such bounds would trap.
    @inlinable package func isBetween(_ minimum: Self, _ maximum: Self) -> Bool { self >= minimum && self <= maximum }
}

extension Comparable {
    /// Returns the value, limited to the bounds.
    ///
    /// If the lower bound is greater, the result is the upper bound.
    @inlinable package func limited(_ minimum: Self, _ maximum: Self) -> Self {
        Swift.min(maximum, Swift.max(minimum, self))
    }

    /// Returns the value, limited to a range.
    @inlinable package func limited(to range: ClosedRange<Self>) -> Self { limited(range.lowerBound, range.upperBound) }
}

extension FixedWidthInteger {
    /// Returns the sum, or the nearest representable number.
    @inlinable package func addingClamped(_ other: Self) -> Self {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference, or the nearest representable number.
    @inlinable package func subtractingClamped(_ other: Self) -> Self {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .max : .min) : difference
    }

    /// Returns the product, or the nearest representable number.
    @inlinable package func multipliedClamped(by other: Self) -> Self {
        let (product, isOverflow) = multipliedReportingOverflow(by: other)
        return isOverflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
