import Articles
import Feeds
import ModelCore
import TerminalUI

/// What the inspector shows of an entry: its dates, feed, tags, links and files.
@MainActor
package struct EntryFacts {
    private let services: EntryServices

    private static let maximumLinks = 12

    package init(services: EntryServices) { self.services = services }

    /// Returns the facts about an entry, or nothing if it no longer exists.
    ///
    /// - Parameter links: The links of its article, if that was read.
    package func paragraphs(of id: EntryID, links: [ArticleLink] = []) -> [TextParagraph] {
        let access = services.access
        guard let entry = access.read(nil, { try $0.entries.detail(of: id) }) else { return [] }
        var lines = [TextParagraph(DisplayText(entry.title), .heading), .blank]
        lines += PublishDateViewController.lines(entry.dates, services.appearance.dates)
        var facts: [(name: DisplayText, value: DisplayText)] = [("Feed", DisplayText(entry.feedTitle))]
        if let author = entry.author { facts.append(("Author", DisplayText(author))) }
        let feed = access.read(nil) { try $0.feeds.feed(entry.subscriptionID) }
        if let folder = entry.folder { facts.append(("Folder", DisplayText(folder))) }
        if let error = feed?.error { facts.append(("Error", DisplayText(error))) }
        if !entry.tags.isEmpty { facts.append(("Tags", DisplayText(entry.tags.joined(separator: " ")))) }
        if let address = entry.address { facts.append(("Link", DisplayText(address))) }
        for file in EntryArticle.media(in: entry.extras).prefix(EntryFacts.maximumLinks) {
            facts.append(("File", DisplayText(file.url)))
        }
        lines += [.blank] + TextParagraph.facts(facts)
        guard !links.isEmpty else { return lines }
        let shown = links.prefix(EntryFacts.maximumLinks).map { link in
            (name: DisplayText(String(link.number)), value: link.text.isEmpty ? DisplayText(link.url) : link.text)
        }
        return lines + [.blank, TextParagraph("Links", .heading)] + TextParagraph.facts(shown)
    }
}
