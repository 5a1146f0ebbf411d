import LibraryKernel

extension Library {
    /// Reads accounts.
    package var accounts: AccountStore { AccountStore(store: store) }
    /// Reads the changes that are waiting to be sent to servers.
    package var outbox: OutboxStore { OutboxStore(store: store, spoilers: spoilers) }
}
