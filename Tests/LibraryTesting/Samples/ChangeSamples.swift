import LibraryKernel
import ModelCore

/// A change in a ``SampleLibrary`` with what it does there.
///
/// The tests of undo steps, journals, random walks, kills and full disks derive from the samples of all features.
package struct ChangeSample: Sendable {
    package var change: Change
    /// What was done, such as "starring 1 entry", or `nil` if the change can't be undone.
    package var undo: String?
    /// The tables that the change modifies.
    package var tables: Set<String>
    /// Whether repeating the change has no effect.
    package var isIdempotent: Bool
    /// The changes that come first.
    package var prerequisites: [Change]

    /// - Parameters:
    ///   - undo: What was done, such as "starring 1 entry", or `nil` if the change can't be undone.
    ///   - tables: The tables that the change modifies.
    ///   - isIdempotent: Whether repeating the change has no effect.
    ///   - prerequisites: The changes that come first.
    package init(
        _ change: Change, undo: String?, tables: Set<String>, isIdempotent: Bool = true,
        after prerequisites: [Change] = []
    ) {
        self.change = change
        self.undo = undo
        self.tables = tables
        self.isIdempotent = isIdempotent
        self.prerequisites = prerequisites
    }
}

/// The samples of a module's changes, declared in a file of `Tests/LibraryTesting/Samples` with the module's name.
///
/// Each registered kind of change needs a sample, except kinds that only undo steps contain: those need a sample of the
/// change that they undo.
package struct ChangeSamples: Sendable {
    /// The module that defines the changes.
    package let module: String
    /// The changes that give the samples something to change in a ``SampleLibrary``.
    let preparation: [Change]
    private let make: @Sendable (SampleLibrary) throws -> [ChangeSample]

    init(
        of module: String, preparation: [Change] = [],
        make: @escaping @Sendable (SampleLibrary) throws -> [ChangeSample]
    ) {
        self.module = module
        self.preparation = preparation
        self.make = make
    }

    /// The samples of all features with changes. A new feature is named here only.
    package static let all: [ChangeSamples] = [
        .kernel, .settings, .feeds, .search, .rules, .races, .downloads, .accounts,
    ]

    /// Returns all samples for a library in its initial state.
    package static func samples(in library: SampleLibrary) throws -> [ChangeSample] {
        try all.flatMap { try $0.make(library) }
    }

    /// Returns what to do about a kind of change without a sample.
    ///
    /// - Parameter type: The type of the change with its module, such as `Feeds.SaveSearch`.
    package static func advice(for type: String) -> String {
        let module = type.prefix { $0 != "." }
        let file = "Tests/LibraryTesting/Samples/\(module)Samples.swift"
        return all.contains { $0.module == module }
            ? "Add a sample of \(type) in \(file)."
            : "Add \(file) with a sample of \(type), and name its ChangeSamples in ChangeSamples.all."
    }
}
