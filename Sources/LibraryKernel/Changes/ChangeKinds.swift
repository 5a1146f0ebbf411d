import Foundation

/// The kinds of changes that journals and undo steps can contain: the kernel's own, and those of the features.
package struct ChangeKinds: Sendable {
    private let byName: [String: any LibraryChange.Type]

    /// - Parameter features: The kinds of all features.
    package init(_ features: [any LibraryChange.Type]) {
        let types: [any LibraryChange.Type] = [ChangeGroup.self, Undo.self, UndoParts.self] + features
        byName = Dictionary(types.map { ($0.kind, $0) }) { first, _ in first }
    }

    /// All kinds, for tests.
    var all: [any LibraryChange.Type] { Array(byName.values) }

    func type(named kind: String) -> (any LibraryChange.Type)? { byName[kind] }

    /// A decoder that can read changes.
    var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.changeKinds { decoder.userInfo[key] = self }
        return decoder
    }
}

extension CodingUserInfoKey {
    static let changeKinds = CodingUserInfoKey(rawValue: "changeKinds")
}
