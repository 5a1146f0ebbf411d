import Fetching
import GRDB
import LibraryKernel
import WebAddresses

/// Removes credentials from the addresses of all new feeds, whether typed, found on a page or imported.
///
/// Neither the library nor a journal ever contains an address with a password, and two spellings of an address are one
/// feed.
package struct SubscriptionGate {
    let secrets: SecretStore
    let store: Store

    package init(secrets: SecretStore, store: Store) {
        self.secrets = secrets
        self.store = store
    }

    /// Moves user names and passwords from the addresses of new feeds to the secrets file.
    ///
    /// - Throws: ``ChangeFailure`` if they can't be stored.
    package func admit(_ change: Change) throws(ChangeFailure) -> Change {
        guard let subscribe = change.base as? Subscribe else { return change }
        var feeds = subscribe.feeds
        var owners: [Int] = []
        var kept: [Secret] = []
        for index in feeds.indices {
            let (address, authorization) = UserInfo.split(feeds[index].url)
            guard address != feeds[index].url else { continue }
            feeds[index].url = address
            // A server uses the account's credentials.
            guard let authorization, feeds[index].account == nil, feeds[index].headers.isEmpty, isNew(address) else {
                continue
            }
            owners.append(index)
            kept.append(Secret(headers: [authorization]))
        }
        do throws(SecretProblem) {
            for (index, reference) in zip(owners, try secrets.keep(kept)) { feeds[index].headers = [reference] }
        } catch { throw ChangeFailure(description: error.description) }
        return .subscribe(feeds, now: subscribe.now)
    }

    /// Whether an address will become a new feed. Otherwise its secret would not be used.
    private func isNew(_ address: String) -> Bool {
        guard store.readOnlyReason == nil else { return false }
        let known = try? store.read { try FeedWriter(db: $0).feed(at: address, includingPrevious: true) }
        return known == nil
    }
}
