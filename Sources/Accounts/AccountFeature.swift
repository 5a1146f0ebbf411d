import LibraryKernel

extension LibraryFeature {
    /// What the library has to know about accounts and their outboxes.
    package static let accounts = LibraryFeature(
        AccountSchema.tables,
        changes: [
            AddAccount.self, ConvertToLocal.self, DropFromOutbox.self, MoveToAccount.self, RemoveAccount.self,
            RetryOutbox.self,
        ])
}

extension LibraryPart {
    /// The accounts and their outbox.
    package static let accounts = LibraryPart(["account", "pending_mark", "pending_operation"])
}
