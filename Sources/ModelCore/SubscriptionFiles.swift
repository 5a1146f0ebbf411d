import FeedParsing
import Foundation

/// Reads and writes lists of subscriptions in files that the user names.
package struct SubscriptionFiles: Sendable {
    package init() {}

    /// Why that did not work.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

    /// Follows the feeds of a file.
    ///
    /// - Returns: What was done, as a sentence.
    package func importSubscriptions(_ path: String, _ library: Library, _ now: Int64) throws -> String {
        let file = NSString(string: path).expandingTildeInPath
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Problem(description: "There is no file \(path)")
        }
        let reading = try SubscriptionListReader.read(Array(data))
        let list = reading.subscriptions.compactMap { item -> ListedSubscription? in
            guard case .success(let address) = FeedAddress.read(item.url) else { return nil }
            var item = item
            item.url = address
            return item
        }
        let result = try library.add(list, now: now)
        let skipped = reading.subscriptions.count - list.count + reading.problems.count
        return "Followed \(result.added.count) feeds, \(result.known) were there already"
            + (skipped > 0 ? ", \(skipped) could not be taken over" : "")
    }

    /// Writes all subscriptions as OPML; a file that is there already is not overwritten.
    ///
    /// - Returns: What was done, as a sentence.
    package func exportSubscriptions(_ path: String, _ library: Library, _ now: Int64) throws -> String {
        let file = NSString(string: path).expandingTildeInPath
        let list = try library.subscriptionList()
        let text = OPMLWriter.write(list, title: "tappa", date: Timestamp.rfc822(now))
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Problem(description: "\(path) is there already")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            throw Problem(description: "\(path) cannot be written")
        }
        return "Wrote \(list.count) feeds to \(path)"
    }
}
