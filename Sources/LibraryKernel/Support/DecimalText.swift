import Platform

/// Numbers with one decimal, with the decimal separator of the user's locale (`RADIXCHAR` of nl_langinfo(3)).
///
/// Output for other programs uses a point, because those commands don't set a locale.
package enum DecimalText {
    /// Returns a number of tenths as text, such as "12.3" for 123.
    package static func tenths(_ tenths: Int64) -> String {
        "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10)\(separator)\(tenths.magnitude % 10)"
    }

    /// Returns a number as text, with a decimal only if needed: "12" or "12.3".
    package static func short(_ number: Double) -> String {
        let tenths = Int64(clamping: (number * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : self.tenths(tenths)
    }

    /// Returns a number as text, always with a decimal.
    package static func long(_ number: Double) -> String { tenths(Int64(clamping: (number * 10).rounded())) }

    private static var separator: String {
        nl_langinfo(nl_item(RADIXCHAR)).map { String(cString: $0) } == "," ? "," : "."
    }
}
