import GRDB
import LibraryKernel

/// Hides entries that would reveal something the user doesn't want to know yet, such as the result of a stage.
///
/// It is valid for the read in which it was created. The feature that knows what to hide implements it.
package protocol SpoilerHiding {
    /// Returns what replaces a text that would reveal something, or `nil` if the text can be shown.
    ///
    /// - Parameters:
    ///   - texts: Everything that would be visible.
    ///   - date: The instant of the texts.
    func replacement(for texts: [String], at date: Instant) throws -> String?

    /// Returns what replaces the title of an entry, or `nil` if the title can be shown.
    func replacement(forTitle title: String, of entry: EntryID, at date: Instant) throws -> String?

    /// Returns what replaces the title of an entry with its content, or `nil` if all of it can be shown.
    func replacement(for entry: EntryDetail) throws -> String?
}

extension SpoilerHiding {
    func hide(_ row: inout EntryRow) throws {
        guard let words = try replacement(forTitle: row.title, of: row.id, at: row.sortDate) else { return }
        row.title = words
        row.isSpoiler = true
    }

    func hide(_ entry: inout EntryDetail) throws {
        guard let words = try replacement(for: entry) else { return }
        entry.title = words
        entry.link = nil
        entry.author = nil
        entry.html = nil
        entry.text = "This entry may spoil a stage, so its text is hidden."
        entry.fullHTML = nil
        entry.extras = EntryExtras()
        entry.dates.previous = nil
        entry.isSpoiler = true
    }
}

/// Creates what hides spoilers for one read. A library has one attached.
package struct SpoilerReader: Sendable {
    /// Returns what hides spoilers, or `nil` if nothing is hidden.
    package let read: @Sendable (Database) throws -> (any SpoilerHiding)?

    package init(_ read: @escaping @Sendable (Database) throws -> (any SpoilerHiding)?) { self.read = read }
}

extension Library {
    /// Creates what hides spoilers.
    package var spoilers: SpoilerReader { attachment(SpoilerReader.self) ?? SpoilerReader { _ in nil } }
}
