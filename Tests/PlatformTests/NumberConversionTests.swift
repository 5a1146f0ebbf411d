import Platform
import Testing

@Suite struct NumberConversionTests {
    private static let extremes: [Double] = [
        0, -0.0, 0.5, -0.5, 1.9, -1.9, 127.5, -128.5, 255.9, 9.2e18, 9.3e18, -9.3e18, 1e300, -1e300, .infinity,
        -.infinity, .nan,
        .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .signalingNaN,
    ]

    @Test func clampsToTheNearestNumberOfTheType() {
        #expect(Int(clamping: 1.9) == 1 && Int(clamping: -1.9) == -1 && Int(clamping: -0.0) == 0)
        #expect(
            Int(clamping: 1e300) == .max && Int(clamping: -Double.infinity) == .min && Int(clamping: Double.nan) == 0)
        #expect(UInt8(clamping: 255.9) == 255 && UInt8(clamping: 256.0) == 255 && UInt8(clamping: -0.9) == 0)
        #expect(UInt(clamping: -3.0) == 0 && Int8(clamping: -200.5) == -128 && Int64(clamping: Float.infinity) == .max)
        #expect(Int64(clamping: 9.3e18) == .max && Int64(clamping: 9_007_199_254_740_993.0) == 9_007_199_254_740_992)
    }

    /// This test calls the module's own conversions: the standard library's would trap.
    @Test func replacesTrappingConversions() {
        for number in NumberConversionTests.extremes {
            for result in trapping.conversions(of: number) { #expect(result) }
        }
    }

    @Test func limitsAndComparesWithBoundsOutOfOrder() {
        #expect(5.limited(1, 3) == 3 && 0.limited(1, 3) == 1 && 2.limited(3, 1) == 1)
        #expect(!2.0.isBetween(3, 1) && 2.0.isBetween(2, 2) && !Double.nan.isBetween(-1, 1) && !1.0.isBetween(.nan, 2))
    }

    @Test func clampsSumsDifferencesAndProducts() {
        let numbers: [Int] = [.min, .min + 1, -3, -1, 0, 1, 3, .max - 1, .max]
        for a in numbers {
            for b in numbers {
                func clamped(_ exact: (partialValue: Int, overflow: Bool), _ estimate: Double) -> Int {
                    exact.overflow ? (estimate < 0 ? .min : .max) : exact.partialValue
                }
                #expect(a.addingClamped(b) == clamped(a.addingReportingOverflow(b), Double(a) + Double(b)))
                #expect(a.subtractingClamped(b) == clamped(a.subtractingReportingOverflow(b), Double(a) - Double(b)))
                #expect(
                    a.multipliedClamped(by: b) == clamped(a.multipliedReportingOverflow(by: b), Double(a) * Double(b)))
            }
        }
        #expect(UInt8(3).subtractingClamped(5) == 0 && UInt8(200).addingClamped(100) == 255)
    }
}

/// Calls deprecated functions: a requirement that a deprecated function satisfies can be called without a warning.
private protocol ConversionCalls: Sendable {
    func conversions(of number: Double) -> [Bool]
}

private struct DeprecatedCalls: ConversionCalls {
    @available(*, deprecated) func conversions(of number: Double) -> [Bool] {
        [
            Int(number) == Int(clamping: number), Int64(number) == Int64(clamping: number),
            Int32(number) == Int32(clamping: number),
            Int16(number) == Int16(clamping: number), Int8(number) == Int8(clamping: number),
            UInt(number) == UInt(clamping: number),
            UInt64(number) == UInt64(clamping: number), UInt32(number) == UInt32(clamping: number),
            UInt16(number) == UInt16(clamping: number), UInt8(number) == UInt8(clamping: number),
            Int(Float(number)) == Int(clamping: Float(number)), UInt8(Float(number)) == UInt8(clamping: Float(number)),
        ]
    }
}

private let trapping: any ConversionCalls = DeprecatedCalls()
