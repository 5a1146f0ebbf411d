import Foundation
import GRDB

/// A kind of change that can be stored, queued, journaled and undone.
///
/// Each kind is a type in the folder of its feature, listed in its `…Feature.swift` so that journals and undo steps can be
/// read. Its inverse is another change. Callers pass changes as a ``Change``, for which the feature adds a static
/// function.
package protocol LibraryChange: Codable, Hashable, Sendable {
    /// Identifies the kind in journals and undo steps. Never reused for another kind.
    static var kind: String { get }

    /// A short description for messages about a change that isn't stored yet, such as "a star" or "3 read marks".
    var summary: String { get }

    /// Whether the user can undo the change. Other changes have no undo step.
    var isUndoable: Bool { get }

    /// Applies the change.
    ///
    /// - Returns: What was changed, with the change that undoes it.
    func apply(in transaction: LibraryTransaction) throws -> Outcome
}

extension LibraryChange {
    package var isUndoable: Bool { true }
}

/// A change of any kind that the user requested, with the rows to change.
///
/// A change is a value. It can wait in a queue, have a name for messages, and be written to a journal for the next
/// start. Only ``ChangeQueue`` applies changes.
package struct Change: Hashable, Sendable {
    /// The change itself.
    package let base: any LibraryChange

    package init(_ base: some LibraryChange) { self.base = base }

    /// A short description for messages about a change that isn't stored yet.
    package var summary: String { base.summary }
    /// Whether the queue stores an undo step for the change.
    package var isUndoable: Bool { base.isUndoable }

    package static func == (first: Change, second: Change) -> Bool {
        AnyHashable(first.base) == AnyHashable(second.base)
    }

    package func hash(into hasher: inout Hasher) { AnyHashable(base).hash(into: &hasher) }
}

extension Change: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, change
    }

    /// - Throws: `DecodingError` if another version wrote a kind that this one doesn't know.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try container.decode(String.self, forKey: .kind)
        let kinds = CodingUserInfoKey.changeKinds.flatMap { decoder.userInfo[$0] as? ChangeKinds }
        guard let type = kinds?.type(named: kind) else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container, debugDescription: "unknown change '\(kind)'")
        }
        base = try type.init(from: container.superDecoder(forKey: .change))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type(of: base).kind, forKey: .kind)
        try base.encode(to: container.superEncoder(forKey: .change))
    }
}
