import Foundation

struct QueuedWork: Sendable {
    enum Work: Sendable {
        case change(Change)
        case maintenance(any MaintenanceStep)
    }

    var id: UUID
    var work: Work
    var patience: ChangeQueue.Patience
    var submitted: ContinuousClock.Instant
    var reservation: CommitReservation?
    var completion: @Sendable (Result<Receipt, ChangeFailure>) -> Void

    /// The change, or `nil` for maintenance.
    var change: Change? { if case .change(let change) = work { change } else { nil } }

    /// Whether the work may share a transaction with others of its kind.
    var sharesCommit: Bool {
        if case .maintenance(let maintenance) = work { maintenance.sharesCommit } else { false }
    }

    /// Reports that the program is quitting.
    func reject() { completion(.failure(ChangeFailure(description: "tappa is quitting"))) }
}

/// The work that waits, in order. Changes of the user come before maintenance.
struct WaitingWork: Sendable {
    private(set) var changes: [QueuedWork] = []
    private(set) var maintenance: [QueuedWork] = []

    var isEmpty: Bool { changes.isEmpty && maintenance.isEmpty }
    var count: Int { changes.count + maintenance.count }

    mutating func append(_ work: QueuedWork) {
        if work.change != nil { changes.append(work) } else { maintenance.append(work) }
    }

    mutating func removeFirst() -> QueuedWork? {
        isEmpty ? nil : changes.isEmpty ? maintenance.removeFirst() : changes.removeFirst()
    }

    /// Puts work back in front of all others of its kind, to be tried again.
    mutating func putBack(_ work: [QueuedWork]) {
        changes.insert(contentsOf: work.filter { $0.change != nil }, at: 0)
        maintenance.insert(contentsOf: work.filter { $0.change == nil }, at: 0)
    }

    /// Removes a change. Returns false if it doesn't wait.
    mutating func withdraw(_ id: UUID) -> Bool {
        guard let index = changes.firstIndex(where: { $0.id == id }) else { return false }
        changes.remove(at: index)
        return true
    }

    mutating func removeChanges() -> [QueuedWork] {
        defer { changes = [] }
        return changes
    }

    mutating func removeMaintenance() -> [QueuedWork] {
        defer { maintenance = [] }
        return maintenance
    }

    /// The next step that may share a transaction.
    enum Next {
        case step(QueuedWork)
        /// Other work comes first.
        case other
        /// Nothing waits.
        case none
    }

    /// Removes the next step that may share a transaction, if no other work comes first.
    mutating func removeNextToShare() -> Next {
        guard changes.isEmpty else { return .other }
        guard let next = maintenance.first else { return .none }
        return next.sharesCommit ? .step(maintenance.removeFirst()) : .other
    }
}
