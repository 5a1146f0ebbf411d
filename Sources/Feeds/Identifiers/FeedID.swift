import GRDB
import LibraryKernel

/// Identifies a subscription.
package struct FeedID: RowIdentifier {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }
}

extension FeedID {
    func exists(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM subscription WHERE id = ?", arguments: [self]) != nil
    }
}
