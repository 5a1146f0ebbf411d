import CText

/// The width of characters as the C library, and with it ncurses and tmux, computes it.
///
/// A newer Unicode table would disagree with the terminal about the position of the next character.
public enum CellWidth {
    private static let localeIsReady: Void = ccw_use_utf8()

    /// Returns the width of a scalar: 0, 1 or 2 columns, or -1 if the C library doesn't know it.
    public static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20 && scalar.value < 0x7F { return 1 }
        // Outside a UTF-8 locale the C library knows only ASCII.
        localeIsReady
        return Int(ccw_columns(scalar.value))
    }
}
