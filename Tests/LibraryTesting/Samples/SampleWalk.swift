import CommonTesting
import LibraryKernel

/// A random walk that applies samples and undoes the last of them.
///
/// It depends only on the library and the seed, so another program can repeat it.
package struct SampleWalk {
    /// A step that was chosen but not yet made.
    package enum Step: Sendable {
        case apply(Change)
        case undoLast
    }

    package let library: Library
    private let samples: [ChangeSample]
    private var generator: SeededGenerator
    /// The receipts of the changes that can be undone, the latest last.
    private var receipts: [Receipt] = []

    /// - Parameter isUndoable: Whether only changes with undo steps are made, so that undoing all restores the library.
    package init(_ library: SampleLibrary, seed: UInt64, isUndoable: Bool) throws {
        self.library = library.library
        samples = try ChangeSamples.samples(in: library).filter { !isUndoable || $0.undo != nil }
        generator = SeededGenerator(seed: seed)
    }

    /// Chooses the next step.
    package mutating func next() -> Step {
        let undoes = Int.random(in: 0..<4, using: &generator) == 0
        guard let sample = samples.randomElement(using: &generator) else { return .undoLast }
        if undoes, !receipts.isEmpty { return .undoLast }
        let changes = sample.prerequisites.filter(\.isUndoable) + [sample.change]
        return .apply(changes.randomElement(using: &generator) ?? sample.change)
    }

    /// Makes a step.
    ///
    /// - Returns: The step's receipt, or `nil` if there is nothing to undo.
    @discardableResult
    package mutating func make(_ step: Step) async throws -> Receipt? {
        switch step {
        case .apply(let change):
            let receipt = try await library.changes.perform(change)
            if receipt.undo != nil { receipts.append(receipt) }
            return receipt
        case .undoLast:
            guard let last = receipts.last else { return nil }
            let receipt = try await library.undo(last)
            receipts.removeLast()
            return receipt
        }
    }
}
