// Swift's own conversion of a floating-point number ends the program where the integer type has no such number: at 1e300, at
// infinity and at "not a number". The conversions of this module have an answer for each of them.

extension FixedWidthInteger {
    /// Converts a floating-point number: its whole part, the nearest number that this type has, or 0 for "not a number".
    package init<Source: BinaryFloatingPoint>(clamping source: Source) {
        if let whole = Self(exactly: source.rounded(.towardZero)) {
            self = whole
        } else {
            self = source.isNaN ? 0 : source < 0 ? .min : .max
        }
    }
}

extension BinaryFloatingPoint {
    /// A Boolean value that indicates whether the number is between two bounds, which it may equal.
    ///
    /// Nothing is between bounds of which the first is greater; a range of them would end the program.
    package func isBetween(_ least: Self, _ most: Self) -> Bool { self >= least && self <= most }
}

extension Comparable {
    /// The value, or the bound that it is beyond.
    ///
    /// The upper bound wins where the lower one is greater.
    package func limited(_ least: Self, _ most: Self) -> Self { Swift.min(most, Swift.max(least, self)) }
}

extension FixedWidthInteger {
    /// The sum, or the nearest number that this type has.
    package func addingClamped(_ other: Self) -> Self {
        let (sum, isOverflow) = addingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number that this type has.
    package func subtractingClamped(_ other: Self) -> Self {
        let (difference, isOverflow) = subtractingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest number that this type has.
    package func multipliedClamped(by other: Self) -> Self {
        let (product, isOverflow) = multipliedReportingOverflow(by: other)
        return isOverflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
