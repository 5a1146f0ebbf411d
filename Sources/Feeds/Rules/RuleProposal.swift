import Foundation
import LibraryKernel
import WebAddresses

/// A suggested query for a rule that matches entries like a given one.
package struct RuleProposal: Hashable, Sendable {
    /// The common property of the entries in words.
    package var title: String
    package var query: String

    /// The minimum number of letters in a significant word.
    private static let minimumLetters = 5
    private static let maximumWords = 4

    /// Returns suggestions for an entry, based on words of its title, its author, its feed and its link.
    package static func all(for entry: EntryDetail) -> [RuleProposal] {
        var proposals: [RuleProposal] = []
        var seen: Set<String> = []
        let words = entry.title.split { !($0.isLetter || $0.isNumber) }.map { $0.lowercased() }
        for word in words where word.count >= minimumLetters && seen.insert(word).inserted && seen.count <= maximumWords
        {
            proposals.append(RuleProposal(title: "“\(word)” in the title", query: "title:\(word)"))
        }
        if let author = entry.author, !author.isEmpty {
            proposals.append(RuleProposal(title: "By \(author)", query: "author:\(SearchQuery.quoted(author))"))
        }
        proposals.append(
            RuleProposal(title: "From \(entry.feedTitle)", query: "feed:\(SearchQuery.quoted(entry.feedTitle))"))
        if let url = entry.link.flatMap({ WebAddress($0) }), let host = url.host, !host.isEmpty {
            let folders = url.segments.filter { !$0.isEmpty }
            if folders.count > 1, let first = folders[0].removingPercentEncoding {
                proposals.append(
                    RuleProposal(
                        title: "Pages under \(host)/\(first)", query: "link:\(SearchQuery.quoted(host + "/" + first))"))
            }
            proposals.append(RuleProposal(title: "Pages on \(host)", query: "link:\(SearchQuery.quoted(host))"))
        }
        return proposals.filter { (try? SearchQuery($0.query)) != nil }
    }
}
