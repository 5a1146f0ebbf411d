/// File sizes in decimal units (IEC 80000-13): `980 B`, `12.3 kB`, `4.1 MB`, `1.2 GB`.
package enum ByteCount {
    package static func text(_ bytes: Int64) -> String {
        let units = ["kB", "MB", "GB", "TB"]
        guard bytes >= 1000 else { return "\(max(0, bytes)) B" }
        var (tenths, unit) = ((bytes + 50) / 100, 0)
        while tenths >= 10_000, unit < units.count - 1 { (tenths, unit) = ((tenths + 500) / 1000, unit + 1) }
        return tenths < 1000 ? "\(DecimalText.tenths(tenths)) \(units[unit])" : "\(tenths / 10) \(units[unit])"
    }
}
