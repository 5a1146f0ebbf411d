import TerminalUI

/// The detail of a row, which may contain pictures.
@MainActor
package protocol RowDetail: ViewController {
    /// Releases the pictures while the detail is not visible. They are loaded again when it is.
    func releasePictures()
}

/// The details of recently opened rows, which reappear at once as they were (row SPL-10).
///
/// Pictures are large, so only the most recent details keep theirs.
@MainActor
package struct DetailCache<Key: Hashable, Detail: RowDetail> {
    /// The details, most recently used last.
    private var entries: [(key: Key, detail: Detail)] = []

    /// The maximum number of details.
    package static var maximum: Int { 16 }
    static var maximumWithPictures: Int { 3 }

    package init() {}

    /// Returns the detail of a row, creating it if it isn't cached.
    package mutating func detail(for key: Key, orMake make: () -> Detail?) -> Detail? {
        let known = entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).detail }
        guard let detail = known ?? make() else { return nil }
        entries.append((key, detail))
        if entries.count > DetailCache.maximum { entries.removeFirst() }
        for entry in entries.dropLast(DetailCache.maximumWithPictures) { entry.detail.releasePictures() }
        return detail
    }

    /// Removes the details that don't match.
    package mutating func keep(where isKept: (Key, Detail) -> Bool) {
        entries = entries.filter { isKept($0.key, $0.detail) }
    }

    /// Whether a detail is cached.
    package func contains(_ detail: Detail) -> Bool { entries.contains { $0.detail === detail } }
}
