import CCellWidth

/// Columns that characters take, as the C library, and with it ncurses and tmux, counts them.
///
/// A newer Unicode table would disagree with the terminal about where the next character stands, so none is used.
public enum CellWidth {
    private static let localeIsReady: Void = ccw_use_utf8()

    /// The columns of one scalar: 0, 1 or 2; -1 for one that the C library does not know.
    public static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value >= 0x20 && scalar.value < 0x7F { return 1 }
        // Outside a UTF-8 locale the C library knows only ASCII.
        localeIsReady
        return Int(ccw_columns(scalar.value))
    }
}
