import Synchronization

/// What one place on the screen shows: a base character with its marks, and the columns it takes (1 or 2).
///
/// A glyph is four bytes. A base character without marks is stored as it is; one with marks is an index into a pool that
/// the whole program shares. A place of a picture is a glyph of its own, which no text can have.
public struct Glyph: Hashable, Sendable {
    let bits: UInt32

    private static let clusterFlag: UInt32 = 1 << 31
    private static let wideFlag: UInt32 = 1 << 30
    private static let valueMask: UInt32 = (1 << 24) - 1
    /// With the cluster's flag: a place of a picture, its row, column and group in the lower 26 bits.
    private static let pictureFlag: UInt32 = 1 << 29

    /// An empty place.
    public static let space = Glyph(scalar: " ", columns: 1)
    /// What stands in for a character that the terminal cannot be trusted to measure.
    public static let replacement = Glyph(scalar: "\u{FFFD}", columns: 1)

    init(scalar: Unicode.Scalar, columns: Int) {
        bits = scalar.value | (columns == 2 ? Glyph.wideFlag : 0)
    }

    init(cluster index: UInt32, columns: Int) {
        bits = index | Glyph.clusterFlag | (columns == 2 ? Glyph.wideFlag : 0)
    }

    /// A glyph for a place of a picture that the terminal shows.
    public init(_ place: PicturePlaceholder) {
        bits =
            Glyph.clusterFlag | Glyph.pictureFlag | UInt32(place.group) << 18 | UInt32(place.row) << 9
            | UInt32(place.column)
    }

    /// The place of a picture that it stands for; `nil` for all text.
    public var picturePlaceholder: PicturePlaceholder? {
        guard bits & Glyph.pictureFlag != 0 else { return nil }
        return PicturePlaceholder(
            row: Int(bits >> 9 & 511), column: Int(bits & 511), group: UInt8(truncatingIfNeeded: bits >> 18))
    }

    /// A glyph for a printable scalar of known width, such as a line-drawing character; `nil` for any other scalar.
    public init?(_ scalar: Unicode.Scalar) {
        guard Sanitizer.classify(scalar) == .plain else { return nil }
        let columns = CellWidth.columns(of: scalar)
        guard columns > 0 else { return nil }
        self.init(scalar: scalar, columns: columns)
    }

    /// The bit pattern, for storage in a cell.
    public var rawValue: UInt32 { bits }

    /// A glyph from a bit pattern that ``rawValue`` gave.
    public init(rawValue: UInt32) { bits = rawValue }

    /// Columns it takes: 1 or 2.
    public var columns: Int { bits & Glyph.wideFlag != 0 ? 2 : 1 }

    /// Whether it has marks beside its base character.
    public var isCluster: Bool { bits & Glyph.clusterFlag != 0 }

    /// The base character's scalar, when there are no marks.
    public var scalar: Unicode.Scalar? { isCluster ? nil : Unicode.Scalar(bits & Glyph.valueMask) }

    /// The base character and its marks.
    public var scalars: [Unicode.Scalar] {
        if let scalar { return [scalar] }
        if let picturePlaceholder { return picturePlaceholder.scalars }
        return ClusterPool.shared.scalars(at: Int(bits & Glyph.valueMask))
    }

    /// The bytes of its scalars as UTF-8; none for a blank.
    public var textBytes: Int {
        if self == .space { return 0 }
        return scalar.map { UTF8.width($0) } ?? scalars.reduce(0) { $0 + UTF8.width($1) }
    }

    static func cluster(_ base: Unicode.Scalar, marks: [Unicode.Scalar], columns: Int) -> Glyph {
        // ncurses keeps a base character and four marks in a cell.
        guard let index = ClusterPool.shared.index(of: [base] + marks.prefix(4)) else {
            return Glyph(scalar: base, columns: columns)
        }
        return Glyph(cluster: index, columns: columns)
    }
}

/// Every cluster of base and marks that was ever shown, once.
///
/// It is bounded: hostile text can have no more than so many different clusters, and past that marks are left out.
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
