import Synchronization

/// The content of a cell: a base character with its marks, one or two columns wide.
///
/// A glyph has four bytes. A base character without marks is stored directly; one with marks is an index into a pool
/// that the whole program shares. A cell of a picture is a special glyph that no text can contain.
public struct Glyph: Hashable, Sendable {
    let bits: UInt32

    private static let clusterFlag: UInt32 = 1 << 31
    private static let wideFlag: UInt32 = 1 << 30
    private static let valueMask: UInt32 = (1 << 24) - 1
    /// Together with the cluster flag it means a cell of a picture, with row, column and group in the lower 26 bits.
    private static let pictureFlag: UInt32 = 1 << 29

    /// Together with the cluster flag it means the flag of a country, with its two letters in the lower 16 bits.
    private static let countryFlag: UInt32 = 1 << 28
    /// The selectors of an emoji's or a text's form.
    static let variationSelectors: ClosedRange<UInt32> = 0xFE00...0xFE0F
    /// The tones of skin, each a character of its own.
    static let skinTones: ClosedRange<UInt32> = 0x1F3FB...0x1F3FF

    /// Whether a scalar only changes how an emoji looks. It belongs to the text, but is never drawn, because terminals
    /// disagree about the width of what it makes.
    static func isEmojiForm(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200D || variationSelectors.contains(scalar.value) || skinTones.contains(scalar.value)
    }

    /// The base character and its marks as a terminal draws them: the parts of a joined emoji are cells of their own.
    public var drawnScalars: [Unicode.Scalar] {
        let scalars = scalars
        return scalars.prefix(1) + scalars.dropFirst().filter { !Glyph.isEmojiForm($0) }
    }

    /// The symbols of letters that form flags in pairs.
    static let regionalIndicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

    /// A blank.
    public static let space = Glyph(scalar: " ", columns: 1)
    /// The replacement for a character whose width the terminal may not agree on.
    public static let replacement = Glyph(scalar: "\u{FFFD}", columns: 1)

    init(scalar: Unicode.Scalar, columns: Int) {
        bits = scalar.value | (columns == 2 ? Glyph.wideFlag : 0)
    }

    init(cluster index: UInt32, columns: Int) {
        bits = index | Glyph.clusterFlag | (columns == 2 ? Glyph.wideFlag : 0)
    }

    /// Creates the glyph of a picture's cell.
    public init(_ place: PicturePlaceholder) {
        bits =
            Glyph.clusterFlag | Glyph.pictureFlag | UInt32(place.group) << 18 | UInt32(place.row) << 9
            | UInt32(place.column)
    }

    /// Creates the flag of a country from two regional indicators.
    init(flag first: Unicode.Scalar, _ second: Unicode.Scalar) {
        let start = Glyph.regionalIndicators.lowerBound
        bits =
            Glyph.clusterFlag | Glyph.wideFlag | Glyph.countryFlag | (first.value - start) << 8 | (second.value - start)
    }

    /// The two regional indicators of a flag, or `nil` for anything else. ncurses stores them in a cell each.
    public var flag: (first: Unicode.Scalar, second: Unicode.Scalar)? {
        guard isFlag else { return nil }
        let start = Glyph.regionalIndicators.lowerBound
        guard let first = Unicode.Scalar(start + (bits >> 8 & 0xFF)), let second = Unicode.Scalar(start + (bits & 0xFF))
        else { return nil }
        return (first, second)
    }

    /// Whether it is the flag of a country.
    public var isFlag: Bool {
        let flags = Glyph.clusterFlag | Glyph.pictureFlag | Glyph.countryFlag
        return bits & flags == Glyph.clusterFlag | Glyph.countryFlag
    }

    /// The picture cell that it stands for, or `nil` for text.
    public var picturePlaceholder: PicturePlaceholder? {
        guard bits & Glyph.pictureFlag != 0 else { return nil }
        return PicturePlaceholder(
            row: Int(bits >> 9 & 511), column: Int(bits & 511), group: UInt8(truncatingIfNeeded: bits >> 18))
    }

    /// Creates the glyph of a printable scalar, such as a line-drawing character. Returns `nil` for any other scalar.
    public init?(_ scalar: Unicode.Scalar) {
        guard Sanitizer.classify(scalar) == .plain, !Glyph.regionalIndicators.contains(scalar.value) else {
            return nil
        }
        let columns = CellWidth.columns(of: scalar)
        guard columns > 0 else { return nil }
        self.init(scalar: scalar, columns: columns)
    }

    /// The bit pattern for storage in a cell.
    public var rawValue: UInt32 { bits }

    /// Creates a glyph from a bit pattern of ``rawValue``.
    public init(rawValue: UInt32) { bits = rawValue }

    /// The width: 1 or 2 columns.
    public var columns: Int { bits & Glyph.wideFlag != 0 ? 2 : 1 }

    /// Whether it has combining marks.
    public var isCluster: Bool { bits & Glyph.clusterFlag != 0 }

    /// The base character's scalar, if it has no marks.
    public var scalar: Unicode.Scalar? { isCluster ? nil : Unicode.Scalar(bits & Glyph.valueMask) }

    /// The base character and its marks.
    public var scalars: [Unicode.Scalar] {
        if let scalar { return [scalar] }
        if let picturePlaceholder { return picturePlaceholder.scalars }
        if let flag { return [flag.first, flag.second] }
        return ClusterPool.shared.scalars(at: Int(bits & Glyph.valueMask))
    }

    /// Appends the base character and its marks as UTF-8.
    package func append(to bytes: inout [UInt8]) {
        if bits < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
        } else if let scalar {
            bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        } else {
            for scalar in scalars { bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter }
        }
    }

    /// The length of its scalars in UTF-8, or 0 for a blank.
    public var textBytes: Int {
        if self == .space { return 0 }
        return scalar.map { UTF8.width($0) } ?? scalars.reduce(0) { $0 + UTF8.width($1) }
    }

    static func cluster(_ base: Unicode.Scalar, marks: [Unicode.Scalar], columns: Int) -> Glyph {
        // ncurses stores a base character and four marks in a cell.
        guard let index = ClusterPool.shared.index(of: [base] + marks.prefix(4)) else {
            return Glyph(scalar: base, columns: columns)
        }
        return Glyph(cluster: index, columns: columns)
    }
}

/// All clusters of base and marks that were ever shown.
///
/// Its size is limited because of hostile text. Beyond the limit marks are dropped.
private final class ClusterPool: Sendable {
    static let shared = ClusterPool()
    private static let capacity = 65_536

    private struct State {
        var clusters: [[Unicode.Scalar]] = []
        var indexes: [[Unicode.Scalar]: UInt32] = [:]
    }

    private let state = Mutex(State())

    func index(of cluster: [Unicode.Scalar]) -> UInt32? {
        state.withLock { state in
            if let known = state.indexes[cluster] { return known }
            guard state.clusters.count < ClusterPool.capacity else { return nil }
            let index = UInt32(state.clusters.count)
            state.clusters.append(cluster)
            state.indexes[cluster] = index
            return index
        }
    }

    func scalars(at index: Int) -> [Unicode.Scalar] {
        state.withLock { $0.clusters.indices.contains(index) ? $0.clusters[index] : [] }
    }
}
