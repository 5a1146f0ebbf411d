import LibraryKernel

@testable import Accounts

extension ChangeSamples {
    /// Accounts and their outboxes. ``ManyKinds`` has an account with two feeds.
    static let accounts = ChangeSamples(of: "Accounts") { library in
        let new = NewAccount(name: "Other", kind: .reader, address: "https://o.example/", user: "u", secret: "s")
        let waiting = Array(try library.library.outbox.items().prefix(1).map(\.id))
        return [
            ChangeSample(.addAccount(new), undo: nil, tables: ["account"], isIdempotent: false),
            ChangeSample(
                Change(RemoveAccount(account: 1, keepsFeeds: true)), undo: nil,
                tables: ["account", "subscription", "pending_operation"]),
            ChangeSample(
                .moveToAccount([library.feed("a")], 1), undo: nil, tables: ["subscription", "pending_operation"]),
            ChangeSample(
                .convertToLocal([library.feed("e")]), undo: nil, tables: ["subscription", "pending_operation"]),
            ChangeSample(.retryOutbox(waiting), undo: nil, tables: [], isIdempotent: false),
            ChangeSample(.dropFromOutbox(waiting), undo: nil, tables: ["pending_operation"]),
        ]
    }
}
