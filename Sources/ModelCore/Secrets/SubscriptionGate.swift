import Fetching
import GRDB

/// The gate that the addresses of all new feeds pass, wherever they come from: typed, found on a page, or listed in a file.
///
/// Behind it no address has a name and a password: neither the library nor a journal gets them, and two spellings of an address are
/// one feed.
struct SubscriptionGate {
    let secrets: SecretStore
    let store: Store

    /// Moves the names and passwords that stand in the addresses of new feeds into the secrets' file.
    ///
    /// - Throws: ``SecretProblem`` where they can't be kept.
    func admit(_ change: Change) throws(SecretProblem) -> Change {
        guard case .subscribe(var feeds, let now) = change else { return change }
        var owners: [Int] = []
        var kept: [Secret] = []
        for index in feeds.indices {
            let (address, authorization) = UserInfo.split(feeds[index].url)
            guard address != feeds[index].url else { continue }
            feeds[index].url = address
            // An account's server has secrets of its own.
            guard let authorization, feeds[index].account == nil, feeds[index].headers.isEmpty, isNew(address) else {
                continue
            }
            owners.append(index)
            kept.append(Secret(headers: [authorization]))
        }
        for (index, reference) in zip(owners, try secrets.keep(kept)) { feeds[index].headers = [reference] }
        return .subscribe(feeds, now: now)
    }

    /// Whether a feed that is added under an address will be a new one: else nobody would use its secret.
    private func isNew(_ address: String) -> Bool {
        guard store.readOnlyReason == nil else { return false }
        let known = try? store.read { db in
            try Int.fetchOne(
                db, sql: "SELECT 1 FROM subscription WHERE account_id IS NULL AND (url = ?1 OR former_url = ?1)",
                arguments: [address])
        }
        return known == nil
    }
}
