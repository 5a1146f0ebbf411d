import FeedParsing
import Foundation

/// Reads and writes lists of subscriptions in files that the user names.
package struct SubscriptionFiles: Sendable {
    package init() {}

    /// Reads a list of subscriptions of any known format.
    ///
    /// - Returns: Those whose addresses can be followed, and a sentence for each problem.
    package func read(_ bytes: [UInt8]) throws -> (list: [ListedSubscription], problems: [String]) {
        let reading = try SubscriptionListReader.read(bytes)
        var problems = reading.problems.map(\.description)
        let list = reading.subscriptions.compactMap { item -> ListedSubscription? in
            guard case .success(let address) = FeedAddress.read(item.url) else {
                problems.append("'\(item.url)' is not an address that can be followed")
                return nil
            }
            var item = item
            item.url = address
            return item
        }
        return (list, problems)
    }

    /// Reads a list of subscriptions from a file that the user names.
    package func read(file path: String) throws -> (list: [ListedSubscription], problems: [String]) {
        try read(Array(try UserFile.read(path)))
    }

    /// Writes a file that the user has named; one that is there already is not overwritten.
    package func write(_ data: Data, to path: String) throws { try UserFile.write(data, to: path) }

    /// Writes all subscriptions as OPML; a file that is there already is not overwritten.
    ///
    /// - Returns: What was done, as a sentence.
    package func exportSubscriptions(_ path: String, _ library: Library, _ now: Int64) throws -> String {
        let list = try library.subscriptionList()
        let text = OPMLWriter.write(list, title: "tappa", date: Timestamp.rfc822(now))
        try UserFile.write(Data(text.utf8), to: path)
        return "Wrote \(list.count) feeds to \(path)"
    }
}
