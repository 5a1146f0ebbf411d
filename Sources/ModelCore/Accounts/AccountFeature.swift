/// What the library has to know about accounts and their outboxes.
enum AccountFeature {
    /// The kinds of changes, for journals and undo steps.
    static let changes: [any LibraryChange.Type] = [
        AddAccount.self, ConvertToLocal.self, DropFromOutbox.self, MoveToAccount.self, RemoveAccount.self,
        RetryOutbox.self,
    ]
}
