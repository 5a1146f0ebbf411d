import LibraryKernel

/// Identifies what is held back of a stage.
struct HeldStageID: RowIdentifier {
    let rawValue: Int64

    init(rawValue: Int64) { self.rawValue = rawValue }
}
