import TerminalUI

/// The detail of a row, which may hold pictures.
@MainActor
protocol RowDetail: ViewController {
    /// Lets the pictures go while the detail is not shown; they are loaded again when it is.
    func releasePictures()
}

/// The details of rows that were opened last: they come back at once, as they were (row SPL-10).
///
/// Pictures are large, so that only the very last details keep theirs.
@MainActor
struct DetailCache<Key: Hashable, Detail: RowDetail> {
    /// The one that was asked for last stands at the end.
    private var entries: [(key: Key, detail: Detail)] = []

    /// Details that are kept.
    static var most: Int { 16 }
    /// Details that keep their pictures.
    static var mostWithPictures: Int { 3 }

    /// The detail of a row, made if it is not kept.
    mutating func detail(for key: Key, orMake make: () -> Detail?) -> Detail? {
        let known = entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).detail }
        guard let detail = known ?? make() else { return nil }
        entries.append((key, detail))
        if entries.count > DetailCache.most { entries.removeFirst() }
        for entry in entries.dropLast(DetailCache.mostWithPictures) { entry.detail.releasePictures() }
        return detail
    }

    /// Keeps only some.
    mutating func keep(where isKept: (Key, Detail) -> Bool) { entries = entries.filter { isKept($0.key, $0.detail) } }

    /// Whether a detail is kept.
    func contains(_ detail: Detail) -> Bool { entries.contains { $0.detail === detail } }
}
