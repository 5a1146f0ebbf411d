import FeedParsing
import Fetching
import Foundation
import LibraryKernel
import WebAddresses

/// Reads and writes lists of subscriptions in files that the user names.
package enum SubscriptionFiles {
    /// The result of reading a list.
    package struct Reading: Sendable {
        /// The feeds with valid addresses.
        package var list: [ListedSubscription] = []
        /// The feeds that run programs, which the user must allow.
        package var programs: [ListedSubscription] = []
        package var queries: [ListedQuery] = []
        /// A sentence for each problem, and the number of others.
        package var problems: [String] = []
        package var otherProblems = 0

        fileprivate mutating func report(_ problem: String) {
            if problems.count < 1000 { problems.append(problem) } else { otherProblems += 1 }
        }
    }

    /// Reads a list of subscriptions in any supported format.
    ///
    /// - Parameter isNewsraft: Whether a list of lines is newsraft's, or `nil` to recognise it.
    package static func read(_ bytes: [UInt8], isNewsraft: Bool? = nil) throws -> Reading {
        let reading = try SubscriptionListReader.read(bytes, isNewsraft: isNewsraft)
        var places: [String: Int] = [:]
        var result = Reading(
            queries: reading.queries, problems: reading.problems.map(\.description),
            otherProblems: reading.otherProblems)
        for var item in reading.subscriptions {
            if ProgramFeed.isOne(item.url) {
                if ProgramFeed(item.url) != nil {
                    result.programs.append(item)
                } else {
                    result.report("'\(ImportedText.shown(item.url))' lacks a program or an address")
                }
            } else if case .success(let address) = FeedAddress.read(item.url), FeedAddress.hasDomain(item.url) {
                item.url = address
                // Repaired, several addresses may be one.
                let identity = WebAddress.identity(of: address)
                if let place = places[identity] {
                    _ = result.list[place].adopt(item)
                    continue
                }
                places[identity] = result.list.count
                result.list.append(item)
            } else {
                result.report("'\(ImportedText.shown(item.url))' is not the address of a feed")
            }
        }
        return result
    }

    /// Reads a list of subscriptions from a regular file. A pipe might block, and a terminal device takes the keys.
    package static func read(file path: String) throws -> Reading {
        try read(Array(try UserFile.read(path, isFound: true)), isNewsraft: isNewsraft(path) ? true : nil)
    }

    /// Whether a file is in newsraft's folder.
    package static func isNewsraft(_ path: String) -> Bool {
        URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent == "newsraft"
    }

    /// Writes all subscriptions as OPML. An existing file is not overwritten.
    ///
    /// - Returns: The result as a sentence.
    package static func exportSubscriptions(_ path: String, _ library: Library, _ now: Instant) throws -> String {
        let list = try library.feeds.list()
        let text = OPMLWriter.write(list, title: "tappa", date: Timestamp.rfc822(now))
        try UserFile.write(Data(text.utf8), to: path)
        return "Wrote \(list.count.counted("feed")) to \(path)"
    }
}
