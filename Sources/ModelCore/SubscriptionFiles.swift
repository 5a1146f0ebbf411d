import FeedParsing
import Foundation

/// Reads and writes lists of subscriptions in files that the user names.
package struct SubscriptionFiles: Sendable {
    package init() {}

    /// Why that did not work.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String
    }

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

    /// Follows the feeds of a file.
    ///
    /// - Returns: What was done, as a sentence.
    package func importSubscriptions(_ path: String, _ library: Library, _ now: Int64) throws -> String {
        let file = NSString(string: path).expandingTildeInPath
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Problem(description: "There is no file \(path)")
        }
        let (list, problems) = try read(Array(data))
        let result = try library.add(list, now: now)
        return "Followed \(result.added.count) feeds, \(result.known) were there already"
            + (problems.isEmpty ? "" : ", \(problems.count) could not be taken over")
    }

    /// Writes all subscriptions as OPML; a file that is there already is not overwritten.
    ///
    /// - Returns: What was done, as a sentence.
    package func exportSubscriptions(_ path: String, _ library: Library, _ now: Int64) throws -> String {
        let file = NSString(string: path).expandingTildeInPath
        let list = try library.subscriptionList()
        let text = OPMLWriter.write(list, title: "tappa", date: Timestamp.rfc822(now))
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Problem(description: "There is already a file \(path)")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            throw Problem(description: "\(path) cannot be written")
        }
        return "Wrote \(list.count) feeds to \(path)"
    }
}
