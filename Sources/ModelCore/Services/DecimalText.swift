import Platform

/// Numbers with a digit after the point, as people read them: with the sign that their language writes there
/// (`RADIXCHAR` of nl_langinfo(3)), a point where the program speaks to other programs and has chosen no language.
package enum DecimalText {
    /// `12.3` of 123 tenths.
    package static func tenths(_ tenths: Int64) -> String {
        "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10)\(separator)\(tenths.magnitude % 10)"
    }

    /// `12`, `12.3`.
    package static func short(_ number: Double) -> String {
        let tenths = Int64(clamping: (number * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : self.tenths(tenths)
    }

    /// `12.3`, with a digit after the point for whole numbers too.
    package static func long(_ number: Double) -> String { tenths(Int64(clamping: (number * 10).rounded())) }

    private static var separator: String {
        nl_langinfo(nl_item(RADIXCHAR)).map { String(cString: $0) } == "," ? "," : "."
    }
}
